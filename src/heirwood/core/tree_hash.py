"""Prints: a number for each tree, the same for trees whose leaves get as many rows and hits.

How many rows arrive at each leaf, and how much of them is right, is mixed and added up: the order of the leaves does
not count, nor do cuts between which no row lies. On tables of numbers, trees that differ rarely agree in that; on
balanced tables of few levels some do, and count as copies.
"""

import numpy as np

from heirwood.core._jit import kernel
from heirwood.core.draws import fold_leaf


@kernel
def write_prints(arena, trees, prints):
    """Write the print of each tree.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE
    trees : (n,) int64
    prints : (n,) uint64, updated in place
    """
    for i in range(trees.shape[0]):
        tree = arena[trees[i]]
        total = np.uint64(0)
        for node in range(tree[0]["span"]):
            if tree[node]["gene"] < 0:
                total = fold_leaf(total, tree[node]["rows"], tree[node]["hits"], ~tree[node]["gene"])
        prints[i] = total
