"""evtree (Grubinger, Zeileis and Pfeiffer, 2014): evolved trees in R, the nearest relative.

It weighs errors against leaves by 2 * errors + alpha * leaves * ln(rows), so a cost per leaf is an alpha.
R and the package are not from PyPI: Debian's r-base-core, r-base-dev and r-cran-partykit, then R CMD INSTALL.
"""

import math
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

REQUIREMENTS = ()  # R has its own
HOW = "R with the package evtree is not there (Debian: r-base-core, r-base-dev, r-cran-partykit; R CMD INSTALL evtree)"
PACKAGES = ("numpy",)
SEEDED = False
MOST_ROWS = SIZES_MOST_ROWS = 10_000  # it takes minutes on more
TIME_LIMIT, SIZES_TIME_LIMIT = 120.0, 120.0
DEFAULTS = {"iterations": 10_000, "trees": 100}  # as documented
LARGER = {"iterations": 20_000, "trees": 200}
MOST_DEPTH = 9  # as documented
SCRIPT = Path(__file__).with_suffix(".R")


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf, with a larger budget."""
    return {**LARGER, "cost": cost}


def for_depth(depth):
    """Return the settings for fewest errors at a depth."""
    return {**LARGER, "max_depth": depth, "cost": 0.0}


def for_sizes():
    """Return the settings that inner cross-validation chooses from: its defaults, and a larger budget."""
    return [DEFAULTS, LARGER]


def is_there():
    """Say whether R and the package can be run."""
    return shutil.which("Rscript") is not None and "error" not in versions().values()


@cache
def versions():
    """Return the versions of R and of the package."""
    asked = 'cat(R.version.string, as.character(packageVersion("evtree")), sep = "\\n")'
    done = subprocess.run(["Rscript", "-e", asked], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    return dict(zip(("R", "evtree"), lines if done.returncode == 0 else ["error", "error"], strict=True))


def warm_up():
    """Load the package once."""
    versions()


def fit(problem, iterations, trees, cost=None, max_depth=MOST_DEPTH):
    """Return the answer to one fit; its seconds are those inside R, after loading."""
    n = len(problem.y)
    alpha = 1.0 if cost is None else 2 * n * cost / math.log(n)
    smallest = (7, 20) if cost is None else (1, 2)  # rows at a leaf, and at a node that is split: as documented, or any
    folder = tempfile.TemporaryDirectory(prefix="evtree-")
    _write(Path(folder.name), "X", problem.X)
    np.savetxt(Path(folder.name) / "y.txt", problem.y, fmt="%d")
    told = _run("fit", folder.name, iterations, trees, alpha, max_depth, *smallest, (problem.seed or 0) + 1)
    wall, cpu, leaves, depth = (float(each) for each in told.split())

    def predict(X):
        _write(Path(folder.name), "all", X)
        _run("predict", folder.name)
        return np.loadtxt(Path(folder.name) / "labels.txt", dtype=np.int64, ndmin=1)

    return {
        "predict": predict,
        "leaves": int(leaves),
        "depth": int(depth),
        "optimal": None,
        "wall": round(wall, 4),
        "cpu": round(cpu, 4),
    }


def _write(folder, name, table):
    np.asfortranarray(table, dtype=np.float64).ravel(order="F").tofile(folder / f"{name}.bin")
    (folder / f"{name}.shape").write_text(f"{table.shape[0]} {table.shape[1]}\n")


def _run(*words):
    done = subprocess.run(["Rscript", str(SCRIPT), *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["R ended without a word"])[-1])
    return done.stdout
