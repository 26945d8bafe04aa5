"""Node-Prune: an inner node becomes a leaf, all structure below is discarded (the paper, Table 1)."""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import find_path, grow_path, move_tail, write_leaf
from heirwood.core.draws import below
from heirwood.core.mutation.node_change import node_change
from heirwood.core.mutation.rng_slots import LABEL


@part_kernel
def node_prune(tree, node, rules, key, slot, path):
    """Turn `node` into a leaf of a drawn class; return `node`, which is stale.

    Where the root must stay a test, its test is changed instead.
    """
    if node == 0 and not rules.prune_root:
        return node_change(tree, node, rules, key, slot, path)
    lost = np.int64(tree[node]["span"]) - 1
    depth = find_path(tree, node, path)
    move_tail(tree, node + 1 + lost, -lost)
    write_leaf(tree, node, below(key, slot + LABEL, rules.n_classes))
    grow_path(tree, path, depth, -lost)
    return node
