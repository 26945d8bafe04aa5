"""Optimal-Pair: a leaf or a whole subtree becomes the best subtree of depth two.

Over all tests on top where that is affordable, otherwise over as many drawn ones as is; where even a few are too
many, the tests below them are drawn as well.

For each test on top, the best test of each side is found as Optimal-Stump does; a side that no test makes
better, by more than the price of a leaf, stays a leaf. What gets most right wins, less the price of its
leaves; then the fewest leaves, then the first that was looked at.
"""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.arena import ONE, grow_path, mend, move_tail, write_leaf, write_stump
from heirwood.core.draws import draw, draw_test
from heirwood.core.mutation.rng_slots import BROKEN, OTHER_LABEL
from heirwood.core.node_context import (
    ERRORS,
    HERE,
    NO_TEST,
    ONE_SIDE,
    OTHER_SIDE,
    best_label,
    judge,
    keep_side,
    see,
    size_of,
    weigh,
)
from heirwood.core.split import DRAWN, find_split

MOST_LEAVES = 4


@part_kernel
def best_side(rows, n_rows, rules, key, n_answers, context):
    """Return (worth, test or NO_TEST, label, other label) of the best stump for some rows, or of a leaf if no worse.

    Worth is what it gets right, less the price of a further leaf.
    """
    whole, best_left = context.weights[0], context.weights[2]
    weigh(rows, context.target, whole)
    label, hits = best_label(whole, context.target)
    worth = np.float64(hits)
    test = find_split(rows, n_rows, whole, rules, key, ERRORS, n_answers, context)
    if test == NO_TEST:
        return worth, NO_TEST, label, label
    split = judge(best_left, whole, ERRORS, context.target, context.logs) - rules.price
    if split <= worth:
        return worth, NO_TEST, label, label
    for c in range(whole.shape[0]):
        whole[c] -= best_left[c]
    return split, test, best_label(best_left, context.target)[0], best_label(whole, context.target)[0]


@part_kernel
def best_pair(rows, rules, drawing, context):
    """Return (worth, leaves, test on top or NO_TEST, one side, other side) of the best subtree of depth two.

    Worth is what it gets right, less the price of its leaves but one.
    """
    fewest = max(rules.min_rows, 1)
    passed, failed = context.rows[ONE_SIDE], context.rows[OTHER_SIDE]
    n_tests = rules.first[-1]
    affordable = rules.n_answers // (max(size_of(rows), 1) * (rules.first.shape[0] - 1))
    n_tops = min(max(affordable, rules.n_drawn), n_tests)
    n_answers = rules.n_answers if affordable >= n_tops else DRAWN
    most = -np.inf
    leaves = np.int64(0)
    top = NO_TEST
    nothing = (0.0, NO_TEST, np.int64(0), np.int64(0))
    one = other = nothing
    for i in range(n_tops):
        test = np.int64(i) if n_tops == n_tests else draw_test(drawing, 2 * i, rules.first, rules.tickets)
        keep_side(rows, context.bits[test], np.uint64(0), passed)
        keep_side(rows, context.bits[test], ~np.uint64(0), failed)
        n_passed = size_of(passed)
        n_failed = size_of(failed)
        if n_passed < fewest or n_failed < fewest:
            continue
        left = right = nothing
        for side in range(2):  # one call, compiled once
            here, n_here = (passed, n_passed) if side == 0 else (failed, n_failed)
            found = best_side(here, n_here, rules, draw(drawing, 2 * (n_tops + i) + side), n_answers, context)
            if side == 0:
                left = found
            else:
                right = found
        n = (ONE if left[1] == NO_TEST else 2 * ONE) + (ONE if right[1] == NO_TEST else 2 * ONE)
        worth = left[0] + right[0] - rules.price
        if worth > most or (worth == most and n < leaves):
            most = worth
            leaves = n
            top = test
            one = left
            other = right
    return most, leaves, top, one, other


@small_kernel
def write_side(tree, node, side):
    """Write a side of a pair; return the place after it."""
    if side[1] == NO_TEST:
        write_leaf(tree, node, side[2])
        return node + 1
    write_stump(tree, node, side[1], side[2], side[3])
    return node + 3


@part_kernel
def write_pair(tree, node, pair):
    """Write a subtree of depth two, spans and heights too; return the place after it."""
    tree[node]["gene"] = pair[2]
    tree[node]["span"] = 2 * pair[1] - 1
    after = write_side(tree, write_side(tree, node + 1, pair[3]), pair[4])
    mend(tree, node)
    return after


@part_kernel
def optimal_pair(tree, node, rules, key, slot, path, context):
    """Turn the subtree at `node` into the best of depth two; return `node`, or BROKEN beyond a limit."""
    depth = see(tree, node, path, context)
    n_leaves = (tree[0]["span"] - tree[node]["span"]) // 2 + MOST_LEAVES
    if rules.first.shape[0] < 2 or n_leaves > rules.max_leaf_nodes or depth + 2 > rules.max_depth:
        return BROKEN
    pair = best_pair(context.rows[HERE], rules, draw(key, slot + OTHER_LABEL), context)
    if pair[2] == NO_TEST:
        return BROKEN
    old = np.int64(tree[node]["span"])
    new = 2 * pair[1] - 1
    move_tail(tree, node + old, new - old)
    write_pair(tree, node, pair)
    grow_path(tree, path, depth, new - old)
    return node
