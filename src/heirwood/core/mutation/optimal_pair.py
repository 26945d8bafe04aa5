"""Optimal-Pair: a leaf or a whole subtree becomes the best subtree of depth two.

Over all tests on top where that is affordable, otherwise over as many drawn ones as is; where even a few are too
many, the tests below them are drawn as well.

For each test on top, the best test of each side is found as Optimal-Stump does; a side that no test makes
better, by more than the price of a leaf, stays a leaf. What gets most right wins, less the price of its
leaves; then the fewest leaves, then the first that was looked at.
"""

import numpy as np

from heirwood.core._jit import kernel, small_kernel
from heirwood.core.arena import ONE, grow_path, mend, move_tail, write_leaf, write_stump
from heirwood.core.draws import draw, draw_test
from heirwood.core.mutation.slots import BROKEN, OTHER_LABEL
from heirwood.core.sight import ERRORS, HERE, NO_TEST, ONE_SIDE, OTHER_SIDE, heaviest, judge, see, weigh
from heirwood.core.split import DRAWN, find_split
from heirwood.core.sweeps import count, narrow

MOST_LEAVES = 4


@kernel
def best_side(rows, n_rows, rules, key, n_answers, sight):
    """Return (worth, test or NO_TEST, label, other label) of the best stump for some rows, or of a leaf if no worse.

    Worth is what it gets right, less the price of a further leaf.
    """
    whole, best_left = sight.weights[0], sight.weights[2]
    weigh(rows, sight.target, whole)
    label = heaviest(whole)
    worth = np.float64(whole[label])
    test = find_split(rows, n_rows, whole, rules, key, ERRORS, n_answers, sight)
    if test == NO_TEST or judge(best_left, whole, ERRORS) - rules.price <= worth:
        return worth, NO_TEST, label, label
    worth = judge(best_left, whole, ERRORS) - rules.price
    for c in range(whole.shape[0]):
        whole[c] -= best_left[c]
    return worth, test, heaviest(best_left), heaviest(whole)


@small_kernel
def write_side(tree, node, test, label, other):
    """Write a side of the pair; return the place after it."""
    if test == NO_TEST:
        write_leaf(tree, node, label)
        return node + 1
    write_stump(tree, node, test, label, other)
    return node + 3


@kernel
def optimal_pair(tree, node, rules, key, slot, path, sight):
    """Turn the subtree at `node` into the best of depth two; return `node`, or BROKEN beyond a limit."""
    depth = see(tree, node, path, sight)
    n_leaves = (tree[0]["span"] - tree[node]["span"]) // 2 + MOST_LEAVES
    if rules.first.shape[0] < 2 or n_leaves > rules.max_leaves or depth + 2 > rules.max_depth:
        return BROKEN
    drawing = draw(key, slot + OTHER_LABEL)
    fewest = max(rules.min_rows, 1)
    rows, passed, failed = sight.rows[HERE], sight.rows[ONE_SIDE], sight.rows[OTHER_SIDE]
    most = -np.inf
    leaves = np.int64(0)
    top = NO_TEST
    one = other = (0.0, NO_TEST, np.int64(0), np.int64(0))
    n_tests = rules.first[-1]
    affordable = rules.n_answers // (max(count(rows, rows), 1) * (rules.first.shape[0] - 1))
    n_tops = min(max(affordable, rules.n_drawn), n_tests)
    n_answers = rules.n_answers if affordable >= n_tops else DRAWN
    for i in range(n_tops):
        test = np.int64(i) if n_tops == n_tests else draw_test(drawing, 2 * i, rules.first, rules.tickets)
        narrow(rows, sight.bits[test], np.uint64(0), passed)
        narrow(rows, sight.bits[test], ~np.uint64(0), failed)
        n_passed = count(passed, passed)
        n_failed = count(failed, failed)
        if n_passed < fewest or n_failed < fewest:
            continue
        inside = 2 * (n_tops + i)
        left = best_side(passed, n_passed, rules, draw(drawing, inside), n_answers, sight)
        right = best_side(failed, n_failed, rules, draw(drawing, inside + 1), n_answers, sight)
        n = (ONE if left[1] == NO_TEST else 2 * ONE) + (ONE if right[1] == NO_TEST else 2 * ONE)
        if left[0] + right[0] > most or (left[0] + right[0] == most and n < leaves):
            most = left[0] + right[0]
            leaves = n
            top = test
            one = left
            other = right
    if top == NO_TEST:
        return BROKEN
    old = np.int64(tree[node]["span"])
    new = 2 * leaves - 1
    move_tail(tree, node + old, new - old)
    tree[node]["gene"] = top
    tree[node]["span"] = new
    after = write_side(tree, node + 1, one[1], one[2], one[3])
    write_side(tree, after, other[1], other[2], other[3])
    mend(tree, node)
    grow_path(tree, path, depth, new - old)
    return node
