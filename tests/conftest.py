"""The lanes: the same tests compiled, interpreted and bounds-checked (see tools/check.py)."""

import os
import signal
import time
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "1"
BOUNDS_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1"
LANE = "interpreted" if INTERPRETED else "bounds-checked" if BOUNDS_CHECKED else "compiled"

# The same examples every time, so that a failure is repeatable and a pass means the same everywhere. No
# deadline: the first example compiles. Nor is it a fault that a busy machine takes long to make examples.
IN_NO_HURRY = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("compiled", derandomize=True, max_examples=40, **IN_NO_HURRY)
for slower in ("bounds-checked", "interpreted"):
    settings.register_profile(slower, parent=settings.get_profile("compiled"), max_examples=12)
settings.load_profile(LANE)


def pytest_report_header():
    return f"lane: {LANE}"


def pytest_collection_modifyitems(config, items):
    """Leave to the compiled lane what is too much for plain Python, and what is the same in every lane."""
    for item in items:
        if getattr(item, "callspec", None) and item.callspec.params.get("backend") == "slow":
            item.add_marker("oracle")
    if LANE == "compiled":
        return
    is_here = [not any(item.get_closest_marker(mark) for mark in ("compiled", "oracle")) for item in items]
    config.hook.pytest_deselected(items=[item for item, here in zip(items, is_here, strict=True) if not here])
    items[:] = [item for item, here in zip(items, is_here, strict=True) if here]


@pytest.fixture(scope="session")
def lane():
    """Say which lane this is: "compiled", "interpreted" or "bounds-checked"."""
    return LANE


@pytest.fixture(autouse=True)
def brief_bounds(request, monkeypatch):
    """Look only briefly for what no tree exceeds, unless a test is marked with "whole_bound".

    A short fit spends most of its time on that when it is over.
    """
    if request.node.get_closest_marker("whole_bound") is None:
        from heirwood import run_bound as bounding

        monkeypatch.setattr(bounding, "EFFORT", bounding.QUICK)


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM], ids=lambda signum: signum.name)
def signum(request):
    """Return a signal, with Python's own handlers in place, also where the tests were started without."""
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGTERM: signal.signal(signal.SIGTERM, signal.SIG_DFL),
    }
    yield request.param
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def hears_ctrl_c():
    """Have Python's own handler of Ctrl-C in place, also where the tests were started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def hands(monkeypatch):
    """Return what the clock of a limit shows, in a list: every generation moves it on, by a hundredth of a second."""
    from heirwood import time_limit as clock
    from heirwood.evolve import Evolution

    shown = [0.0]
    step = Evolution.step

    def slow_step(evolution):
        shown[0] += 0.01
        return step(evolution)

    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: shown[0]))
    monkeypatch.setattr(clock, "seconds_compiling", lambda: 0.0)
    monkeypatch.setattr(Evolution, "step", slow_step)
    return shown


@pytest.fixture
def working_time(monkeypatch):
    """Have limits count the seconds that this process works: it has the same of them on a busy machine."""
    from heirwood import time_limit as clock
    from heirwood.data import test_scope as bank_scope
    from heirwood.evolve import loop

    working = SimpleNamespace(monotonic=time.process_time, perf_counter=time.process_time)
    for module in (clock, bank_scope, loop):
        monkeypatch.setattr(module, "time", working)
