"""The best stumps on both sides of tests, by counting the rows that pass two tests, for pairs of tests.

With them the best tree of two levels is known; and above two levels a side is worth what a leaf is, or what its best
stump is; or it has three leaves, one made by its first test and a stump on the other side of it, which is no better
than the best stump there is; or it has four and more, and all that agree may be right.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.arena import ONE
from heirwood.core.bitset_ops import count_both, narrow
from heirwood.core.optimal.compact_rows import count_all
from heirwood.core.optimal.search_frame import HIT, LEAF, NOTHING, worth
from heirwood.core.optimal.split_bounds import divides, weigh_rows
from heirwood.core.optimal.subproblem_cache import remember


@part_kernel
def weigh_pairs(i, search):
    """Write the hits of the four leaves that a test makes with each one, and the rows that pass both."""
    left, found, whole, most = search.left, search.both, search.whole[0], search.most
    both, only_i, only_j, neither, n_both = most[0], most[1], most[2], most[3], most[4]
    for j in range(both.shape[0]):
        both[j] = 0
        only_i[j] = 0
        only_j[j] = 0
        neither[j] = 0
        n_both[j] = 0
    for c in range(whole.shape[0]):
        here, there = left[c, i], whole[c] - left[c, i]
        passes, pass_both = left[c], found[c]
        for j in range(both.shape[0]):
            n_both[j] += pass_both[j]
            both[j] = max(both[j], pass_both[j])
            only_i[j] = max(only_i[j], here - pass_both[j])
            only_j[j] = max(only_j[j], passes[j] - pass_both[j])
            neither[j] = max(neither[j], there - passes[j] + pass_both[j])


@small_kernel
def is_divided(n_left, n_both, fewest):
    """Say whether a test leaves both parts of one side with enough rows; without branching."""
    return (n_both >= fewest) & (n_left - n_both >= fewest)


@small_kernel
def hits_of_three(here, there, n_here, n_there, stump):
    """Return the hits of a leaf and a stump at most, whichever is on which side."""
    return max(here + min(n_there, stump), there + min(n_here, stump))


@part_kernel
def best_stumps(i, n_rows, search):
    """Find the best stump on both sides of a test, -1 where no other divides the side; and three leaves' hits at most.

    A test that leaves a side with too few rows does so below any other.
    """
    passed, fewest, most = search.passed, search.fewest, search.most
    both, only_i, only_j, neither, n_both = most[0], most[1], most[2], most[3], most[4]
    left = right = three_left = three_right = np.int64(-1)
    n_left, n_right = passed[i], n_rows - passed[i]
    for j in range(passed.shape[0]):
        n_other = passed[j] - n_both[j]
        left = max(left, both[j] + only_i[j] if is_divided(n_left, n_both[j], fewest) else -1)
        right = max(right, only_j[j] + neither[j] if is_divided(n_right, n_other, fewest) else -1)
    for j in range(passed.shape[0]):
        n_other = passed[j] - n_both[j]
        here = hits_of_three(both[j], only_i[j], n_both[j], n_left - n_both[j], left)
        there = hits_of_three(only_j[j], neither[j], n_other, n_right - n_other, right)
        three_left = max(three_left, here if is_divided(n_left, n_both[j], fewest) else -1)
        three_right = max(three_right, there if is_divided(n_right, n_other, fewest) else -1)
    search.sides[0, i], search.sides[1, i] = left, right
    search.threes[0, i], search.threes[1, i] = three_left, three_right


@part_kernel
def best_stumps_of_two(i, n_rows, search):
    """Do the same where classes are two: without writing down what each pair makes."""
    passed, fewest, whole = search.passed, search.fewest, search.whole[0]
    first, second, first_both, second_both = search.left[0], search.left[1], search.both[0], search.both[1]
    left = right = three_left = three_right = np.int64(-1)
    n_left, n_right = passed[i], n_rows - passed[i]
    first_left, second_left = first[i], second[i]
    first_right, second_right = whole[0] - first[i], whole[1] - second[i]
    for j in range(passed.shape[0]):
        n_both = first_both[j] + second_both[j]
        first_other, second_other = first[j] - first_both[j], second[j] - second_both[j]
        n_other = first_other + second_other
        here = max(first_both[j], second_both[j]) + max(first_left - first_both[j], second_left - second_both[j])
        there = max(first_other, second_other) + max(first_right - first_other, second_right - second_other)
        left = max(left, here if is_divided(n_left, n_both, fewest) else -1)
        right = max(right, there if is_divided(n_right, n_other, fewest) else -1)
    for j in range(passed.shape[0]):
        n_both = first_both[j] + second_both[j]
        first_other, second_other = first[j] - first_both[j], second[j] - second_both[j]
        n_other = first_other + second_other
        both, only_i = max(first_both[j], second_both[j]), max(first_left - first_both[j], second_left - second_both[j])
        here = hits_of_three(both, only_i, n_both, n_left - n_both, left)
        only_j, neither = max(first_other, second_other), max(first_right - first_other, second_right - second_other)
        there = hits_of_three(only_j, neither, n_other, n_right - n_other, right)
        three_left = max(three_left, here if is_divided(n_left, n_both, fewest) else -1)
        three_right = max(three_right, there if is_divided(n_right, n_other, fewest) else -1)
    search.sides[0, i], search.sides[1, i] = left, right
    search.threes[0, i], search.threes[1, i] = three_left, three_right


@inner_kernel
def find_stumps(near, packed, n_rows, bounds, floor, search):
    """Find the best stump on both sides of each test worth more than a floor, by counting rows that pass two tests."""
    both = search.both
    first, n_classes = both.shape[1], both.shape[0]
    for i in range(bounds.shape[0]):
        if bounds[i] > floor:
            for c in range(n_classes):
                count_all(near, packed, first + c, i, both[c])
            if n_classes == 2:
                best_stumps_of_two(i, n_rows, search)
            else:
                weigh_pairs(i, search)
                best_stumps(i, n_rows, search)


@small_kernel
def leaf_hits(test, search):
    """Return the hits of a leaf on the left and on the right of a test."""
    here = np.int64(0)
    there = np.int64(0)
    for c in range(search.planes.shape[0]):
        here = max(here, search.left[c, test])
        there = max(there, search.whole[0, c] - search.left[c, test])
    return here, there


@small_kernel
def leaf_or_stump(leaf, stump, price):
    """Return the hits and the leaves of the better one; ties go to the leaf."""
    if HIT * (stump - leaf) > price:
        return stump, np.int64(2)
    return leaf, np.int64(1)


@small_kernel
def most_of_more(agree, three, price):
    """Return what a tree of three leaves or more may be worth, given the hits of three at most."""
    return max(worth(min(agree, three), 3, price), worth(agree, 4, price))


@inner_kernel
def sharpen_bounds(n_rows, agree, search, bounds, floor, stumps, rights, frame):
    """Lower what each test may be worth, by the best stumps on both its sides.

    A tree of two levels that is known to be there need not be found again: only trees that are no worse are of use.
    """
    price = search.price
    agree_left = search.left[search.planes.shape[0]] if agree < n_rows else search.passed
    for test in range(bounds.shape[0]):
        if bounds[test] <= floor:
            continue
        leaf_left, leaf_right = leaf_hits(test, search)
        hits, leaves = leaf_or_stump(leaf_left, search.sides[0, test], price)
        left = worth(hits, leaves, price)
        most_left = max(left, most_of_more(agree_left[test], search.threes[0, test], price))
        hits, leaves = leaf_or_stump(leaf_right, search.sides[1, test], price)
        right = worth(hits, leaves, price)
        rights[test] = max(right, most_of_more(agree - agree_left[test], search.threes[1, test], price))
        frame["need"] = max(frame["need"], left + right - 1)
        bounds[test] = most_left + rights[test]
        if bounds[test] <= worth(stumps[test], 2, price):
            bounds[test] = NOTHING


@part_kernel
def look_two_levels(rows, bounds, search, frame, below):
    """Keep the best tree of up to two levels, given the best stumps below tests, and remember its sides.

    A test whose bound is nothing is not worth more than its stump, which has been looked at.

    Parameters
    ----------
    below : (n_words,) uint64, scratch
    """
    price = search.price
    for test in range(bounds.shape[0]):
        if bounds[test] == NOTHING:
            continue
        leaf_left, leaf_right = leaf_hits(test, search)
        hits_left, leaves_left = leaf_or_stump(leaf_left, search.sides[0, test], price)
        hits_right, leaves_right = leaf_or_stump(leaf_right, search.sides[1, test], price)
        hits, leaves = hits_left + hits_right, leaves_left + leaves_right
        if worth(hits, leaves, price) > worth(frame["hits"], frame["leaves"], price):
            frame["hits"] = hits
            frame["leaves"] = leaves
            frame["test"] = test
    if frame["leaves"] > 2:
        remember_sides(rows, frame["test"], search, below)


@inner_kernel
def first_stump(rows, n_rows, hits, search):
    """Return the first test that has so many hits as a stump; there must be one."""
    weights = search.whole[1]
    for test in range(search.bits.shape[0]):
        passed = here = there = np.int64(0)
        for c in range(weights.shape[0]):
            found = np.int64(count_both(rows, search.bits[test], search.planes[c]))
            passed += found
            here = max(here, found)
            there = max(there, weights[c] - found)
        if here + there == hits and divides(passed, n_rows, search.fewest):
            return np.int64(test)
    return np.int64(LEAF)


@part_kernel
def remember_sides(rows, test, search, below):
    """Remember the best stumps on both sides of a test."""
    for side in range(2):
        narrow(rows, search.bits[test], np.uint64(0) if side == 0 else ~np.uint64(0), below)
        n_rows, leaf, _, useful = weigh_rows(below, search.packed[: below.shape[0]], ONE, search, search.whole[1])
        if useful > 0:
            stump = search.sides[side, test]
            hits, leaves = leaf_or_stump(leaf, stump, search.price)
            known = first_stump(below, n_rows, stump, search) if leaves == 2 else np.int64(LEAF)
            remember(below, useful, worth(hits, leaves, search.price), hits, leaves, known, search.memo, search.where)
