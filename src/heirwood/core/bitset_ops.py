"""Sweeps over bit rows: the only loops whose length is the table's, and where time goes at scale.

Each reads its rows once, stores at most one, and compiles to vector code.
"""

from heirwood.core._jit import small_kernel
from heirwood.core.bitsets import popcount


@small_kernel
def narrow(rows, test, flip, out):
    """Write the rows that pass a test (flip 0) or fail it (flip all ones)."""
    for w in range(out.shape[0]):
        out[w] = rows[w] & (test[w] ^ flip)


@small_kernel
def narrow_twice(rows, test, flip, second, second_flip, out):
    """Write the rows on one side of two tests, in one sweep."""
    for w in range(out.shape[0]):
        out[w] = rows[w] & (test[w] ^ flip) & (second[w] ^ second_flip)


@small_kernel
def count(rows, plane):
    """Return how many rows lie in a plane."""
    total = 0
    for w in range(rows.shape[0]):
        total += popcount(rows[w] & plane[w])
    return total


@small_kernel
def count_side(rows, test, flip, plane):
    """Return how many rows lie on one side of a test, and how many of them in a plane."""
    arrived = 0
    inside = 0
    for w in range(rows.shape[0]):
        side = rows[w] & (test[w] ^ flip)
        arrived += popcount(side)
        inside += popcount(side & plane[w])
    return arrived, inside


@small_kernel
def count_path(rows, first, first_flip, second, second_flip, third, third_flip, fourth, fourth_flip, plane):
    """Return how many rows lie on one side of each of four tests, and how many of them in a plane."""
    arrived = 0
    inside = 0
    for w in range(rows.shape[0]):
        here = rows[w] & (first[w] ^ first_flip) & (second[w] ^ second_flip)
        here &= (third[w] ^ third_flip) & (fourth[w] ^ fourth_flip)
        arrived += popcount(here)
        inside += popcount(here & plane[w])
    return arrived, inside


@small_kernel
def count_sides(rows, test, flip, below, left_plane, right_plane):
    """Count both leaves of a test `below` one side of another, in one sweep and with nothing stored.

    Return the rows on its left and how many of them lie in `left_plane`; the same on its right.
    """
    left_arrived = 0
    left_inside = 0
    right_arrived = 0
    right_inside = 0
    for w in range(rows.shape[0]):
        here = rows[w] & (test[w] ^ flip)
        left = here & below[w]
        right = here & ~below[w]
        left_arrived += popcount(left)
        left_inside += popcount(left & left_plane[w])
        right_arrived += popcount(right)
        right_inside += popcount(right & right_plane[w])
    return left_arrived, left_inside, right_arrived, right_inside


@small_kernel
def count_both(rows, test, plane):
    """Return how many rows pass a test and lie in a plane."""
    total = 0
    for w in range(rows.shape[0]):
        total += popcount(rows[w] & test[w] & plane[w])
    return total


@small_kernel
def unite_both(marked, rows, plane):
    """Add to a set the rows that lie in a plane."""
    for w in range(marked.shape[0]):
        marked[w] |= rows[w] & plane[w]
