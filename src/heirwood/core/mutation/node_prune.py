"""Node-Prune: an inner node becomes a leaf, all structure below is discarded (the paper, Table 1)."""

import numpy as np

from heirwood.core._jit import small_kernel
from heirwood.core.arena import find_path, grow_path, move_tail, write_leaf
from heirwood.core.draws import below
from heirwood.core.mutation.node_change import node_change
from heirwood.core.mutation.slots import LABEL


@small_kernel
def node_prune(arena, tree, node, rules, key, slot, path):
    """Turn `node` into a leaf of a drawn class; return `node`, which is stale.

    Where the root must stay a test, its test is changed instead.
    """
    if node == 0 and not rules.prune_root:
        return node_change(arena, tree, node, rules, key, slot, path)
    lost = np.int64(arena.span[tree, node]) - 1
    depth = find_path(arena.span, tree, node, path)
    move_tail(arena, tree, node + 1 + lost, -lost)
    write_leaf(arena, tree, node, below(key, slot + LABEL, rules.n_classes))
    grow_path(arena, tree, path, depth, -lost)
    return node
