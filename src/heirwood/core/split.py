"""Splitting: the best test for the rows at a node, of some that are drawn or of all there are."""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.arena import become_stump
from heirwood.core.columns import clear_bins, list_rows, lowest, weigh_bins
from heirwood.core.draws import below, draw_test
from heirwood.core.sight import HERE, NO_TEST, beats, best_label, judge, size_of, weigh
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
def scan_bins(attribute, start, stop, n_rows, whole, fewest, criterion, sight, best, score):
    """Look at all tests of an attribute by one pass over the rows listed; return as `scan_bits` does."""
    columns, weights, counts, occupied = sight.columns, sight.binned, sight.counts, sight.occupied
    costly, gains = sight.target.costly, sight.target.gains
    n_classes = whole.shape[0]
    k = np.int64(columns.n_plain[attribute])
    bins = columns.bins[columns.place[attribute]]
    weigh_bins(bins, sight.listed, n_rows, columns, sight.target.weighted, n_classes, weights, counts, occupied)
    left, best_left = sight.weights[1], sight.weights[2]
    equals = columns.equals[attribute]
    passed = np.int64(0)
    for c in range(n_classes):
        left[c] = 0
    for w in range(occupied.shape[0]):  # an empty bin divides as the one before it, or not at all
        word = occupied[w]
        while word != 0:
            b = 64 * w + lowest(word)
            word &= word - np.uint64(1)
            if b >= k:
                continue
            passed = counts[b] + (0 if equals else passed)
            for c in range(n_classes):
                left[c] = weights[b * n_classes + c] + (0 if equals else left[c])
            best, score = keep_better(
                start + b, passed, n_rows, whole, fewest, criterion, costly, gains, left, best, score, best_left
            )  # fmt: skip
    if stop - start > k and counts[k + 1] > 0:  # with nothing missing here twins divide as their sisters do
        best, score = scan_twins(start + k, k, n_rows, whole, fewest, criterion, equals, sight, best, score)
    clear_bins(n_classes, weights, counts, occupied)
    return best, score


@part_kernel
def scan_twins(start, k, n_rows, whole, fewest, criterion, equals, sight, best, score):
    """Look at the tests of an attribute that a missing value passes, by its bins; return as `scan_bits` does."""
    weights, counts, costly, gains = sight.binned, sight.counts, sight.target.costly, sight.target.gains
    n_classes = whole.shape[0]
    left, best_left = sight.weights[1], sight.weights[2]
    absent = (k + 1) * n_classes
    passed = counts[k + 1]
    for c in range(n_classes):
        left[c] = weights[absent + c]
    for b in range(k):
        passed = counts[b] + (counts[k + 1] if equals else passed)
        for c in range(n_classes):
            left[c] = weights[b * n_classes + c] + (weights[absent + c] if equals else left[c])
        best, score = keep_better(
            start + b, passed, n_rows, whole, fewest, criterion, costly, gains, left, best, score, best_left
        )  # fmt: skip
    for c in range(n_classes):
        left[c] = weights[absent + c]
    return keep_better(
        start + k, counts[k + 1], n_rows, whole, fewest, criterion, costly, gains, left, best, score, best_left
    )  # fmt: skip


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
            list_rows(rows, sight.columns, sight.listed)
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
