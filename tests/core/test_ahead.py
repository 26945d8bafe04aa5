"""Fetching ahead changes nothing: not what is there, and not where there is nothing."""

import numba
import numpy as np

from heirwood.core.ahead import fetch_ahead
from heirwood.core.arena import make_arena


@numba.njit
def fetch(arena, tree):
    """Fetch as a kernel does."""
    fetch_ahead(arena, tree)


def test_what_is_fetched_stays_as_it_is_and_beyond_the_end_is_no_error():
    arena = make_arena(3, 2)
    arena["gene"] = 7
    before = arena.copy()

    for tree in (0, 2, 10**6):
        fetch(arena, tree)

    assert np.array_equal(arena, before)
