"""Splitting: the best test for the rows at a node, of some that are drawn or of all there are."""

import numpy as np

from heirwood.core._jit import kernel, small_kernel
from heirwood.core.arena import become_stump
from heirwood.core.columns import list_rows, weigh_bins
from heirwood.core.draws import below, draw_test
from heirwood.core.sight import HERE, NO_TEST, heaviest, judge, weigh
from heirwood.core.sweeps import count, count_both

ROW_COST = 3  # what one row costs in a pass over a column, in words of a bit row


@small_kernel
def n_looked(n_rows, rules):
    """Return how many attributes an exhaustive operator looks at, and whether they are all there are."""
    n_attributes = rules.first.shape[0] - 1
    if n_rows * n_attributes <= rules.n_answers:
        return n_attributes, True
    return max(rules.n_answers // n_rows, 1), False


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
def keep_better(test, passed, n_rows, whole, fewest, criterion, left, best, score, best_left):
    """Return the better one of a test, given the weights on its left, and the best so far, with its score.

    A test that leaves a side with too few rows, or none, is passed over; ties go to the first.
    """
    if passed < fewest or n_rows - passed < fewest:
        return best, score
    found = judge(left, whole, criterion)
    if found <= score:
        return best, score
    for c in range(left.shape[0]):
        best_left[c] = left[c]
    return np.int64(test), found


@kernel
def scan_bits(rows, start, stop, n_rows, whole, fewest, criterion, sight, best, score):
    """Look at some tests by their bit rows; return the best test so far and its score."""
    left, best_left = sight.weights[1], sight.weights[2]
    for test in range(start, stop):
        passed = weigh_side(rows, sight.bits[test], sight.target, left)
        best, score = keep_better(
            test, passed, n_rows, whole, fewest, criterion, left, best, score, best_left
        )  # fmt: skip
    return best, score


@kernel
def scan_bins(attribute, start, stop, n_rows, whole, fewest, criterion, sight, best, score):
    """Look at all tests of an attribute by one pass over the rows listed; return as `scan_bits` does."""
    columns = sight.columns
    k = np.int64(columns.n_plain[attribute])
    weights, counts = sight.binned[: k + 2], sight.counts[: k + 2]
    weigh_bins(
        columns.bins[columns.place[attribute]], sight.listed, n_rows, columns, sight.target.weighted, weights, counts
    )
    left, best_left = sight.weights[1], sight.weights[2]
    equals = columns.equals[attribute]
    twins = stop - start > k and counts[k + 1] > 0  # with nothing missing here they divide as their sisters do
    for twin in range(2 if twins else 1):
        passed = 0
        for c in range(left.shape[0]):
            left[c] = 0
        if twin == 1:
            passed = counts[k + 1]
            for c in range(left.shape[0]):
                left[c] = weights[k + 1, c]
        for b in range(k):
            if counts[b] == 0 and (twin == 0 or (b > 0 and not equals)):  # divides as the test before it, or not at all
                continue
            if equals:
                passed = counts[b] + (counts[k + 1] if twin == 1 else 0)
                for c in range(left.shape[0]):
                    left[c] = weights[b, c] + (weights[k + 1, c] if twin == 1 else 0)
            else:
                passed += counts[b]
                for c in range(left.shape[0]):
                    left[c] += weights[b, c]
            best, score = keep_better(
                start + twin * k + b, passed, n_rows, whole, fewest, criterion, left, best, score, best_left
            )  # fmt: skip
    if twins:
        best, score = keep_better(
            start + 2 * k, counts[k + 1], n_rows, whole, fewest, criterion, weights[k + 1], best, score, best_left
        )  # fmt: skip
    return best, score


@kernel
def find_split(rows, n_rows, whole, rules, key, criterion, exhaustive, sight):
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
    exhaustive : bool
        All tests of all attributes, or of as many drawn ones as is affordable; False: a few drawn tests.
    sight : Sight
    """
    fewest = max(rules.min_rows, 1)
    best = NO_TEST
    score = -1.0
    if not exhaustive:
        for i in range(rules.n_drawn):
            test = draw_test(key, 2 * i, rules.first, rules.tickets)
            best, score = scan_bits(rows, test, test + 1, n_rows, whole, fewest, criterion, sight, best, score)
        return best
    n, are_all = n_looked(n_rows, rules)
    row_words = rows.shape[0] * sight.target.planes.shape[0]
    is_listed = False
    for i in range(n):
        attribute = np.int64(i) if are_all else below(key, i, rules.first.shape[0] - 1)
        start, stop = rules.first[attribute], rules.first[attribute + 1]
        if sight.columns.place[attribute] < 0 or (stop - start) * row_words < ROW_COST * n_rows:
            best, score = scan_bits(rows, start, stop, n_rows, whole, fewest, criterion, sight, best, score)
            continue
        if not is_listed:
            list_rows(rows, sight.listed)
            is_listed = True
        best, score = scan_bins(attribute, start, stop, n_rows, whole, fewest, criterion, sight, best, score)
    return best


@kernel
def split_best(tree, node, path, depth, rules, key, criterion, exhaustive, sight):
    """Turn the subtree at `node`, whose rows are HERE, into the best test with two leaves; say whether there is one."""
    n_leaves = (tree[0]["span"] - tree[node]["span"]) // 2 + 2
    if rules.first.shape[0] < 2 or n_leaves > rules.max_leaves or depth + 1 > rules.max_depth:
        return False
    rows = sight.rows[HERE]
    whole, best_left = sight.weights[0], sight.weights[2]
    weigh(rows, sight.target, whole)
    test = find_split(rows, count(rows, rows), whole, rules, key, criterion, exhaustive, sight)
    if test == NO_TEST:
        return False
    for c in range(whole.shape[0]):
        whole[c] -= best_left[c]
    become_stump(tree, node, path, depth, test, heaviest(best_left), heaviest(whole))
    return True
