"""Refit: an inner node keeps both subtrees and gets the test that sends most rows to the side that is right.

With L the rows that the left subtree gets right and R those of the right one, a test T gets
w(R) + w(L & T) - w(R & T) right. So only the rows count that just one of the two gets right. With costs a row
weighs what is at stake: the most that it can cost.
"""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.binned_columns import list_rows
from heirwood.core.bitset_ops import count, count_both
from heirwood.core.draws import below, draw
from heirwood.core.leaf_loss import COSTS
from heirwood.core.mutation.rng_slots import BROKEN, OTHER_LABEL
from heirwood.core.node_context import HERE, NO_TEST, ONE_SIDE, OTHER_SIDE, mark_right, see
from heirwood.core.split import n_looked
from heirwood.core.split_scan import ROW_COST


@small_kernel
def weight_passing(rows, test, target):
    """Return what is at stake of those of some rows that pass a test."""
    if not target.weighted and target.hits_are != COSTS:
        return count(rows, test)
    total = 0
    for c in range(target.gains.shape[0]):
        for p in range(target.starts[c], target.starts[c + 1]):
            total += target.gains[c, c] * target.scale[p] * count_both(rows, test, target.planes[p])
    return total


@part_kernel
def gain_bits(start, stop, context, best, most):
    """Look at some tests by their bit rows; return the best test so far and what it gains."""
    for test in range(start, stop):
        answers = context.bits[test]
        gain = weight_passing(context.rows[ONE_SIDE], answers, context.target) - weight_passing(
            context.rows[OTHER_SIDE], answers, context.target
        )
        if best == NO_TEST or gain > most:
            best = np.int64(test)
            most = np.int64(gain)
    return best, most


@part_kernel
def gain_bins(attribute, start, stop, n, context, best, most):
    """Look at all tests of an attribute by one pass over the `n` rows listed; return as `gain_bits` does."""
    columns = context.columns
    k = np.int64(columns.n_plain[attribute])
    gains = context.counts[: k + 2]
    bins = columns.bins[columns.place[attribute]]
    left = context.rows[ONE_SIDE]
    for i in range(n):
        row = context.listed[0, i]
        is_left = (left[row >> 6] >> np.uint64(row & 63)) & np.uint64(1)
        weight = columns.stakes[row]
        gains[bins[row]] += weight if is_left else -weight
    missing = gains[k + 1]
    for twin in range(2 if stop - start > k else 1):
        running = missing if twin == 1 else np.int64(0)
        for b in range(k):
            gain = running + gains[b]
            if not columns.equals[attribute]:
                running = gain
            if best == NO_TEST or gain > most:
                best = start + twin * k + b
                most = gain
    if stop - start > k and missing > most:
        best = start + 2 * k
        most = missing
    for b in range(k + 2):
        gains[b] = 0
    return best, most


@part_kernel
def refit(tree, node, rules, key, slot, path, context):
    """Replace the test of `node`; return `node`, which is stale, or BROKEN where there is no test."""
    see(tree, node, path, context)
    left, right, differing = context.rows[ONE_SIDE], context.rows[OTHER_SIDE], context.rows[HERE]
    mark_right(tree, node + 1, context, left)
    mark_right(tree, node + 1 + np.int64(tree[node + 1]["span"]), context, right)
    for w in range(differing.shape[0]):
        differing[w] = left[w] ^ right[w]
    n_rows = list_rows(differing, context.columns.codes, context.counts.shape[0], context.listed)
    n, are_all = n_looked(n_rows, differing.shape[0], rules.n_answers, rules)
    drawing = draw(key, slot + OTHER_LABEL)
    row_words = (
        2
        * differing.shape[0]
        * (context.target.planes.shape[0] if context.target.weighted or context.target.hits_are == COSTS else 1)
    )
    best = NO_TEST
    most = np.int64(0)
    for i in range(n):
        attribute = np.int64(i) if are_all else below(drawing, i, rules.first.shape[0] - 1)
        start, stop = rules.first[attribute], rules.first[attribute + 1]
        if context.columns.place[attribute] < 0 or (stop - start) * row_words < ROW_COST * n_rows:
            best, most = gain_bits(start, stop, context, best, most)
        else:
            best, most = gain_bins(attribute, start, stop, n_rows, context, best, most)
    if best == NO_TEST:
        return BROKEN
    tree[node]["gene"] = best
    return node
