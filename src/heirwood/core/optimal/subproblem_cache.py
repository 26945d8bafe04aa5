"""The memo: what is known of sets of rows, found by a hash of 128 bits. That two sets share one has no real chance."""

import numpy as np

from heirwood.core._jit import inner_kernel, kernel, small_kernel
from heirwood.core.draws import GOLDEN, mix, wrapping
from heirwood.core.optimal.search_frame import USED


@small_kernel
@wrapping
def hash_of_rows(rows, levels):
    """Return the two halves of the print of some rows, and of the levels that may be below; the first is never zero."""
    first = np.uint64(levels) + np.uint64(1)
    second = GOLDEN
    for w in range(rows.shape[0]):
        first = (first ^ rows[w]) * np.uint64(0xFF51AFD7ED558CCD)
        first ^= first >> np.uint64(32)
        second = (second + rows[w]) * np.uint64(0xC4CEB9FE1A85EC53)
        second ^= second >> np.uint64(29)
    return mix(first) | np.uint64(1), mix(second)


@small_kernel
def find_place(first, second, memo):
    """Return the place of a print in the memo, or the free one that it would take."""
    mask = np.uint64(memo.shape[0] - 1)
    place = (first >> np.uint64(1)) & mask
    while memo[place]["hash"] != 0 and (memo[place]["hash"] != first or memo[place]["second"] != second):
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@inner_kernel
def find_entry(rows, levels, memo):
    """Return the place of some rows in the memo, or the free one that they would take; and their print."""
    first, second = hash_of_rows(rows, levels)
    return find_place(first, second, memo), first, second


@kernel
def move_entries(memo, larger):
    """Copy all that is known to a larger memo."""
    for i in range(memo.shape[0]):
        if memo[i]["hash"] != 0:
            larger[find_place(memo[i]["hash"], memo[i]["second"], larger)] = memo[i]


@small_kernel
def remember(rows, levels, most, hits, leaves, test, memo, where):
    """Write what is known of some rows."""
    place, first, second = find_entry(rows, levels, memo)
    if memo[place]["hash"] == 0:
        where[USED] += 1
    memo[place]["hash"] = first
    memo[place]["second"] = second
    memo[place]["most"] = most
    memo[place]["hits"] = hits
    memo[place]["leaves"] = leaves
    memo[place]["test"] = test
