"""Looking ahead: what a test is worth on top, judged by the subtree that grows greedily below it.

A greedy tree takes the test that divides the rows best here and now. What counts is the tree that comes of it, and that
can be seen: grow it. LicketySPLIT (Babbar, McTavish, Rudin and Seltzer, 2025) builds whole trees this way.
"""

import numpy as np

from heirwood.core._jit import kernel, part_kernel
from heirwood.core.binned_columns import clear_bins, list_rows, weigh_bins
from heirwood.core.greedy import grow_greedily
from heirwood.core.node_context import HERE, judge, size_of, weigh
from heirwood.core.spin_wait import read_anew
from heirwood.core.split_scan import ROW_COST, weigh_side

KEY = np.uint64(0)  # of draws
EVERY = np.uint64(0)  # cut of a column is scored
COUNTED, FEW = np.bool_(True), np.bool_(False)  # typed: for a literal of Python a kernel is compiled once more
UNFIT = -1.0  # the score of a test that leaves a side with too few rows


@part_kernel
def score(passed, n_rows, whole, fewest, criterion, context):
    """Return how pure the sides of a test are, given the weights on its left, or UNFIT."""
    if passed < fewest or n_rows - passed < fewest:
        return UNFIT
    return judge(context.weights[1], whole, criterion, context.target, context.logs)


@part_kernel
def score_bins(attribute, start, n_rows, whole, fewest, criterion, context, scores):
    """Score the tests of an attribute that a missing value fails, by one pass over the rows listed."""
    columns, weights, counts = context.columns, context.binned, context.counts
    n_classes, stride = whole.shape[0], counts.shape[0]
    bins = columns.bins[columns.place[attribute]]
    weigh_bins(bins, EVERY, context.listed, n_rows, columns, context.target.weighted, COUNTED, weights, counts)
    left = context.weights[1]
    equals = columns.equals[attribute]
    passed = np.int64(0)
    for c in range(n_classes):
        left[c] = 0
    for b in range(columns.n_plain[attribute]):
        passed = counts[b] + (0 if equals else passed)
        for c in range(n_classes):
            left[c] = weights[c * stride + b] + (0 if equals else left[c])
        scores[start + b] = score(passed, n_rows, whole, fewest, criterion, context)
    clear_bins(bins, EVERY, context.listed, n_rows, columns.n_plain[attribute] + 2, FEW, weights, counts)


@part_kernel
def score_tests(rows, rules, criterion, context, scores):
    """Score every test of the bank."""
    fewest = max(rules.min_rows, 1)
    n_rows = size_of(rows)
    whole = context.weights[0]
    weigh(rows, context.target, whole)
    list_rows(rows, context.columns.codes, context.counts.shape[0], context.listed)
    row_words = rows.shape[0] * context.target.planes.shape[0]
    for attribute in range(rules.first.shape[0] - 1):
        read_anew()
        if context.stop[0] != 0:
            return
        start, stop = rules.first[attribute], rules.first[attribute + 1]
        if context.columns.place[attribute] >= 0 and (stop - start) * row_words >= ROW_COST * n_rows:
            score_bins(attribute, start, n_rows, whole, fewest, criterion, context, scores)
            start += context.columns.n_plain[attribute]
        for test in range(start, stop):
            passed = weigh_side(rows, context.bits[test], context.target, context.weights[1])
            scores[test] = score(passed, n_rows, whole, fewest, criterion, context)


@kernel
def look_ahead(rows, tests, levels, rules, criterion, n_answers, context, found):
    """Write what each of some tests is worth on top; or, where none is given, how pure the sides of every test are.

    Worth is what the tree that grows below gets right, less the price of its leaves but one; no less than a leaf's.

    Parameters
    ----------
    rows : (n_words,) uint64
    tests : (n,) int64
        They must leave both sides with enough rows.
    levels : int
        Of the tree.
    rules : Rules
    criterion : {ERRORS, GINI, ENTROPY}
        Of what grows, or of purity.
    n_answers : int
        Answers that one split below may look at; of more attributes than that allows some are drawn, always the same.
    context : NodeContext
    found : (n,) or (n_tests,) float64, updated in place
        Of no use where `context.stop` was set meanwhile.
    """
    if tests.shape[0] == 0:
        score_tests(rows, rules, criterion, context, found)
        return
    for w in range(rows.shape[0]):
        context.rows[HERE, w] = rows[w]
    for i in range(tests.shape[0]):
        grow_greedily(tests[i], levels, rules, KEY, criterion, n_answers, context)
        found[i] = context.grown[0]["worth"]
