"""The search for the best tree of up to two levels: test by test on top, while rows go from side to side."""

import numpy as np

from heirwood.core._jit import kernel, part_kernel
from heirwood.core.arena import ONE
from heirwood.core.columns import list_rows
from heirwood.core.low.lanes import BLOCK, list_bins, place_rows, sort_rows
from heirwood.core.low.sums import sum_up, worth_of_sides
from heirwood.core.sight import NO_TEST

LEAF, STUMP, BELOW, PAIR, TOP = range(5)  # what is found


@part_kernel
def clear(n_cells, cells, weights):
    """Forget what was counted."""
    for cell in range(n_cells):
        cells[cell] = 0
    for c in range(weights.shape[0]):
        weights[c] = 0


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
def find_low(rows, levels, price, least, lanes, counts, found):
    """Find the best trees of up to two levels for some rows.

    Parameters
    ----------
    rows : (n_words,) uint64
    levels : {1, 2}
    price : float
        Of a leaf.
    least : float
        What a tree of two levels must be worth more than.
    lanes : Lanes
    counts : Counts
    found : (5,) float64, updated in place
        LEAF, STUMP: the hits of a leaf and of the best stump; BELOW: the stump's test, or NO_TEST where none is better
        than a leaf. With two levels, PAIR: what the best tree with a test on top gets right, less the price of its
        leaves but one; TOP: its test, or NO_TEST where that is no more than the least, or than a leaf or a stump is
        worth. Of equals the first, lane by lane and bin by bin.
    """
    n = list_rows(rows, lanes.codes, ONE, counts.listed)
    list_bins(lanes, n, counts)
    n_cells = place_rows(n, lanes.duels.shape[0], counts)
    best = least
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
            best = max(best, found[LEAF], found[STUMP] - price)
    found[PAIR] = best
    found[TOP] = top
