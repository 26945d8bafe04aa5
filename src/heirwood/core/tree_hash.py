"""Hashes of trees, the same for trees whose leaves get as many rows and hits.

The rows and hits of each leaf are mixed and added up: the order of the leaves does not count, nor do cuts between which
no row lies. On tables of numbers, trees that differ rarely agree in that; on
balanced tables of few levels some do, and count as copies.
"""

import numpy as np

from heirwood.core._jit import kernel
from heirwood.core.draws import fold_leaf


@kernel
def write_tree_hashes(arena, trees, hashes):
    """Write the hash of each tree.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE
    trees : (n,) int64
    hashes : (n,) uint64, updated in place
    """
    for i in range(trees.shape[0]):
        tree = arena[trees[i]]
        total = np.uint64(0)
        for node in range(tree[0]["span"]):
            if tree[node]["gene"] < 0:
                total = fold_leaf(total, tree[node]["rows"], tree[node]["hits"], ~tree[node]["gene"])
        hashes[i] = total
