"""Sharpen: an inner node keeps its column and both subtrees, and gets the cut that sends most rows to the right side.

Over all midpoints of the column, where the bank has only some. A cut that no test asks is written to the child's own
place of the bank; without one, and at a node that asks something else, the tree stays as it is.
"""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.binned_columns import list_rows
from heirwood.core.exact_cuts import NO_CUT, NOTHING, UNRANKED, add_up, best_gap, nearest_known, write_cut
from heirwood.core.node_context import HERE, ONE_SIDE, OTHER_SIDE, mark_right, see


@part_kernel
def sharpen(tree, node, rules, key, slot, path, context):
    """Move the cut of `node` to where it is best; return `node`, which is stale, or UNRANKED, with nothing done."""
    exact, values = context.exact, context.values
    test = np.int64(tree[node]["gene"])
    column = np.int64(exact.column[test])
    if column < 0:
        return node
    exact.wanted[column] = True
    if exact.n_values[column] == 0:
        return UNRANKED
    see(tree, node, path, context)
    left, right = context.rows[ONE_SIDE], context.rows[OTHER_SIDE]
    mark_right(tree, node + 1, context, left)
    mark_right(tree, node + 1 + np.int64(tree[node + 1]["span"]), context, right)
    n = list_rows(context.rows[HERE], context.columns.codes, context.counts.shape[0], context.listed)
    ranks, passes = exact.ranks[column], exact.passes[test]
    missing = add_up(ranks, context.listed[0], n, left, right, context.columns.stakes, values)
    start, stop = exact.starts[column], exact.starts[column] + exact.n_values[column]
    fewest = np.int64(max(rules.min_rows, 1))
    first, last = best_gap(
        stop - start, np.int64(exact.rank[test]), missing if passes else NOTHING, n, fewest, values
    )  # fmt: skip
    if first == NO_CUT:
        return node
    found = nearest_known(exact.known[1 if passes else 0, start:stop], first, last)
    if found == NO_CUT:
        found = np.int64(values.lent[0])
        if found < 0:
            return node
        values.lent[0] = -1  # one test a child
        exact.column[found] = column
        exact.rank[found] = (first + last) // 2
        exact.passes[found] = passes
        write_cut(ranks, (first + last) // 2, passes, context.bits[found])
    tree[node]["gene"] = found
    return node
