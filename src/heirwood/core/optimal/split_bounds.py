"""Upper bounds for every split of some rows, and the best stump, in one pass over all tests.

What a set of rows may be worth: as a leaf; or, with two leaves or more, if all that agree were right. Where a test has
a leaf on one side and a stump on the other, the stump is no better than the best one for all rows.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.bitsets import popcount
from heirwood.core.optimal.compact_rows import count_all, count_compact
from heirwood.core.optimal.search_frame import HIT, NOTHING, worth


@part_kernel
def useful_levels(n_rows, hits, agree, levels, search):
    """Return the levels that can pay.

    A tree of k leaves is worth what agrees less k prices at most; where that is no more than a leaf is worth, neither
    k leaves pay nor the levels that they alone could fill.
    """
    if n_rows < 2 * search.fewest or agree <= hits:
        return np.int64(0)
    if search.price == 0:
        return np.int64(levels)
    return max(min(np.int64(levels), -((HIT * (hits - agree)) // search.price) - 1), np.int64(0))


@inner_kernel
def weigh_rows(near, packed, levels, search, weights):
    """Count some rows by class; return how many there are, the hits of a leaf, those that agree, and useful levels.

    The questions to all rows are packed as the table has them: where no gaps are closed, a bit row is near.
    """
    first, n_classes = search.passed.shape[0], search.planes.shape[0]
    n_rows = np.int64(0)
    hits = np.int64(0)
    for c in range(n_classes):
        weights[c] = count_compact(near, packed, first + c)
        n_rows += weights[c]
        hits = max(hits, weights[c])
    agree = count_compact(near, packed, first + n_classes)
    return n_rows, hits, agree, useful_levels(n_rows, hits, agree, levels, search)


@small_kernel
def divides(passed, n_rows, fewest):
    """Say whether a test leaves both sides with enough rows."""
    return passed >= fewest and n_rows - passed >= fewest


@inner_kernel
def scan(near, packed, n_rows, agree, two_levels, search, frame, bounds, stumps, rights):
    """Count every test for the rows at a node; keep the best stump, and write what each test may be worth there."""
    left, passed, whole, price = search.left, search.passed, search.whole[0], search.price
    n_tests, first, n_classes = search.bits.shape[0], passed.shape[0], whole.shape[0]
    hits_left, hits_right = search.most[0], search.most[1]
    for test in range(first):
        passed[test] = 0
        hits_left[test] = 0
        hits_right[test] = 0
    for c in range(n_classes):
        found = left[c]
        count_all(near, packed, first + c, first + c, found)
        for test in range(first):
            passed[test] += found[test]
            hits_left[test] = max(hits_left[test], found[test])
            hits_right[test] = max(hits_right[test], whole[c] - found[test])
    agree_left = left[n_classes] if agree < n_rows else passed
    if two_levels and agree < n_rows:
        count_all(near, packed, first + n_classes, first + n_classes, agree_left)
    best = np.int64(0)
    for test in range(n_tests):
        bounds[test] = NOTHING
        stumps[test] = hits_left[test] + hits_right[test]
        if divides(passed[test], n_rows, search.fewest):
            best = max(best, stumps[test])
            if worth(stumps[test], 2, price) > worth(frame["hits"], frame["leaves"], price):
                frame["hits"] = stumps[test]
                frame["leaves"] = 2
                frame["test"] = test
    if not two_levels:
        return
    for test in range(n_tests):
        if divides(passed[test], n_rows, search.fewest):
            agree_right = agree - agree_left[test]
            rights[test] = max(worth(hits_right[test], 1, price), worth(agree_right, 2, price))
            three = max(hits_left[test] + min(agree_right, best), min(agree_left[test], best) + hits_right[test])
            most = max(worth(three, 3, price), worth(agree, 4, price))
            if most > worth(stumps[test], 2, price):
                bounds[test] = most


@inner_kernel
def lower_bounds(near, packed, n_rows, test, most, least, search, bounds):
    """Lower what other tests may be worth, given what one is worth at most.

    Two tests that send m rows to different sides are worth the same but for m hits: the tree below one of them is a
    tree for the other. (A side may then have too few rows, so not where more than one is asked of a leaf.)
    """
    moved = search.most[0]
    for other in range(moved.shape[0]):
        moved[other] = 0
    for w in range(packed.shape[0]):
        rows, words, passing = near[w], packed[w], packed[w, test]
        for other in range(moved.shape[0]):
            moved[other] += popcount(rows & (passing ^ words[other]))
    for other in range(bounds.shape[0]):
        if bounds[other] > least:
            bounds[other] = min(bounds[other], most + HIT * min(moved[other], n_rows - moved[other]))
