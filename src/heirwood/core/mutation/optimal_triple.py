"""Optimal-Triple: a leaf or a whole subtree becomes the best subtree of depth three, over all tests of the bank.

Where that is too much to look at, the best of depth two that Optimal-Pair finds. For each test on top, each side is
the best subtree of depth two or, if that is worth no more, a leaf. The most worth wins, then the fewest leaves, then
the first that was looked at.
"""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.arena import grow_path, mend, move_tail, write_leaf
from heirwood.core.draws import draw
from heirwood.core.mutation.optimal_pair import best_pair, write_pair
from heirwood.core.mutation.slots import BROKEN, OTHER_LABEL
from heirwood.core.sight import DOWN, HERE, NO_TEST, best_label, keep_side, see, size_of, weigh
from heirwood.core.split import answers_needed

MOST_LEAVES = 8
TOO_MUCH = -3  # to look at, or no room: a pair may do
DEARER = 8  # times the answers that other operators may look at


@part_kernel
def pair_or_leaf(rows, rules, drawing, sight):
    """Return the best subtree of depth two, as `best_pair` does; for a leaf with NO_TEST on top, and its label."""
    pair = best_pair(rows, rules, drawing, sight)
    whole = sight.weights[0]
    weigh(rows, sight.target, whole)
    label, hits = best_label(whole, sight.target.costly, sight.target.gains)
    if pair[2] != NO_TEST and pair[0] > np.float64(hits):
        return pair
    leaf = (np.float64(hits), NO_TEST, label, label)
    return np.float64(hits), np.int64(1), NO_TEST, leaf, leaf


@small_kernel
def write_pair_or_leaf(tree, node, side):
    """Write a side of the triple; return the place after it."""
    if side[2] == NO_TEST:
        write_leaf(tree, node, side[3][2])
        return node + 1
    return write_pair(tree, node, side)


@part_kernel
def optimal_triple(tree, node, rules, key, slot, path, sight):
    """Turn the subtree at `node` into the best of depth three; return `node`, TOO_MUCH, or BROKEN for none."""
    depth = see(tree, node, path, sight)
    n_leaves = (tree[0]["span"] - tree[node]["span"]) // 2 + MOST_LEAVES
    rows, passed, failed = sight.rows[HERE], sight.rows[DOWN], sight.rows[DOWN + 1]
    n_rows = size_of(rows)
    n_tests = rules.first[-1]
    needed = answers_needed(n_rows, rows.shape[0], rules)
    too_much = needed * n_tests * n_tests > DEARER * rules.n_answers or n_tests * n_rows > rules.n_answers
    if too_much or n_leaves > rules.max_leaves or depth + 3 > rules.max_depth:
        return TOO_MUCH
    drawing = draw(key, slot + OTHER_LABEL)
    fewest = max(rules.min_rows, 1)
    most = -np.inf
    leaves = np.int64(0)
    top = NO_TEST
    nothing = (0.0, NO_TEST, np.int64(0), np.int64(0))
    one = other = (0.0, np.int64(0), NO_TEST, nothing, nothing)
    for test in range(n_tests):
        keep_side(rows, sight.bits[test], np.uint64(0), passed)
        keep_side(rows, sight.bits[test], ~np.uint64(0), failed)
        if size_of(passed) < fewest or size_of(failed) < fewest:
            continue
        left = right = one
        for side in range(2):  # one call, compiled once
            found = pair_or_leaf(passed if side == 0 else failed, rules, draw(drawing, 2 * test + side), sight)
            if side == 0:
                left = found
            else:
                right = found
        worth = left[0] + right[0] - rules.price
        n = left[1] + right[1]
        if worth > most or (worth == most and n < leaves):
            most = worth
            leaves = n
            top = np.int64(test)
            one = left
            other = right
    if top == NO_TEST:
        return BROKEN
    old = np.int64(tree[node]["span"])
    new = 2 * leaves - 1
    move_tail(tree, node + old, new - old)
    tree[node]["gene"] = top
    tree[node]["span"] = new
    after = write_pair_or_leaf(tree, node + 1, one)
    write_pair_or_leaf(tree, after, other)
    mend(tree, node)
    grow_path(tree, path, depth, new - old)
    return node
