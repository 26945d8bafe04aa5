"""The lanes: the same tests compiled, interpreted and bounds-checked (see tools/check.py)."""

import os

import pytest
from hypothesis import settings

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "1"
BOUNDS_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1"
LANE = "interpreted" if INTERPRETED else "bounds-checked" if BOUNDS_CHECKED else "compiled"

# The same examples every time, so that a failure is repeatable and a pass means the same everywhere. No
# deadline: the first example compiles.
settings.register_profile("compiled", derandomize=True, deadline=None)
settings.register_profile("bounds-checked", parent=settings.get_profile("compiled"))
settings.register_profile("interpreted", parent=settings.get_profile("compiled"), max_examples=25)
settings.load_profile(LANE)


def pytest_report_header():
    return f"lane: {LANE}"


def pytest_collection_modifyitems(config, items):
    """Leave tests marked `compiled` (too much work for plain Python) to the compiled lane."""
    if LANE == "compiled":
        return
    left_out = [item for item in items if item.get_closest_marker("compiled")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("compiled")]


@pytest.fixture(scope="session")
def lane():
    """Say which lane this is: "compiled", "interpreted" or "bounds-checked"."""
    return LANE
