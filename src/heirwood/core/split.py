"""Splitting: the best test for the rows at a node, of some that are drawn or of all there are."""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.arena import become_stump
from heirwood.core.columns import clear_bins, list_bins, list_rows, weigh_bins
from heirwood.core.draws import below, draw_test
from heirwood.core.sight import ERRORS, HERE, NO_TEST, beats, best_label, judge, size_of, weigh
from heirwood.core.sweeps import count, count_both

DRAWN = np.int64(0)  # answers of an operator that looks at a few drawn tests
ROW_COST = 3  # what one row costs in a pass over a column, in words of a bit row


@small_kernel
def answers_needed(n_rows, n_words, rules):
    """Return the answers that looking at all attributes takes.

    An attribute takes one from every row, or from every word of its tests' bit rows if those are fewer.
    """
    needed = np.int64(0)
    for a in range(rules.first.shape[0] - 1):
        needed += min(n_rows, n_words * (rules.first[a + 1] - rules.first[a]))
    return needed


@small_kernel
def n_looked(n_rows, n_words, n_answers, rules):
    """Return how many attributes an exhaustive operator looks at, and whether they are all there are.

    As many as it may have answers, but no fewer than the square root of all.
    """
    n_attributes = rules.first.shape[0] - 1
    needed = answers_needed(n_rows, n_words, rules)
    if needed <= n_answers:
        return n_attributes, True
    return max(n_answers * n_attributes // needed, np.int64(np.sqrt(np.float64(n_attributes)))), False


@small_kernel
def weigh_side(rows, test, target, weights):
    """Write the weight of each class among the rows that pass a test; return how many rows do."""
    passed = 0
    for c in range(target.starts.shape[0] - 1):
        weights[c] = 0
        for p in range(target.starts[c], target.starts[c + 1]):
            found = count_both(rows, test, target.planes[p])
            weights[c] += target.scale[p] * found
            passed += found
    return count(rows, test) if target.weighted else passed


@small_kernel
def keep_better(test, passed, n_rows, whole, fewest, criterion, costly, gains, left, best, score, best_left):
    """Return the better one of a test, given the weights on its left, and the best so far, with its score.

    A test that leaves a side with too few rows, or none, is passed over; ties go to the first.
    """
    if passed < fewest or n_rows - passed < fewest:
        return best, score
    if not beats(left, whole, criterion, costly, gains, score):
        return best, score
    found = judge(left, whole, criterion, costly, gains)
    if found <= score:  # an equal split: its products may be rounded to more
        return best, score
    for c in range(left.shape[0]):
        best_left[c] = left[c]
    return np.int64(test), found


@part_kernel
def scan_bits(rows, start, stop, n_rows, whole, fewest, criterion, sight, best, score):
    """Look at some tests by their bit rows; return the best test so far and its score."""
    left, best_left = sight.weights[1], sight.weights[2]
    costly, gains = sight.target.costly, sight.target.gains
    for test in range(start, stop):
        passed = weigh_side(rows, sight.bits[test], sight.target, left)
        best, score = keep_better(
            test, passed, n_rows, whole, fewest, criterion, costly, gains, left, best, score, best_left
        )  # fmt: skip
    return best, score


@part_kernel
def sum_lefts(n, few, twin, k, equals, n_sums, sight):
    """Write the weights on the left of the tests of `n` bins: of the first ones, or of those that are occupied.

    Of twins, which a missing value passes, with those; after them the test whether a value is missing.
    """
    stride = sight.counts.shape[0]
    for c in range(n_sums):
        lefts, weights = sight.lefts[c], sight.binned[c * stride : (c + 1) * stride]
        running = weights[k + 1] if twin else np.int64(0)
        lefts[n] = running
        for i in range(n):
            here = running + weights[sight.occupied[i] if few else i]
            lefts[i] = here
            if not equals:
                running = here


@part_kernel
def sum_purity(n, whole, lefts, sums):
    """Write what `beats` compares of `n` tests: their purity, and what it is to be divided by.

    The same operations in the same order, but for many tests at once.
    """
    left, right, squares_left, squares_right = sums[0], sums[1], sums[2], sums[3]
    for i in range(n):
        left[i] = 0.0
        right[i] = 0.0
        squares_left[i] = 0.0
        squares_right[i] = 0.0
    for c in range(whole.shape[0]):
        weights = lefts[c]
        for i in range(n):
            here = np.float64(weights[i])
            there = np.float64(whole[c] - weights[i])
            left[i] += here
            right[i] += there
            squares_left[i] += here * here
            squares_right[i] += there * there
    for i in range(n):
        here = left[i]
        left[i] = squares_left[i] * right[i] + squares_right[i] * here
        right[i] = here * right[i]


@part_kernel
def sum_hits(n, whole, costly, gains, sight):
    """Write the hits that the two leaves of each of `n` tests would have, and that they are to be divided by one."""
    lefts, hits, most_left, most_right = sight.lefts, sight.sums[0], sight.most[0], sight.most[1]
    for i in range(n):
        most_left[i] = 0
        most_right[i] = 0
        sight.sums[1, i] = 1.0
    if costly:
        for i in range(n):
            for c in range(whole.shape[0]):
                sight.weights[1, c] = lefts[c, i]
            hits[i] = judge(sight.weights[1], whole, ERRORS, costly, gains)
        return
    for c in range(whole.shape[0]):
        weights = lefts[c]
        for i in range(n):
            most_left[i] = max(most_left[i], weights[i])
            most_right[i] = max(most_right[i], whole[c] - weights[i])
    for i in range(n):
        hits[i] = np.float64(most_left[i] + most_right[i])


@inner_kernel
def scan_bins(attribute, start, stop, n_rows, whole, fewest, criterion, sight, best, score):
    """Look at all tests of an attribute by one pass over the rows listed; return as `scan_bits` does."""
    columns, weights, counts = sight.columns, sight.binned, sight.counts
    weighted, costly, gains = sight.target.weighted, sight.target.costly, sight.target.gains
    left, best_left = sight.weights[1], sight.weights[2]
    n_classes = whole.shape[0]
    k = np.int64(columns.n_plain[attribute])
    has_twins = stop - start > k
    few = n_rows < k and not has_twins  # an empty bin divides as the one before it, or not at all
    bins = columns.bins[columns.place[attribute]]
    weigh_bins(bins, sight.listed, n_rows, columns, weighted, few or weighted, weights, counts)
    n = list_bins(k, counts, sight.occupied) if few else k
    missing = np.int64(0)
    for c in range(n_classes):
        missing += weights[c * counts.shape[0] + k + 1]
    for twin in range(2 if has_twins and missing > 0 else 1):  # with nothing missing twins divide as their sisters do
        sum_lefts(n, few, twin == 1, k, columns.equals[attribute], n_classes + np.int64(weighted), sight)
        n_tests = n + twin
        if criterion == ERRORS:
            sum_hits(n_tests, whole, costly, gains, sight)
        else:
            sum_purity(n_tests, whole, sight.lefts, sight.sums)
        for i in range(n_tests):
            if sight.sums[0, i] > score * sight.sums[1, i]:  # what else `keep_better` asks seldom needs to be asked
                test = start + (np.int64(sight.occupied[i]) if few else i + twin * k)
                passed = sight.lefts[n_classes, i] if weighted else np.int64(0)
                for c in range(n_classes):
                    left[c] = sight.lefts[c, i]
                    passed += np.int64(0) if weighted else left[c]
                best, score = keep_better(
                    test, passed, n_rows, whole, fewest, criterion, costly, gains, left, best, score, best_left
                )  # fmt: skip
    clear_bins(bins, sight.listed, n_rows, k + 2, few, weights, counts)
    return best, score


@inner_kernel
def find_split(rows, n_rows, whole, rules, key, criterion, n_answers, sight):
    """Return the best test for some rows, or NO_TEST; ties go to the first that is looked at.

    The weights on its left are left in sight.weights[2].

    Parameters
    ----------
    rows : (n_words,) uint64
    n_rows : int
        How many they are.
    whole : (n_classes,) int64
        The weight of each class among them.
    rules : Rules
    key : uint64
        Of the draws, where not all tests are looked at.
    criterion : {ERRORS, GINI}
    n_answers : int
        Answers that may be looked at, rows times attributes: all tests of all attributes, or of as many drawn ones
        as that allows. With DRAWN a few drawn tests are looked at.
    sight : Sight
    """
    fewest = max(rules.min_rows, 1)
    best = NO_TEST
    score = -1.0
    is_drawn = n_answers == DRAWN
    n, are_all = (np.int64(rules.n_drawn), False) if is_drawn else n_looked(n_rows, rows.shape[0], n_answers, rules)
    row_words = rows.shape[0] * sight.target.planes.shape[0]
    is_listed = False
    for i in range(n):
        if is_drawn:
            attribute = np.int64(-1)
            start = draw_test(key, 2 * i, rules.first, rules.tickets)
            stop = start + 1
        else:
            attribute = np.int64(i) if are_all else below(key, i, rules.first.shape[0] - 1)
            start, stop = rules.first[attribute], rules.first[attribute + 1]
        by_bits = is_drawn or sight.columns.place[attribute] < 0 or (stop - start) * row_words < ROW_COST * n_rows
        if by_bits:
            best, score = scan_bits(rows, start, stop, n_rows, whole, fewest, criterion, sight, best, score)
            continue
        if not is_listed:
            list_rows(rows, sight.columns, sight.counts.shape[0], sight.listed)
            is_listed = True
        best, score = scan_bins(attribute, start, stop, n_rows, whole, fewest, criterion, sight, best, score)
    return best


@inner_kernel
def split_best(tree, node, path, depth, rules, key, criterion, n_answers, sight):
    """Turn the subtree at `node`, whose rows are HERE, into the best test with two leaves; say whether there is one."""
    n_leaves = (tree[0]["span"] - tree[node]["span"]) // 2 + 2
    if rules.first.shape[0] < 2 or n_leaves > rules.max_leaves or depth + 1 > rules.max_depth:
        return False
    rows = sight.rows[HERE]
    whole, best_left = sight.weights[0], sight.weights[2]
    weigh(rows, sight.target, whole)
    test = find_split(rows, size_of(rows), whole, rules, key, criterion, n_answers, sight)
    if test == NO_TEST:
        return False
    for c in range(whole.shape[0]):
        whole[c] -= best_left[c]
    left_label, _ = best_label(best_left, sight.target.costly, sight.target.gains)
    right_label, _ = best_label(whole, sight.target.costly, sight.target.gains)
    become_stump(tree, node, path, depth, test, left_label, right_label)
    return True
