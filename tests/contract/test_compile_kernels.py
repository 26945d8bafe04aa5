"""Compiling before the clock starts: with a helper, without one, and with one that fails."""

import gc
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier
from heirwood.backends import compile_kernels as warm
from heirwood.core import _jit, _notices
from heirwood.core._notices import expecting, tell_of_compiling
from heirwood.gc_pause import SELDOM
from tests.busy import HUNG


@pytest.fixture
def cold(monkeypatch):
    """Let the process believe that nothing is compiled, and remember nothing of it afterwards."""
    monkeypatch.setattr(warm, "is_cold", lambda module="": True)
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.setattr(warm, "_warm", set())


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("line", ["pass", "raise SystemExit('no luck')"])
def test_a_helper_is_waited_for_whatever_becomes_of_it(line, monkeypatch):
    monkeypatch.setattr(warm, "HELPER", line)
    started = []
    monkeypatch.setattr(warm, "_start_helper", lambda start=warm._start_helper: started.append(start()) or started[0])

    warm.warm_up(informed=True)

    assert [helper.returncode is not None for helper in started] == [True]


@pytest.mark.usefixtures("cold")
def test_one_that_hangs_is_ended(monkeypatch):
    monkeypatch.setattr(warm, "HELPER", "import time; time.sleep(600)")
    monkeypatch.setattr(warm, "LONGEST_WAIT", 0.1)
    started = []
    monkeypatch.setattr(warm, "_start_helper", lambda start=warm._start_helper: started.append(start()) or started[0])

    warm.warm_up(informed=True)

    assert [helper.returncode for helper in started] == [-9]


@pytest.mark.usefixtures("cold")
def test_an_interrupt_while_compiling_ends_it(monkeypatch):
    def interrupted(backend):
        raise KeyboardInterrupt

    monkeypatch.setattr(warm, "HELPER", "import time; time.sleep(600)")
    monkeypatch.setattr(warm, "_look_ahead", interrupted)
    started = []
    monkeypatch.setattr(warm, "_start_helper", lambda start=warm._start_helper: started.append(start()) or started[0])

    with pytest.raises(KeyboardInterrupt):
        warm.warm_up(informed=True)

    assert [helper.returncode for helper in started] == [-9]


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [
        (warm, "usable_cores", lambda: 1),
        (warm, "parent_process", lambda: "a pool"),
        (warm.sys, "executable", ""),
        (warm.sys, "executable", "/nowhere/python"),
    ],
)
def test_where_no_helper_can_be_there_is_none(where, name, value, monkeypatch):
    monkeypatch.setattr(where, name, value)

    assert warm._start_helper() is None


def test_a_helper_compiles_what_it_is_for():
    warm.help_out()

    assert not _jit.is_cold() or _jit.INTERPRETED


def test_the_helpers_line_runs():
    done = subprocess.run([sys.executable, "-c", warm.HELPER], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def planted(folder, *names):
    """Plant modules that leave a mark when they are run; return the mark."""
    mark = folder / "mark"
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    return mark


@pytest.mark.newest
@pytest.mark.parametrize("first", [[], [""], ["."]], ids=["a script", "a notebook", "a path of the user's"])
def test_a_helper_runs_nothing_from_the_folder_it_is_started_in(first, monkeypatch, tmp_path):
    """In a shared folder, anybody could have left a module that is called like one that is needed."""
    mark = planted(tmp_path, "numpy", "numba", "heirwood", "subprocess", "sitecustomize")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*first, *sys.path])
    monkeypatch.setattr(warm, "usable_cores", lambda: 2)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)

    helper = warm._start_helper()

    assert helper.wait(HUNG) == 0
    assert not mark.exists()


@pytest.mark.newest
def test_a_helper_finds_what_this_process_finds(monkeypatch, tmp_path):
    (tmp_path / "found_by_path.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(warm, "usable_cores", lambda: 2)
    monkeypatch.setattr(warm, "HELPER", f"import found_by_path; {warm.HELPER}")

    assert warm._start_helper().wait(HUNG) == 0


def test_a_helper_finds_heirwood_where_this_process_had_it_from_its_own_folder(monkeypatch):
    home = str(Path(warm.__file__).parents[2])
    monkeypatch.setattr(sys, "path", ["", *(folder for folder in sys.path if folder != home)])

    assert home in warm._search_path().split(os.pathsep)


def test_a_helper_does_without_scikit_learn():
    line = "import sys, heirwood.backends.compile_kernels; sys.exit('sklearn' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", line], check=False).returncode == 0


@pytest.mark.usefixtures("cold")
def test_garbage_is_collected_as_before_once_all_is_compiled(monkeypatch):
    monkeypatch.setattr(warm, "_start_helper", lambda: None)
    seen = []
    monkeypatch.setattr(warm, "_search", lambda backend: seen.append(gc.get_threshold()))
    before = gc.get_threshold()

    warm.warm_up(informed=True)

    assert seen == [SELDOM]
    assert gc.get_threshold() == before


@pytest.fixture
def untold(monkeypatch):
    """Let the process believe that nobody was told of compiling yet."""
    monkeypatch.setattr(_notices._Waiting, "told", set())
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)


@pytest.mark.usefixtures("untold")
@pytest.mark.parametrize(
    ("informed", "cores", "is_cold", "words"),
    [
        (False, 2, True, "its kernels, once for this machine (about 12 seconds)"),
        (True, 2, True, "its kernels, once for this machine (about 25 seconds)"),
        (True, 1, True, "its kernels, once for this machine (about 50 seconds)"),
        (True, 2, False, "some of its kernels, once for this machine (about 10 seconds)"),
    ],
)
def test_who_has_to_wait_is_told_why(informed, cores, is_cold, words, monkeypatch, capsys):
    monkeypatch.setattr(warm, "is_cold", lambda _: is_cold)
    monkeypatch.setattr(warm, "usable_cores", lambda: cores)

    with expecting(*warm._what_is_expected(informed)):
        tell_of_compiling()
        tell_of_compiling()

    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


@pytest.mark.usefixtures("untold")
def test_quiet_is_quiet(monkeypatch, capsys):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")

    tell_of_compiling()

    assert capsys.readouterr().err == ""


def full():
    return open("/dev/full", "w")


def closed():
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.usefixtures("untold")
@pytest.mark.parametrize("stderr", [full, closed, lambda: None], ids=["full disk", "closed", "none"])
def test_a_notice_that_cannot_be_written_ends_nothing(stderr, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", stderr())

    tell_of_compiling()

    assert capsys.readouterr().out == ""


@pytest.mark.compiled
def test_once_a_kernel_was_run_it_is_no_longer_cold():
    X = np.random.default_rng(0).random((60, 3))
    EvolvedTreeClassifier(payoff="fewest_errors", max_depth=2, generations=1).fit(X, X[:, 0] * X[:, 1] > 0.3)

    assert not _jit.is_cold("search.find_low")
    assert _jit.is_cold("search.never_written")
