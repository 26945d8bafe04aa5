"""Hoist: one of an inner node's subtrees takes its place."""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import copy_slice, find_path, grow_path, keep_sums, move_tail
from heirwood.core.draws import below
from heirwood.core.mutation.rng_slots import LABEL
from heirwood.core.node_context import TWO


@part_kernel
def hoist(tree, node, rules, key, slot, path):
    """Put the left or the right subtree of `node` in its place; return `node`, which is stale."""
    old = np.int64(tree[node]["span"])
    chosen = node + 1
    if below(key, slot + LABEL, TWO) == 1:
        chosen += np.int64(tree[node + 1]["span"])
    new = np.int64(tree[chosen]["span"])
    depth = find_path(tree, node, path)
    keep_sums(tree, node, chosen)
    copy_slice(tree, chosen, tree, node, new)
    move_tail(tree, node + old, new - old)
    # The root's span is the tree's, and moving a tail reads it: so it is mended last.
    grow_path(tree, path, depth, new - old)
    return node
