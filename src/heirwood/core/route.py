"""Routing of raw rows: which leaf of one tree each row of a table falls into.

Prediction has no bank: the few questions of one tree are asked of raw values.
"""

import numpy as np

from heirwood.core._jit import kernel

AT_MOST, EQUALS, MISSING, LEAF = 0, 1, 2, 3  # kinds of nodes


@kernel
def route(values, kinds, columns, cuts, missing_passes, rights, leaves):
    """Write the leaf of every row.

    Parameters
    ----------
    values : (n_columns, n_rows) float64
        Numbers, level codes (-1: a level never seen), NaN for missing.
    kinds, columns, cuts, missing_passes : (n_nodes,)
        What each node asks: kind, column, cut or level code, and whether a missing value passes.
    rights : (n_nodes,) int32
        The right child of each inner node; the left one is the next node.
    leaves : (n_rows,) int64, updated in place
    """
    for row in range(values.shape[1]):
        node = 0
        while kinds[node] != LEAF:
            value = values[columns[node], row]
            if np.isnan(value):
                passed = missing_passes[node]
            elif kinds[node] == AT_MOST:
                passed = value <= cuts[node]
            else:
                passed = kinds[node] == EQUALS and value == cuts[node]
            node = node + 1 if passed else rights[node]
        leaves[row] = node
