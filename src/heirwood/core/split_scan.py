"""Scanning: the tests of an attribute judged for some rows, by their bit rows or by bins.

By bins, sums are kept for all tests of a column at once, an array for each class, so that the processor takes several
tests per instruction. They stay integers until they are judged: a float64 may not hold them.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.binned_columns import clear_bins, list_bins, weigh_bins
from heirwood.core.bitset_ops import count, count_both
from heirwood.core.entropy import coarse_units
from heirwood.core.leaf_loss import HITS
from heirwood.core.node_context import ENTROPY, ERRORS, GINI, is_purer, judge, weight_of_all

ROW_COST = 3  # what one row costs in a pass over a column, in words of a bit row


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


@part_kernel
def keep_better(test, passed, n_rows, whole, fewest, criterion, context, best, score):
    """Return the better one of a test, whose left weighs context.weights[1], and the best so far, with its score.

    A test that leaves a side with too few rows, or none, is passed over; ties go to the first.
    """
    if passed < fewest or n_rows - passed < fewest:
        return best, score
    left, best_left = context.weights[1], context.weights[2]
    if criterion == GINI and not is_purer(left, whole, score):
        return best, score
    found = judge(left, whole, criterion, context.target, context.logs)
    if found <= score:  # also an equal split whose products were rounded to more
        return best, score
    for c in range(left.shape[0]):
        best_left[c] = left[c]
    return np.int64(test), found


@part_kernel
def scan_bits(rows, start, stop, shift, n_rows, whole, fewest, criterion, context, best, score):
    """Look at some tests, the last of every 2**shift, by their bit rows; return the best so far and its score."""
    step = np.int64(1) << np.int64(shift)
    for test in range(start + step - 1, stop, step):
        passed = weigh_side(rows, context.bits[test], context.target, context.weights[1])
        best, score = keep_better(test, passed, n_rows, whole, fewest, criterion, context, best, score)
    return best, score


@part_kernel
def sum_lefts(n, few, twin, k, equals, n_sums, context):
    """Write the weights on the left of the tests of `n` bins: of the first ones, or of those that are occupied.

    Of twins, which a missing value passes, with those; after them the test whether a value is missing.
    """
    stride = context.counts.shape[0]
    for c in range(n_sums):
        lefts, weights = context.lefts[c], context.binned[c * stride : (c + 1) * stride]
        running = weights[k + 1] if twin else np.int64(0)
        lefts[n] = running
        for i in range(n):
            here = running + weights[context.occupied[i] if few else i]
            lefts[i] = here
            if not equals:
                running = here


@part_kernel
def sum_purity(n, whole, lefts, sums):
    """Write what `is_purer` compares of `n` tests: their purity, and what it is to be divided by.

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
def sum_hits(n, whole, context):
    """Write the hits that the two leaves of each of `n` tests would have, and that they are to be divided by one."""
    lefts, hits, most_left, most_right = context.lefts, context.sums[0], context.most[0], context.most[1]
    for i in range(n):
        most_left[i] = 0
        most_right[i] = 0
        context.sums[1, i] = 1.0
    if context.target.hits_are != HITS:
        for i in range(n):
            for c in range(whole.shape[0]):
                context.weights[1, c] = lefts[c, i]
            hits[i] = judge(context.weights[1], whole, ERRORS, context.target, context.logs)
        return
    for c in range(whole.shape[0]):
        weights = lefts[c]
        for i in range(n):
            most_left[i] = max(most_left[i], weights[i])
            most_right[i] = max(most_right[i], whole[c] - weights[i])
    for i in range(n):
        hits[i] = np.float64(most_left[i] + most_right[i])


@part_kernel
def sum_tidiness(n, whole, context):
    """Write the tidiness of each of `n` tests, and that it is to be divided by one."""
    lefts, logs, tidy, sum_left = context.lefts, context.logs, context.most[0], context.most[1]
    total = weight_of_all(whole)
    shift = coarse_units(total)
    for i in range(n):
        tidy[i] = 0
        sum_left[i] = 0
    for c in range(whole.shape[0]):
        weights = lefts[c]
        for i in range(n):
            tidy[i] += logs[weights[i] >> shift] + logs[(whole[c] - weights[i]) >> shift]
            sum_left[i] += weights[i]
    for i in range(n):
        apart = logs[sum_left[i] >> shift] + logs[(total - sum_left[i]) >> shift]
        context.sums[0, i] = np.float64(tidy[i] - apart + logs[total >> shift])
        context.sums[1, i] = 1.0


@inner_kernel
def scan_bins(attribute, start, stop, shift, n_rows, whole, fewest, criterion, context, best, score):
    """Look at the tests of an attribute by one pass over the rows listed; return as `scan_bits` does."""
    columns, weights, counts = context.columns, context.binned, context.counts
    weighted, left = context.target.weighted, context.weights[1]
    n_classes = whole.shape[0]
    k = np.int64(columns.n_plain[attribute])
    has_twins = stop - start > k
    k >>= np.int64(shift)
    few = n_rows < k and not has_twins  # an empty bin divides as the one before it, or not at all
    bins = columns.bins[columns.place[attribute]]
    weigh_bins(bins, shift, context.listed, n_rows, columns, weighted, few or weighted, weights, counts)
    n = list_bins(k, counts, context.occupied) if few else k
    missing = np.int64(0)
    for c in range(n_classes):
        missing += weights[c * counts.shape[0] + k + 1]
    for twin in range(2 if has_twins and missing > 0 else 1):  # with nothing missing twins divide as their sisters do
        sum_lefts(n, few, twin == 1, k, columns.equals[attribute], n_classes + np.int64(weighted), context)
        n_tests = n + twin
        if criterion == ERRORS:
            sum_hits(n_tests, whole, context)
        elif criterion == ENTROPY:
            sum_tidiness(n_tests, whole, context)
        else:
            sum_purity(n_tests, whole, context.lefts, context.sums)
        for i in range(n_tests):
            if context.sums[0, i] > score * context.sums[1, i]:  # what else `keep_better` asks seldom needs to be asked
                place = np.int64(context.occupied[i]) if few else i + twin * k
                test = start + ((place + 1) << np.int64(shift)) - 1
                passed = context.lefts[n_classes, i] if weighted else np.int64(0)
                for c in range(n_classes):
                    left[c] = context.lefts[c, i]
                    passed += np.int64(0) if weighted else left[c]
                best, score = keep_better(test, passed, n_rows, whole, fewest, criterion, context, best, score)
    clear_bins(bins, shift, context.listed, n_rows, k + 2, few, weights, counts)
    return best, score
