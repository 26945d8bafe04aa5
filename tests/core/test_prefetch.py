"""Fetching ahead asks for the lines of a tree, changes nothing, and minds no end of the arena."""

import numpy as np
import pytest

from heirwood.core.arena import make_arena
from heirwood.core.prefetch import N_LINES, prefetch_tree
from tests.core.kernels import from_python

fetch = from_python(prefetch_tree)


def test_what_is_fetched_stays_as_it_is_and_beyond_the_end_is_no_error():
    arena = make_arena(3, 2)
    arena["gene"] = 7
    before = arena.copy()

    for tree in (0, 2, 10**6):
        fetch(arena, tree)

    assert np.array_equal(arena, before)


@pytest.mark.compiled
def test_every_line_is_asked_for():
    fetch(make_arena(3, 2), 0)
    (code,) = fetch.inspect_llvm().values()

    asked = [line for line in code.splitlines() if "call void @llvm.prefetch" in line]
    assert len(asked) == N_LINES
    assert all("i32 0, i32 3, i32 1" in line for line in asked)  # for reading, soon, as data
