"""The search for the best tree of up to two levels: test by test on top, while rows go from side to side."""

import numpy as np

from heirwood.core._jit import inner_kernel, kernel, part_kernel
from heirwood.core.arena import ONE
from heirwood.core.binned_columns import list_rows
from heirwood.core.depth2.column_bins import FIRST, list_bins, place_lanes, rank_classes, sort_rows
from heirwood.core.depth2.split_sums import sum_up, worth_of_sides
from heirwood.core.node_context import NO_TEST

LEAF, STUMP, BELOW, PAIR, TOP = range(5)  # what is found
SLACK = 1e-6  # hits: a bound is a sum in another order than what it bounds


@part_kernel
def clear(n_cells, cells, weights):
    """Forget what was counted."""
    for cell in range(n_cells):
        cells[cell] = 0
    for c in range(weights.shape[0]):
        weights[c] = 0


@inner_kernel
def count_rows(start, end, sign, n_cells, counts, weights, into):
    """Add some rows, in their order, to cells and classes, or take them away; return what they weigh."""
    n_lanes = counts.used.shape[0]
    total = np.int64(0)
    for at in range(start, end):
        i = np.uint64(counts.order[at])
        c = counts.bins[i, n_lanes]
        weight = np.int64(counts.heft[i])
        total += weight
        weights[c] += sign * weight
        change = np.int32(sign * weight * counts.places[c, 1])
        first = np.uint64(counts.places[c, 0] * n_cells)
        for lane in range(n_lanes):
            into[first + counts.starts[lane] + counts.bins[i, lane]] += change
    return total


@part_kernel
def find_stump(n_ranked, n_cells, counts, found):
    """Write the hits of a leaf for all rows; those of the best two leaves; and their test, or NO_TEST if not better."""
    whole, weights = counts.whole, counts.weights[0]
    best = np.int64(0) if n_ranked == 0 else weights[counts.heaviest[0]]
    found[LEAF] = best
    where, test = np.int64(0), NO_TEST  # of equals the first
    for rank in range(1, n_ranked):
        for k in range(rank):
            one, other = counts.heaviest[k], counts.heaviest[rank]
            if weights[one] + weights[other] < best:
                continue
            for lane in range(counts.used.shape[0]):
                start = np.int64(counts.starts[lane]) + FIRST
                for b in range(counts.used[lane]):
                    more = np.int64(whole[k * n_cells + start + b])
                    if n_ranked > 2:
                        more -= whole[rank * n_cells + start + b]
                    hits = max(weights[other] + more, weights[one] - more)
                    place = lane * counts.asked.shape[1] + b
                    if hits > best or (hits == best and test != NO_TEST and place < where):
                        best, where, test = hits, place, np.int64(counts.asked[lane, b])
    found[STUMP] = best
    found[BELOW] = test


@part_kernel
def try_lane(lane, n, price, alone, best, top, n_ranked, n_kinds, n_cells, lanes, counts):
    """Try the tests of a lane on top; return what the best pair so far is worth, and its test on top.

    Parameters
    ----------
    lane, n : int
        Which one, and how many rows there are.
    price, alone : float
        Of a leaf; and what all rows are worth with no more than a stump.
    best, top : float, int
        What was found so far.
    n_ranked, n_kinds, n_cells : int
        Classes that arrive; how many of them have cells of their own, and how many each.
    lanes, counts
    """
    stays = lanes.stay[lane] != 0
    weights = counts.weights[1]
    clear(n_kinds * n_cells, counts.left, weights)
    sort_rows(n, lane, counts)
    total = np.int64(0)
    for c in range(weights.shape[0]):
        total += counts.weights[0, c]
    always = np.int64(counts.ends[0])  # these pass every test of the lane
    start, end = np.int64(0), always
    known = alone - price  # what the last test that was looked at is worth,
    moved = np.int64(0)  # and what has moved since
    passed = n_left = np.int64(0)  # what the rows weigh that pass the test on top, and how many they are
    sign = np.int64(1)
    b = np.int64(-1)
    while True:
        weight = count_rows(start, end, sign, n_cells, counts, weights, counts.left)
        passed += sign * weight
        moved += sign * weight
        n_left += sign * (end - start)
        if b >= 0 and sign > 0:
            most = alone - price + np.float64(total - passed)  # the right side may be worth what it weighs
            if 0 < n_left < n and min(known + np.float64(moved), most) > best - SLACK:
                worth = worth_of_sides(price, n_ranked, n_kinds, n_cells, lanes, counts)
                if stays:
                    known = worth
                    moved = np.int64(0)
                if worth > best:
                    best = worth
                    top = np.int64(counts.asked[lane, b])
            if stays and most <= best - SLACK:  # and weighs less from test to test
                break
            if not stays and always == 0 and (end - start) * lanes.bins.shape[0] > n_kinds * n_cells:
                clear(n_kinds * n_cells, counts.left, weights)
                n_left = moved = passed = np.int64(0)
            elif not stays:  # what passes this test passes no other
                sign = np.int64(-1)
                continue
        b += 1
        sign = np.int64(1)
        if b == counts.used[lane]:
            break
        start, end = np.int64(counts.ends[b]), np.int64(counts.ends[b + 1])
    return best, top


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
    n_ranked = rank_classes(n, lanes, counts)
    n_kinds = np.int64(1) if n_ranked <= 2 else n_ranked
    list_bins(lanes, n, counts)
    n_cells = place_lanes(counts)
    clear(n_kinds * n_cells, counts.whole, counts.weights[0])
    for i in range(n):
        counts.order[i] = i
    count_rows(np.int64(0), n, np.int64(1), n_cells, counts, counts.weights[0], counts.whole)
    sum_up(n_kinds, n_cells, lanes.stay, counts.starts, counts.whole, counts.whole)
    find_stump(n_ranked, n_cells, counts, found)
    alone = max(found[LEAF], found[STUMP] - price)
    best, top = max(least, alone), NO_TEST
    for lane in range(lanes.bins.shape[0] if levels == 2 else 0):
        best, top = try_lane(lane, n, price, alone, best, top, n_ranked, n_kinds, n_cells, lanes, counts)
    found[PAIR] = best
    found[TOP] = top
