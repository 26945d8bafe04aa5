"""One look at all tests for some rows: the best stump, the best tree of two levels, and how good each test can be.

What a set of rows may be worth: as a leaf; or, with two leaves or more, if all that agree were right.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.bits import popcount
from heirwood.core.optimum.frame import HIT, LEAF, NOTHING, worth
from heirwood.core.optimum.memo import remember
from heirwood.core.sweeps import count, narrow


@inner_kernel
def weigh_rows(rows, planes, agreeing, fewest, price, levels, weights):
    """Count some rows by class; return how many they are, the hits of a leaf, those that agree, and the useful levels.

    A tree of k leaves is worth what agrees less k prices at most; where that is no more than a leaf is worth, neither
    k leaves pay nor the levels that they alone could fill.
    """
    n_rows = np.int64(0)
    hits = np.int64(0)
    for c in range(planes.shape[0]):
        weights[c] = count(rows, planes[c])
        n_rows += weights[c]
        hits = max(hits, weights[c])
    agree = np.int64(count(rows, agreeing))
    useful = np.int64(levels)
    if n_rows < 2 * fewest or agree <= hits:
        useful = np.int64(0)
    elif price > 0:
        useful = min(useful, -((HIT * (hits - agree)) // price) - 1)
    return n_rows, hits, agree, max(useful, np.int64(0))


@inner_kernel
def scan(rows, n_rows, agree, two_levels, search, frame, bounds, stumps):
    """Count every test for the rows at a node; keep the best stump, and write what each test may be worth there."""
    left, whole, inside, price = search.left, search.whole[0], search.inside, search.price
    n_classes = whole.shape[0]
    for w in range(rows.shape[0]):
        for c in range(n_classes):
            inside[c, w] = rows[w] & search.planes[c, w]
        inside[n_classes, w] = rows[w] & search.agreeing[w]
    for test in range(search.bits.shape[0]):
        passed = np.int64(0)
        hits_left = np.int64(0)
        hits_right = np.int64(0)
        for c in range(n_classes):
            found = np.int64(count(inside[c], search.bits[test]))
            left[test, c] = found
            passed += found
            hits_left = max(hits_left, found)
            hits_right = max(hits_right, whole[c] - found)
        bounds[test] = NOTHING
        stumps[test] = hits_left + hits_right
        if passed < search.fewest or n_rows - passed < search.fewest:
            left[test, 0] = -1
            continue
        here = worth(stumps[test], 2, price)
        if here > worth(frame["hits"], frame["leaves"], price):
            frame["hits"] = stumps[test]
            frame["leaves"] = 2
            frame["test"] = test
        if two_levels:
            agree_left = passed if agree == n_rows else np.int64(count(inside[n_classes], search.bits[test]))
            most_left = max(worth(hits_left, 1, price), worth(agree_left, 2, price))
            most_right = max(worth(hits_right, 1, price), worth(agree - agree_left, 2, price))
            if most_left + most_right > here:
                bounds[test] = most_left + most_right


@inner_kernel
def find_stumps(rows, n_rows, search):
    """Find the best stump on both sides of every test, by counting the rows that pass two tests, for all pairs."""
    left, sides, inside, whole, fewest = search.left, search.sides, search.inside, search.whole[0], search.fewest
    n_tests, n_classes = left.shape
    for test in range(n_tests):
        sides[test, 0] = -1
        sides[test, 2] = -1
    for i in range(n_tests):
        if left[i, 0] < 0:
            continue
        for w in range(rows.shape[0]):
            for c in range(n_classes):
                inside[c, w] = rows[w] & search.planes[c, w] & search.bits[i, w]
        for j in range(i + 1, n_tests):
            if left[j, 0] < 0:
                continue
            n_both = n_i = n_j = np.int64(0)
            both = only_i = only_j = neither = np.int64(0)  # hits of a leaf there
            for c in range(n_classes):
                found = np.int64(count(inside[c], search.bits[j]))
                n_both += found
                n_i += left[i, c]
                n_j += left[j, c]
                both = max(both, found)
                only_i = max(only_i, left[i, c] - found)
                only_j = max(only_j, left[j, c] - found)
                neither = max(neither, whole[c] - left[i, c] - left[j, c] + found)
            enough_both, enough_i = n_both >= fewest, n_i - n_both >= fewest
            enough_j, enough_neither = n_j - n_both >= fewest, n_rows - n_i - n_j + n_both >= fewest
            if enough_both and enough_i:
                keep_stump(sides[i], 0, both + only_i, j)
            if enough_j and enough_neither:
                keep_stump(sides[i], 2, only_j + neither, j)
            if enough_both and enough_j:
                keep_stump(sides[j], 0, both + only_j, i)
            if enough_i and enough_neither:
                keep_stump(sides[j], 2, only_i + neither, i)


@small_kernel
def keep_stump(side, place, hits, test):
    """Keep the better one of two stumps; ties go to the first."""
    if hits > side[place]:
        side[place] = hits
        side[place + 1] = test


@small_kernel
def leaf_or_stump(leaf, stump, price):
    """Return the hits and the leaves of the better one; ties go to the leaf."""
    if HIT * (stump - leaf) > price:
        return stump, 2
    return leaf, 1


@part_kernel
def look_two_levels(rows, n_rows, search, frame, below):
    """Keep the best tree of up to two levels for some rows, and remember its sides.

    Parameters
    ----------
    below : (n_words,) uint64, scratch
    """
    left, sides, whole, price = search.left, search.sides, search.whole[0], search.price
    find_stumps(rows, n_rows, search)
    for test in range(left.shape[0]):
        if left[test, 0] < 0:
            continue
        leaf_left = np.int64(0)
        leaf_right = np.int64(0)
        for c in range(whole.shape[0]):
            leaf_left = max(leaf_left, left[test, c])
            leaf_right = max(leaf_right, whole[c] - left[test, c])
        hits_left, leaves_left = leaf_or_stump(leaf_left, sides[test, 0], price)
        hits_right, leaves_right = leaf_or_stump(leaf_right, sides[test, 2], price)
        hits, leaves = hits_left + hits_right, leaves_left + leaves_right
        if worth(hits, leaves, price) > worth(frame["hits"], frame["leaves"], price):
            frame["hits"] = hits
            frame["leaves"] = leaves
            frame["test"] = test
    if frame["leaves"] > 2:
        remember_sides(rows, frame["test"], search, below)


@small_kernel
def remember_sides(rows, test, search, below):
    """Remember the best stumps on both sides of a test."""
    for side in range(2):
        narrow(rows, search.bits[test], np.uint64(0) if side == 0 else ~np.uint64(0), below)
        _, leaf, _, useful = weigh_rows(
            below, search.planes, search.agreeing, search.fewest, search.price, 1, search.whole[1]
        )
        if useful > 0:
            stump, at = search.sides[test, 2 * side], search.sides[test, 2 * side + 1]
            hits, leaves = leaf_or_stump(leaf, stump, search.price)
            known = at if leaves == 2 else np.int64(LEAF)
            remember(below, useful, worth(hits, leaves, search.price), hits, leaves, known, search.memo, search.where)


@inner_kernel
def lower_bounds(rows, n_rows, test, most, least, search, bounds):
    """Lower what other tests may be worth, given what one is worth at most.

    Two tests that send m rows to different sides are worth the same but for m hits: the tree below one of them is a
    tree for the other. (A side may then have too few rows, so not where more than one is asked of a leaf.)
    """
    for other in range(search.bits.shape[0]):
        if bounds[other] <= least:
            continue
        moved = np.int64(0)
        for w in range(rows.shape[0]):
            moved += popcount(rows[w] & (search.bits[test, w] ^ search.bits[other, w]))
        bounds[other] = min(bounds[other], most + HIT * min(moved, n_rows - moved))
