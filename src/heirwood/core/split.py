"""Splitting: the best test for the rows at a node, of some that are drawn or of all there are."""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.arena import become_stump
from heirwood.core.binned_columns import list_rows
from heirwood.core.draws import below, draw_test
from heirwood.core.node_context import ERRORS, HERE, NO_TEST, best_label, size_of, weigh, weight_of_all
from heirwood.core.split_cache import UNKNOWN, hash_rows, look_up_split, store_split
from heirwood.core.split_scan import ROW_COST, scan_bins, scan_bits, weigh_side

COARSE = np.int64(16)  # cuts of a column at which purity is looked at, or fewer,
LARGE = np.int64(8)  # part of the table that must arrive for that: of fewer rows, too few cuts divide any
FAR = np.int64(62)  # levels that no number of leaves can fill
DRAWN = np.int64(0)  # answers of an operator that looks at a few drawn tests


@part_kernel
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


@part_kernel
def ends_by_depth(rules):
    """Say whether the depth ends what grows before the leaves do: then the last levels decide, by every cut."""
    return rules.max_depth < FAR and np.int64(1) << np.int64(rules.max_depth) <= rules.max_leaf_nodes


@part_kernel
def coarseness(attribute, start, stop, columns):
    """Return how many times every second cut of an attribute is passed over.

    Purity is a guide to what may come below, and a coarse one is as good; few errors are what is asked for in the end.
    A column with tests that a missing value passes has all its tests looked at, and so has one of levels.
    """
    shift = np.uint64(0)
    if columns.equals[attribute] or stop - start > columns.n_plain[attribute]:
        return shift
    while (stop - start) >> np.int64(shift) > COARSE:
        shift += np.uint64(1)
    return shift


@inner_kernel
def find_split(rows, n_rows, whole, rules, key, criterion, n_answers, context):
    """Return the best test for some rows, or NO_TEST; ties go to the first that is looked at.

    The weights on its left are left in context.weights[2].

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
    criterion : {ERRORS, GINI, ENTROPY}
    n_answers : int
        Answers that may be looked at, rows times attributes: all tests of all attributes (of those that `coarseness`
        leaves), or of as many drawn ones as that allows. With DRAWN a few drawn tests are looked at.
    context : NodeContext
    """
    fewest = max(rules.min_rows, 1)
    best = NO_TEST
    score = -1.0
    is_drawn = n_answers == DRAWN
    n, are_all = (np.int64(rules.n_drawn), False) if is_drawn else n_looked(n_rows, rows.shape[0], n_answers, rules)
    one = other = np.uint64(0)
    if are_all:
        one, other = hash_rows(rows, criterion)
        test = look_up_split(one, other, context.split_cache)
        if test != UNKNOWN:
            if test != NO_TEST:
                weigh_side(rows, context.bits[test], context.target, context.weights[2])
            return test
    row_words = rows.shape[0] * context.target.planes.shape[0]
    is_coarse = (
        criterion != ERRORS
        and weight_of_all(whole) >= (context.total + LARGE - 1) // LARGE
        and not ends_by_depth(rules)
    )
    is_listed = False
    for i in range(n):
        if is_drawn:
            attribute = np.int64(-1)
            start = draw_test(key, 2 * i, rules.first, rules.tickets)
            stop = start + 1
            shift = np.uint64(0)
        else:
            attribute = np.int64(i) if are_all else below(key, i, rules.first.shape[0] - 1)
            start, stop = rules.first[attribute], rules.first[attribute + 1]
            shift = coarseness(attribute, start, stop, context.columns) if is_coarse else np.uint64(0)
        n_tests = (stop - start) >> np.int64(shift)
        by_bits = is_drawn or context.columns.place[attribute] < 0 or n_tests * row_words < ROW_COST * n_rows
        if by_bits:
            best, score = scan_bits(rows, start, stop, shift, n_rows, whole, fewest, criterion, context, best, score)
            continue
        if not is_listed:
            list_rows(rows, context.columns.codes, context.counts.shape[0], context.listed)
            is_listed = True
        best, score = scan_bins(attribute, start, stop, shift, n_rows, whole, fewest, criterion, context, best, score)
    if are_all:
        store_split(one, other, best, context.split_cache)
    return best


@part_kernel
def split_best(tree, node, path, depth, rules, key, criterion, n_answers, context):
    """Turn the subtree at `node`, whose rows are HERE, into the best test with two leaves; say whether there is one."""
    n_leaves = (tree[0]["span"] - tree[node]["span"]) // 2 + 2
    if rules.first.shape[0] < 2 or n_leaves > rules.max_leaf_nodes or depth + 1 > rules.max_depth:
        return False
    rows = context.rows[HERE]
    whole, best_left = context.weights[0], context.weights[2]
    weigh(rows, context.target, whole)
    test = find_split(rows, size_of(rows), whole, rules, key, criterion, n_answers, context)
    if test == NO_TEST:
        return False
    for c in range(whole.shape[0]):
        whole[c] -= best_left[c]
    left_label, _ = best_label(best_left, context.target)
    right_label, _ = best_label(whole, context.target)
    become_stump(tree, node, path, depth, test, left_label, right_label)
    return True
