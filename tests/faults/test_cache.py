"""Caches that go wrong: everything works, and a line says what had to be done without."""

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest

import heirwood as package
from heirwood.core import _jit
from tests.faults.machine import (
    QUICK,
    ROWS,
    command,
    forbid_entering,
    heirwood,
    lock,
    make_loop,
    on_small_disk,
    python,
    unlock,
)

pytestmark = [pytest.mark.compiled]

ONE_KERNEL = "from heirwood.core.draws import child_keys; print(child_keys(0, 0, 2).tolist())"
# Blind operators need the fewest kernels; a run with informed ones would compile for a minute.
ONE_FIT = """
import numpy as np
from heirwood import EvolvedTreeClassifier
X = np.random.default_rng(0).random((60, 3))
found = EvolvedTreeClassifier.gatree(population_size=20, generations=5, random_state=1).fit(X, X[:, 0] > X[:, 1])
print(found.predict(X).tolist(), found.hall_)
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(ROWS)
    return path


@pytest.fixture
def kernels(tmp_path, warm):
    """Return a root of a cache that holds every kernel."""
    folder = _jit.CACHE.writable_folder()
    root = tmp_path / "kernels"
    shutil.copytree(folder, root / folder.name)
    yield root
    unlock(root)


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Have every kernel compiled that the tests need; return the trees that are to come out."""
    path = tmp_path_factory.mktemp("warm") / "table.csv"
    path.write_text(ROWS)
    done = heirwood("fit", path, *QUICK, "--out", path.with_suffix(".json"))
    assert done.returncode == 0, done.stderr
    return json.loads(path.with_suffix(".json").read_text())["trees"]


def fit(table, root, **env):
    temporary = table.parent / "temporary"
    temporary.mkdir(exist_ok=True)
    env = {"NUMBA_CACHE_DIR": root, "TMPDIR": temporary, "HEIRWOOD_QUIET": None, **env}
    return heirwood("fit", table, *QUICK, "--json", "--out", table.with_suffix(".json"), env=env)


def call(root, tmp_path, **env):
    """Call one kernel, without all that a fit loads: a second for what would take four."""
    (tmp_path / "temporary").mkdir(exist_ok=True)
    env = {"NUMBA_CACHE_DIR": root, "TMPDIR": tmp_path / "temporary", "HEIRWOOD_QUIET": None, **env}
    return python(ONE_KERNEL, env=env)


@pytest.fixture(scope="module")
def keys():
    """Return what it prints."""
    return python(ONE_KERNEL).stdout


def trees(table):
    return json.loads(table.with_suffix(".json").read_text())["trees"]


def some(root, *kernels):
    """Return the files of some kernels that are soon compiled."""
    found = [path for path in Path(root).rglob("*.kernel") if path.name.startswith(kernels)]
    assert found
    return found


SMALL = ("tournament.", "binning.scatter_bins", "draws._write_keys")
CALLED = SMALL[2:]


def test_a_warm_cache_that_cannot_be_written_to_is_used(table, kernels, warm):
    lock(kernels)

    done = fit(table, kernels)

    assert (done.returncode, done.stderr.count("compiling")) == (0, 0)
    assert "cannot be kept" not in done.stderr
    assert trees(table) == warm


def break_file(path, how):
    content = bytearray(path.read_bytes())
    if how == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif how == "flipped":
        content[len(content) // 2] ^= 4
        path.write_bytes(content)
    elif how == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
        path.mkdir()


def test_broken_files_are_compiled_anew_and_mended(table, kernels, warm):
    broken = some(kernels, *SMALL)
    assert len(broken) >= 3
    for number, path in enumerate(broken):
        break_file(path, ("truncated", "flipped", "emptied")[number % 3])
    before = {path: path.read_bytes() for path in broken}

    done = fit(table, kernels)
    again = fit(table, kernels)

    assert (done.returncode, done.stderr.count("compiling some of its kernels")) == (0, 1)
    assert trees(table) == warm
    assert [path.name for path in broken if path.read_bytes() == before[path]] == []
    assert again.stderr.count("compiling") == 0


def test_a_folder_in_the_place_of_a_file_is_named_and_passed_over(kernels, tmp_path, keys):
    break_file(some(kernels, *CALLED)[0], "a folder")

    done = call(kernels, tmp_path)

    assert (done.stdout, done.stderr.count("compiling a kernel")) == (keys, 1)
    assert done.stderr.count(f"cannot be kept in {kernels}") == 1


def test_a_full_disk_stops_nothing(table, kernels, tmp_path, warm):
    for path in some(kernels, *SMALL):
        path.unlink()
    small, size = tmp_path / "small", sum(path.stat().st_size + 4096 for path in kernels.rglob("*"))
    small.mkdir()
    (tmp_path / "temporary").mkdir()
    words = shlex.join(command("fit", table, *QUICK, "--out", table.with_suffix(".json")))
    fill = f"cp -r {kernels}/* {small} && {{ dd if=/dev/zero of={small}/rest status=none 2>/dev/null; {words}; }}"

    env = {"NUMBA_CACHE_DIR": small, "TMPDIR": tmp_path / "temporary", "HEIRWOOD_QUIET": None}
    done = on_small_disk(small, size, fill, env=env)

    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "cannot be kept" in line]
    assert f"cannot be kept in {small}/{_jit.CACHE._name} (No space left on device); they go to {tmp_path}" in line
    assert trees(table) == warm


@pytest.mark.parametrize(
    ("which", "break_it"),
    [("home", forbid_entering), ("home", make_loop), ("root", forbid_entering)],
    ids=["home that cannot be entered", "home that is a loop", "root that cannot be entered"],
)
def test_a_cache_that_cannot_be_reached_is_passed_over(kernels, tmp_path, which, break_it, keys):
    for path in some(kernels, *CALLED):
        path.unlink()
    shutil.copytree(kernels, tmp_path / "temporary" / f"heirwood-{os.getuid()}")
    broken = tmp_path / "broken"
    if break_it is forbid_entering:
        broken.mkdir()
    break_it(broken)

    home = {"HOME": broken, "XDG_CACHE_HOME": None} if which == "home" else {}
    done = call(broken if which == "root" else None, tmp_path, **home)

    assert (done.stdout, done.stderr.count("Traceback")) == (keys, 0), done.stderr
    assert done.stderr.count(f"cannot be kept in {broken}") == 1
    assert done.stderr.count("compiling a kernel") == 1
    assert some(tmp_path / "temporary", *CALLED)  # it went beside those that were there
    if break_it is forbid_entering:
        broken.chmod(0o700)


def test_a_link_that_anybody_can_make_stops_nothing(kernels, tmp_path, keys):
    """Once with the name of the user's folder in the temporary one, which leads to itself."""
    for path in some(kernels, *CALLED):
        path.unlink()
    (tmp_path / "temporary").mkdir()
    make_loop(tmp_path / "temporary" / f"heirwood-{os.getuid()}")

    done = call(kernels, tmp_path)

    assert (done.stdout, done.stderr.count("Traceback")) == (keys, 0), done.stderr
    assert "cannot be kept" not in done.stderr  # the first folder is as good as ever


@pytest.mark.parametrize(
    ("code", "compiled"), [(ONE_KERNEL, "a kernel"), (ONE_FIT, "its kernels")], ids=["kernel", "fit"]
)
def test_where_nothing_can_be_written_everything_works_uncached(tmp_path, code, compiled):
    home = tmp_path / "home"
    home.mkdir()
    lock(home)
    env = {"HOME": home, "TMPDIR": home, "TEMP": None, "TMP": None, "NUMBA_CACHE_DIR": None, "XDG_CACHE_HOME": None}
    alone = f"import tempfile; tempfile._candidate_tempdir_list = lambda: [{str(home)!r}]; {code}"

    # Kernels that are not optimised do the same, and are there in two thirds of the time.
    done = python(alone, env={**env, "HEIRWOOD_QUIET": None, "NUMBA_OPT": "0"}, cwd=home)

    assert done.returncode == 0, done.stderr
    assert done.stdout == python(code).stdout
    assert done.stderr.count("cannot be kept in") == 1
    assert done.stderr.count(f"compiling {compiled}") == 1
    assert list(home.iterdir()) == []
    unlock(home)


def test_another_checkout_of_the_same_source_compiles_nothing(table, kernels, tmp_path, warm):
    """The key is content, not path or time."""
    other = tmp_path / "other"
    shutil.copytree(Path(package.__file__).parent, other / "heirwood", ignore=shutil.ignore_patterns("__pycache__"))
    for path in other.rglob("*.py"):
        os.utime(path, (0, 0))

    done = fit(table, kernels, PYTHONPATH=other)

    assert (done.returncode, done.stderr.count("compiling")) == (0, 0), done.stderr
    assert trees(table) == warm
    where = python("import heirwood; print(heirwood.__file__)", env={"PYTHONPATH": other})
    assert where.stdout.startswith(str(other))


def test_other_source_is_compiled_and_said(tmp_path, kernels):
    other = tmp_path / "other"
    shutil.copytree(Path(package.__file__).parent, other / "heirwood", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "heirwood" / "core" / "bitset_ops.py").open("a") as file:
        file.write("# another line\n")

    done = python(ONE_KERNEL, env={"PYTHONPATH": other, "NUMBA_CACHE_DIR": kernels, "HEIRWOOD_QUIET": None})

    assert done.stdout == python(ONE_KERNEL).stdout
    assert done.stderr.count("compiling a kernel") == 1
