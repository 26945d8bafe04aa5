"""Compiling before the clock starts: with a helper, without one, and with one that fails."""

import gc
import subprocess
import sys

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier
from heirwood.backends import warm
from heirwood.core import _jit
from heirwood.garbage import SELDOM


@pytest.fixture
def cold(monkeypatch):
    """Let the process believe that nothing is compiled, and remember nothing of it afterwards."""
    monkeypatch.setattr(warm, "is_cold", lambda module="": True)
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    warm.warm_up.cache_clear()
    yield
    warm.warm_up.cache_clear()


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


def test_a_helper_does_without_scikit_learn():
    line = "import sys, heirwood.backends.warm; sys.exit('sklearn' in sys.modules)"

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


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("", "its kernels, once for this machine (about 12 "),
        ("improve", "its kernels, once for this machine (about 25 "),
        ("search.find_low", "one more kernel"),
    ],
)
def test_who_has_to_wait_is_told_why_unless_quiet_is_wanted(module, words, monkeypatch, capsys):
    monkeypatch.setattr(_jit, "is_cold", lambda _: True)
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)
    _jit.announce_if_cold(module)
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    _jit.announce_if_cold(module)

    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_who_has_no_helper_is_told_to_wait_twice_as_long(monkeypatch, capsys):
    monkeypatch.setattr(_jit, "is_cold", lambda _: True)
    monkeypatch.setattr(warm, "is_cold", lambda module="": False)
    monkeypatch.setattr(warm, "usable_cores", lambda: 1)
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)
    warm.warm_up.cache_clear()

    warm.warm_up(informed=True)

    assert "its kernels, once for this machine (about 50 seconds)" in capsys.readouterr().err


@pytest.mark.compiled
def test_once_a_kernel_was_run_it_is_no_longer_cold():
    X = np.random.default_rng(0).random((60, 3))
    EvolvedTreeClassifier(payoff="fewest_errors", max_depth=2, generations=1).fit(X, X[:, 0] * X[:, 1] > 0.3)

    assert not _jit.is_cold("search.find_low")
    assert _jit.is_cold("search.never_written")
