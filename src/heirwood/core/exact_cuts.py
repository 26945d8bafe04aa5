"""Exact cuts: a node's cut may move to any midpoint of its column, not just to those that the bank asks.

    rank of a row     the number of its value among the distinct values of the column, -1 if missing
    cut of rank r     the rows of ranks 0 ... r pass, and those without a value if it says so

A gap is a run of cuts that divide the rows at a node alike. What passing gains is added up by rank, and only the ranks
that occur at the node are looked at: one pass over its rows, one over a bit for every value of the column.
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle
from heirwood.core._jit import inner_kernel, kernel, part_kernel
from heirwood.core.binned_columns import lowest

NO_CUT = np.int64(-1)
UNRANKED = -3  # the node that is returned where the column must be ranked first: no tree has it
NOTHING = np.int64(0)
GAIN, ROWS = range(2)  # of the sums of a value


@bundle
class Exact(NamedTuple):
    """All cuts of the columns that have more of them than the bank; `column`, `rank` and `passes` by test."""

    ranks: np.ndarray  # (n_columns, n_rows) int32, of columns that are ranked
    n_values: np.ndarray  # (n_columns,) int64: distinct values of a column; zero until it is ranked
    wanted: np.ndarray  # (n_columns,) bool: whether some child of this generation wants it to be
    starts: np.ndarray  # (n_columns + 1,) int64: the cuts of each column among those of `known`
    known: (
        np.ndarray
    )  # (2, n_cuts) int32: one more than the test that asks a cut; missing values fail, pass; 0 for none
    column: np.ndarray  # (n_tests,) int32: the column that a test cuts; -1 if it is none of these
    rank: np.ndarray  # (n_tests,) int32: of its cut
    passes: np.ndarray  # (n_tests,) bool: whether a missing value passes


@bundle
class Values(NamedTuple):
    """Sums for every value of a column, all zero between calls; and the child's place. Memory of one thread."""

    sums: np.ndarray  # (n_values, 2) int64: what it gains to let the value pass, and its rows; side by side in memory
    seen: np.ndarray  # (n_words,) uint64: a bit for each value
    lent: np.ndarray  # (1,) int64: the place that the child at hand may write a test to, -1 for none


@inner_kernel
def add_up(ranks, listed, n, left, right, weights, values):
    """Add up what it gains to let each value pass, over the first `n` rows listed; return how many have no value.

    Parameters
    ----------
    ranks : (n_rows,) int32
    listed : (n_rows,) uint32
    n : int
    left, right : (n_words,) uint64
        The rows that are right on either side.
    weights : (n_rows,) int64
    values : Values, updated in place
    """
    missing = NOTHING
    for i in range(n):
        row = listed[i]
        rank = ranks[row]
        if rank < 0:
            missing += 1
            continue
        w, bit = row >> 6, np.uint64(row & 63)
        gain = np.int64((left[w] >> bit) & np.uint64(1)) - np.int64((right[w] >> bit) & np.uint64(1))
        values.sums[rank, GAIN] += gain * weights[row]
        values.sums[rank, ROWS] += 1
        values.seen[rank >> 6] |= np.uint64(1) << np.uint64(rank & 63)
    return missing


@inner_kernel
def best_gap(n_values, own, passed, n, fewest, values):
    """Return the first and last cut of the gap that gains most, the first of equals; NO_CUT if `own` is as good.

    A cut that leaves a side with fewer than `fewest` of the `n` rows is passed over. The sums are zero afterwards.

    Parameters
    ----------
    n_values : int
        Values of the column; its cuts are one fewer.
    own : int
        The rank of the cut as it is.
    passed : int
        Rows that pass every cut.
    n, fewest : int
    values : Values, updated in place
    """
    low, gain, own_gain = NOTHING, NOTHING, NOTHING
    first, last, most = NO_CUT, NO_CUT, NOTHING
    for w in range((n_values + 63) >> 6):
        word = values.seen[w]
        values.seen[w] = np.uint64(0)
        while word != 0:
            rank = 64 * w + lowest(word)
            word &= word - np.uint64(1)
            if low < rank and passed >= fewest and n - passed >= fewest and (first == NO_CUT or gain > most):
                first, last, most = low, rank - 1, gain
            gain += values.sums[rank, GAIN]
            passed += values.sums[rank, ROWS]
            values.sums[rank, GAIN] = 0
            values.sums[rank, ROWS] = 0
            low = rank
            if own >= rank:
                own_gain = gain
    if low < n_values - 1 and passed >= fewest and n - passed >= fewest and (first == NO_CUT or gain > most):
        first, last, most = low, n_values - 2, gain
    return (first, last) if most > own_gain else (NO_CUT, NO_CUT)


@part_kernel
def nearest_known(known, first, last):
    """Return the test that asks a cut of a gap, the one nearest to its middle (the lower one of two); or NO_CUT."""
    middle = (first + last) // 2
    for step in range(last - middle + 1):
        if middle - step >= first and known[middle - step] > 0:
            return np.int64(known[middle - step]) - 1
        if known[middle + step] > 0:
            return np.int64(known[middle + step]) - 1
    return NO_CUT


@inner_kernel
def write_cut(ranks, rank, passes, answers):
    """Write the bit row of a cut.

    Parameters
    ----------
    ranks : (n_rows,) int32
    rank : int
    passes : bool
        Whether a missing value passes.
    answers : (n_words,) uint64, updated in place
    """
    lowest_rank = -1 if passes else 0
    for w in range(answers.shape[0]):
        word = np.uint64(0)
        for row in range(64 * w, min(64 * w + 64, ranks.shape[0])):
            if lowest_rank <= ranks[row] <= rank:
                word |= np.uint64(1) << np.uint64(row & 63)
        answers[w] = word


@kernel
def read_places(arena, trees, n_fixed, numbers, asked):
    """Note which places the trees ask, and give their genes the numbers that the places' tests have now.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE, updated in place
    trees : (n,) int64
        Handles.
    n_fixed : int
        Tests from this number on are places.
    numbers : (n_places,) int32
    asked : (n_places,) bool, updated in place
    """
    for i in range(trees.shape[0]):
        tree = arena[trees[i]]
        for node in range(tree[0]["span"]):
            place = tree[node]["gene"] - n_fixed
            if place >= 0:
                asked[place] = True
                tree[node]["gene"] = numbers[place]
