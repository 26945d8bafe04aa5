"""Pairs: the best tree of two levels for some rows, over every test of the bank there is.

For each test on top, the best test of either side must be found. What decides is how many more rows of one class than
of another pass both tests. These counts are kept for every test below at once, and change only by the rows that the
next test on top sends to the other side: a column's cuts are gone through from the lowest to the highest.

Nor must every test on top be looked at. Between two that send all but d rows the same way, what the best tree gets
right differs by d at most; so cuts are passed over until enough rows have moved to make a difference, as ConTree does
(Brita, van der Linden and Demirovic, 2025).

A question that a missing value fails and its twin that it passes are tests of two lanes:

    lane        bins                                          a row passes test b
    numeric     a value's place among the cuts                if its bin is b or lower
    its twin    the same plus one; missing values are bin 0   likewise
    nominal     a level                                       if its bin is b
    its twin    a level; one more that nobody has             if its bin is b, or if its value is missing

What a stump gets right is the best of what it would with a leaf of one class and one of another, for all pairs of
classes; with passed(c) of n(c) rows of class c passing its test, and a leaf of c on the left and of k on the right,

    passed(c) + n(k) - passed(k)     so of all tests the one with the most passed(c) - passed(k) is best
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._jit import kernel, part_kernel
from heirwood.core.columns import lowest
from heirwood.core.sight import NO_TEST

NOBODY, ABSENT = np.int64(-1), np.int64(-2)  # bins of rows that pass no test of a lane, or every one
LEAF, STUMP, BELOW, PAIR, TOP = range(5)  # what is found
BLOCK = 16  # lanes that are summed at once
N_SUMS = 6
STAY, PASSED, LEFT_HIGH, LEFT_LOW, RIGHT_HIGH, RIGHT_LOW = range(0, N_SUMS * BLOCK, BLOCK)


class Lanes(NamedTuple):
    """The lanes of a table, and the classes of its rows."""

    bins: np.ndarray  # (n_lanes, n_rows) int32, or NOBODY, ABSENT
    tests: np.ndarray  # (n_lanes, n_bins + 1) int32: the test of each bin; after a nominal twin's, what is missing
    n_bins: np.ndarray  # (n_lanes,) int32
    stay: np.ndarray  # (n_lanes,) int32: -1 where a row passes all later tests too, 0 where only its own
    duels: np.ndarray  # (n_duels, 2) int32: every two classes, the lower one first
    codes: np.ndarray  # (n_rows,) int32: the class of every row
    weights: np.ndarray  # (n_rows,) int64


class Counts(NamedTuple):
    """Working memory: what passes two tests.

    A cell is a bin, a duel of two classes and a lane, and says how many more rows are of the first than of the second.
    The cells of BLOCK lanes lie together, so that one instruction does many.
    """

    listed: np.ndarray  # (2, n_rows) int32
    bins: np.ndarray  # (n_rows, n_lanes) int32: of those in use, or NOBODY, ABSENT
    cells: np.ndarray  # (n_rows, n_lanes) int32: where each row is counted, for the first duel
    order: np.ndarray  # (n_rows,) int32: rows by their bin in one lane
    ends: np.ndarray  # (n_bins + 4,) int32: where each bin ends there
    asked: np.ndarray  # (n_lanes, n_bins + 1) int32: the test of each bin in use
    used: np.ndarray  # (n_lanes,) int32: how many are
    blocks: np.ndarray  # (n_blocks, 2) int64: where the cells of a block start, and its most bins
    whole: np.ndarray  # (n_cells,) int32: of all rows that pass a test,
    left: np.ndarray  # (n_cells,) int32: and of those in each bin that pass the test on top
    sums: np.ndarray  # (N_SUMS * BLOCK,) int32
    weights: np.ndarray  # (2, n_classes) int64: of all rows, and of those that pass the test on top


@part_kernel
def list_bins(lanes, n, counts):
    """Count off the bins that are in use in each lane, and say for each row which are its own."""
    numbers = counts.ends
    for lane in range(lanes.bins.shape[0]):
        k = np.int64(lanes.n_bins[lane])
        for b in range(k):
            numbers[b] = 0
        for i in range(n):
            b = lanes.bins[lane, counts.listed[0, i]]
            if b >= 0:
                numbers[b] = 1
        used = np.int64(0)
        for b in range(k):
            if numbers[b] > 0:
                numbers[b] = used
                counts.asked[lane, used] = lanes.tests[lane, b]
                used += 1
        for i in range(n):
            b = lanes.bins[lane, counts.listed[0, i]]
            counts.bins[i, lane] = numbers[b] if b >= 0 else b
        if lanes.tests[lane, k] >= 0:
            counts.asked[lane, used] = lanes.tests[lane, k]
            used += 1
        counts.used[lane] = used


@part_kernel
def place_rows(n, n_duels, counts):
    """Find where each row is counted; return the number of cells.

    Rows that pass every test of a lane, or none, have cells of their own, after all bins.
    """
    n_lanes = counts.bins.shape[1]
    n_cells = np.int64(0)
    for block in range(counts.blocks.shape[0]):
        first, last = block * BLOCK, min((block + 1) * BLOCK, n_lanes)
        most = np.int64(0)
        for lane in range(first, last):
            most = max(most, np.int64(counts.used[lane]))
        counts.blocks[block, 0] = n_cells
        counts.blocks[block, 1] = most
        for i in range(n):
            for lane in range(first, last):
                b = np.int64(counts.bins[i, lane])
                if b < 0:
                    b = most if b == ABSENT else most + 1
                counts.cells[i, lane] = n_cells + b * n_duels * BLOCK + lane - first
        n_cells += (most + 2) * n_duels * BLOCK
    return n_cells


@part_kernel
def begin_sums(block, stay, sums):
    """Start the sums of a block of lanes at nothing."""
    for k in range(N_SUMS * BLOCK):
        sums[k] = 0
    for j in range(min(BLOCK, stay.shape[0] - block * BLOCK)):
        sums[STAY + j] = stay[block * BLOCK + j]


@part_kernel
def sum_up(n_duels, stay, counts):
    """Turn the rows of each bin into those that pass its test, of all rows."""
    sums = counts.sums
    for block in range(counts.blocks.shape[0]):
        start, n_bins = counts.blocks[block]
        for duel in range(n_duels):
            begin_sums(block, stay, sums)
            absent = start + (n_bins * n_duels + duel) * BLOCK
            for b in range(n_bins):
                at = start + (b * n_duels + duel) * BLOCK
                for j in range(BLOCK):
                    here = (sums[STAY + j] & sums[PASSED + j]) + counts.whole[at + j] + counts.whole[absent + j]
                    sums[PASSED + j] = here
                    counts.whole[at + j] = here


@part_kernel
def sum_sides(start, n_bins, n_duels, duel, counts):
    """Find, for every lane of a block, the most and the least that a test leaves to either side of the test on top.

    Numbers are told to stay narrow at every step: Numba would widen them, and an instruction would do half as many.
    """
    sums = counts.sums
    absent = counts.left[start + (n_bins * n_duels + duel) * BLOCK :]
    for b in range(n_bins):
        at = start + (b * n_duels + duel) * BLOCK
        left, whole = counts.left[at:], counts.whole[at:]
        for j in range(BLOCK):
            stayed = np.int32(sums[STAY + j] & sums[PASSED + j])
            here = np.int32(stayed + left[j] + absent[j])
            there = np.int32(whole[j] - here)
            sums[PASSED + j] = here
            sums[LEFT_HIGH + j] = max(sums[LEFT_HIGH + j], here)
            sums[LEFT_LOW + j] = min(sums[LEFT_LOW + j], here)
            sums[RIGHT_HIGH + j] = max(sums[RIGHT_HIGH + j], there)
            sums[RIGHT_LOW + j] = min(sums[RIGHT_LOW + j], there)


@part_kernel
def best_stumps(lanes, counts):
    """Return the hits of the best stump, or of a leaf, on the left and on the right of the test on top."""
    sums, weights = counts.sums, counts.weights
    n_duels = lanes.duels.shape[0]
    most_left = np.int64(0)
    most_right = np.int64(0)
    for block in range(counts.blocks.shape[0]):
        start, n_bins = counts.blocks[block]
        for duel in range(n_duels):
            begin_sums(block, lanes.stay, sums)
            sum_sides(start, n_bins, n_duels, duel, counts)
            one, other = lanes.duels[duel]
            for j in range(BLOCK):
                most_left = max(
                    most_left, weights[1, other] + sums[LEFT_HIGH + j], weights[1, one] - sums[LEFT_LOW + j]
                )
                most_right = max(
                    most_right,
                    weights[0, other] - weights[1, other] + sums[RIGHT_HIGH + j],
                    weights[0, one] - weights[1, one] - sums[RIGHT_LOW + j],
                )
    return most_left, most_right


@part_kernel
def worth_of_sides(price, lanes, counts):
    """Return what the best tree below the test on top gets right, less the price of its leaves but one."""
    most_left, most_right = best_stumps(lanes, counts)
    leaf_left = np.int64(0)
    leaf_right = np.int64(0)
    for c in range(counts.weights.shape[1]):
        leaf_left = max(leaf_left, counts.weights[1, c])
        leaf_right = max(leaf_right, counts.weights[0, c] - counts.weights[1, c])
    left = max(np.float64(leaf_left), np.float64(most_left) - price)
    right = max(np.float64(leaf_right), np.float64(most_right) - price)
    return left + right - price


@part_kernel
def sort_rows(n, lane, counts):
    """Order the rows by their bin in a lane, those that pass all its tests before, those that pass none after."""
    ends = counts.ends
    k = np.int64(counts.used[lane])
    for place in range(k + 3):
        ends[place] = 0
    for turn in range(2):
        for i in range(n):
            b = np.int64(counts.bins[i, lane])
            place = b + 1 if b >= 0 else (0 if b == ABSENT else k + 1)
            if turn == 0:
                ends[place + 1] += 1
            else:
                counts.order[ends[place]] = i
                ends[place] += 1
        if turn == 0:
            for place in range(1, k + 3):
                ends[place] += ends[place - 1]


@part_kernel
def count_rows(start, end, sign, lanes, counts, weights, into):
    """Add some rows, in their order, to cells and classes, or take them away; return what they weigh."""
    total = np.int64(0)
    for at in range(start, end):
        i = counts.order[at]
        c = counts.listed[1, i]
        weight = np.int64(lanes.weights[counts.listed[0, i]])
        total += weight
        weights[c] += sign * weight
        for duel in range(lanes.duels.shape[0]):
            if lanes.duels[duel, 0] == c or lanes.duels[duel, 1] == c:
                change = np.int32(sign * weight if lanes.duels[duel, 0] == c else -sign * weight)
                cells = into[duel * BLOCK :]
                for lane in range(counts.cells.shape[1]):
                    cells[counts.cells[i, lane]] += change
    return total


@part_kernel
def list_rows(rows, codes, listed):
    """Write the numbers of some rows and their classes; return how many there are."""
    n = np.int64(0)
    for w in range(rows.shape[0]):
        word = rows[w]
        while word != 0:
            row = 64 * w + lowest(word)
            listed[0, n] = row
            listed[1, n] = codes[row]
            n += 1
            word &= word - np.uint64(1)
    return n


@part_kernel
def clear(n_cells, cells, weights):
    """Forget what was counted."""
    for cell in range(n_cells):
        cells[cell] = 0
    for c in range(weights.shape[0]):
        weights[c] = 0


@part_kernel
def find_stump(lanes, counts, found):
    """Write the hits of a leaf for all rows; those of the best two leaves; and their test, or NO_TEST if not better."""
    n_duels = lanes.duels.shape[0]
    whole, weights = counts.whole, counts.weights[0]
    best = np.int64(0)
    for c in range(weights.shape[0]):
        best = max(best, weights[c])
    found[LEAF] = best
    test = NO_TEST
    for lane in range(lanes.bins.shape[0]):
        start = counts.blocks[lane // BLOCK, 0] + lane % BLOCK
        for b in range(counts.used[lane]):
            for duel in range(n_duels):
                more = np.int64(whole[start + (b * n_duels + duel) * BLOCK])
                hits = max(weights[lanes.duels[duel, 1]] + more, weights[lanes.duels[duel, 0]] - more)
                if hits > best:
                    best = hits
                    test = np.int64(counts.asked[lane, b])
    found[STUMP] = best
    found[BELOW] = test


@kernel
def find_low(rows, levels, price, lanes, counts, found):
    """Find the best trees of up to two levels for some rows.

    Parameters
    ----------
    rows : (n_words,) uint64
    levels : {1, 2}
    price : float
        Of a leaf.
    lanes : Lanes
    counts : Counts
    found : (5,) float64, updated in place
        LEAF, STUMP: the hits of a leaf and of the best stump; BELOW: the stump's test, or NO_TEST where none is better
        than a leaf. With two levels, PAIR: what the best tree with a test on top gets right, less the price of its
        leaves but one; TOP: its test, or NO_TEST. Of equals the first, lane by lane and bin by bin.
    """
    n = list_rows(rows, lanes.codes, counts.listed)
    list_bins(lanes, n, counts)
    n_cells = place_rows(n, lanes.duels.shape[0], counts)
    best = -np.inf
    top = NO_TEST
    for lane in range(-1, lanes.bins.shape[0] if levels == 2 else 0):  # first of all, everyone
        into, weights = (counts.whole, counts.weights[0]) if lane < 0 else (counts.left, counts.weights[1])
        clear(n_cells, into, weights)
        sort_rows(n, max(lane, 0), counts)
        always = n if lane < 0 else np.int64(counts.ends[0])  # these pass every test of the lane
        start, end = np.int64(0), always
        known = np.inf
        moved = np.int64(0)
        n_left = np.int64(0)
        sign = np.int64(1)
        b = np.int64(-1)
        while True:  # one call, compiled once
            moved += count_rows(start, end, sign, lanes, counts, weights, into)
            n_left += sign * (end - start)
            if lane < 0:
                break
            if b >= 0 and sign > 0:
                if 0 < n_left < n and known + np.float64(moved) > best:
                    worth = worth_of_sides(price, lanes, counts)
                    if lanes.stay[lane] != 0:
                        known = worth
                        moved = np.int64(0)
                    if worth > best:
                        best = worth
                        top = np.int64(counts.asked[lane, b])
                if lanes.stay[lane] == 0 and always == 0 and (end - start) * lanes.bins.shape[0] > n_cells:
                    clear(n_cells, into, weights)
                    n_left = np.int64(0)
                elif lanes.stay[lane] == 0:  # what passes this test passes no other
                    sign = np.int64(-1)
                    continue
            b += 1
            sign = np.int64(1)
            if b == counts.used[lane]:
                break
            start, end = np.int64(counts.ends[b]), np.int64(counts.ends[b + 1])
        if lane < 0:
            sum_up(lanes.duels.shape[0], lanes.stay, counts)
            find_stump(lanes, counts, found)
    found[PAIR] = best
    found[TOP] = top
