"""Leaf-Grow (ours): a leaf becomes a drawn test with two leaves.

The paper's trees grow by crossover alone. With labels set by majority a Leaf-Change changes
nothing, and this takes its place.
"""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import find_path, grow_path, move_tail, write_stump
from heirwood.core.draws import below, draw_test
from heirwood.core.mutation.rng_slots import ATTRIBUTE, BROKEN, LABEL, OTHER_LABEL

GROWTH = np.int64(2)  # nodes that a leaf grows by


@part_kernel
def leaf_grow(tree, node, rules, key, slot, path):
    """Turn the leaf `node` into a test with two leaves; return `node`, or BROKEN beyond a limit."""
    depth = find_path(tree, node, path)
    n_leaves = (tree[0]["span"] + 1) // 2
    if rules.first.shape[0] < 2 or n_leaves + 1 > rules.max_leaf_nodes or depth + 1 > rules.max_depth:
        return BROKEN
    test = draw_test(key, slot + ATTRIBUTE, rules.first, rules.tickets)
    left_label = below(key, slot + LABEL, rules.n_classes)
    right_label = below(key, slot + OTHER_LABEL, rules.n_classes)
    move_tail(tree, node + 1, GROWTH)
    write_stump(tree, node, test, left_label, right_label)
    grow_path(tree, path, depth, GROWTH)
    return node
