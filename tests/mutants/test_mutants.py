"""Deliberate mutants of the inheritance kernels: every one of them is caught by the lock-step tests.

A mutant is a copy of the package with one line changed. A few lock-step tests run against it in a process
of its own (judges.py), interpreted, and must fail; against an unchanged copy they must pass. A line that is no longer
there, or there twice, fails loudly: then the kernel was rewritten and its mutant must follow.
"""

import compileall
import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.compiled  # the processes choose their own lane; once is enough

ROOT = Path(__file__).resolve().parents[2]


class Mutant(NamedTuple):
    """One line of a kernel, and what it is changed to."""

    file: str
    line: str
    changed: str


MUTANTS = {
    "wrong side on the path": Mutant(
        "tally.py",
        "flip = np.uint64(0) if path[level + 1] == node + 1 else ~np.uint64(0)",
        "flip = np.uint64(0) if path[level + 1] != node + 1 else ~np.uint64(0)",
    ),
    "a test above a deep stale leaf left out": Mutant(
        "tally.py",
        "walk_path(tree, path, above, bits, lo, hi, reach)",
        "walk_path(tree, path, above - 1, bits, lo, hi, reach)",
    ),
    "the last test above a stale leaf left out": Mutant(
        "tally.py",
        "side_of(tree, path, last, bits, lo, hi)",
        "side_of(tree, path, max(last - 1, 0), bits, lo, hi)",
    ),
    "wrong side below the stale node": Mutant(
        "tally.py",
        "flip = np.uint64(0) if left_child else ~np.uint64(0)",
        "flip = ~np.uint64(0) if left_child else np.uint64(0)",
    ),
    "padding counted": Mutant(
        "inheritance.py", "scratch.reach[0, w] = target.everyone[lo + w]", "scratch.reach[0, w] = ~np.uint64(0)"
    ),
    "path not updated": Mutant("settle.py", 'tree[path[level]]["hits"] += more_hits', 'tree[path[level]]["hits"] += 0'),
    "checks on the path not updated": Mutant(
        "settle.py", 'tree[path[level]]["checks"] += more_checks', 'tree[path[level]]["checks"] += 0'
    ),
    "stale root too low": Mutant("crossover/subtree.py", "return cut\n", "return cut + 1 if new > 1 else cut\n"),
    "hits of what was cut forgotten": Mutant(
        "crossover/subtree.py", 'child[cut]["hits"] = mother[cut]["hits"]', 'child[cut]["hits"] += 0'
    ),
    "nested stale nodes not collapsed": Mutant("breed.py", "if node <= other < node + old:", "if node == other:"),
    "a change inside a stale node marked again": Mutant("breed.py", "inside = True", "inside = False"),
    "later stale nodes not moved": Mutant("breed.py", "other += new - old", "other += 0"),
    "the last tree's counts added to": Mutant("tally.py", "kept = 0 if lo == 0 else 1", "kept = 1"),
    "ties to the highest class": Mutant("settle.py", "if counts[node, c] > hits:", "if counts[node, c] >= hits:"),
    "costs read the wrong way round": Mutant(
        "mistake_costs.py", "avoided += weights[c] * gains[c, k]", "avoided += weights[c] * gains[k, c]"
    ),
    "hits of a costly leaf are the weight of its label": Mutant(
        "settle.py",
        "label, hits = cheapest(counts[node], target.gains)",
        "label = cheapest(counts[node], target.gains)[0]; hits = counts[node, label]",
    ),
    "an empty leaf loses its label": Mutant("settle.py", "if target.majority and rows > 0:", "if target.majority:"),
    "only the last stale node held to the limit": Mutant(
        "settle.py", "smallest = min(smallest, fewest)", "smallest = fewest"
    ),
    "the ledger counts every row": Mutant("settle.py", 'rows += tree[node]["rows"]', 'rows += tree[0]["rows"]'),
    "the ledger counts the path's checks": Mutant(
        "settle.py", 'checks += tree[node]["checks"]', 'checks += tree[node]["checks"] + depth'
    ),
}


def copy_package(folder):
    """Copy the package into a folder, with its byte code: so that of a mutant one file only is compiled anew."""
    shutil.copytree(ROOT / "src" / "heirwood", folder / "heirwood", ignore=shutil.ignore_patterns("*.nb[ci]"))
    compileall.compile_dir(folder, quiet=2)
    return folder


def plant(folder, mutant, original):
    """Copy the original into a folder and change one line, or none."""
    package = folder / "heirwood"
    shutil.copytree(original / "heirwood", package)
    if mutant is not None:
        path = package / "core" / mutant.file
        source = path.read_text()
        n_found = source.count(mutant.line)
        if n_found != 1:
            raise LookupError(f"{mutant.line!r} is {n_found} times in core/{mutant.file}; expected once")
        path.write_text(source.replace(mutant.line, mutant.changed))
        Path(cache_from_source(path)).unlink()
    return folder


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """Put every mutant, and the unchanged package, before the judges; return {name: (exit code, what they print)}."""
    suspects = {"unchanged": None, **MUTANTS}
    elsewhere, sys.pycache_prefix = sys.pycache_prefix, None  # each copy has its byte code with it
    original = copy_package(tmp_path_factory.mktemp("original"))
    folders = {name: plant(tmp_path_factory.mktemp("mutant"), mutant, original) for name, mutant in suspects.items()}
    sys.pycache_prefix = elsewhere
    left_out = ("NUMBA_", "PYTEST_", "PYTHONPYCACHEPREFIX")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    judges = Path(__file__).with_name("judges.py")
    subprocess.run(
        [sys.executable, judges, *folders.values()],
        cwd=ROOT,
        env=ours | {"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
    )
    told = {name: (folder / "verdict.txt").read_text().partition("\n") for name, folder in folders.items()}
    return {name: (int(code), printed) for name, (code, _, printed) in told.items()}


def test_the_unchanged_package_passes(verdicts):
    code, printed = verdicts["unchanged"]

    assert code == 0, printed


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(verdicts, name):
    code, printed = verdicts[name]

    assert code == 1, printed  # 1: tests ran and failed; other codes mean they could not run
    assert "1 failed" in printed
