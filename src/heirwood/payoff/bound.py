"""What no tree can do better than: a bound on errors + cost per leaf that needs no search.

Two reasons, both true of every tree whatever its questions. Rows that agree in every column end at the same
leaf, so of each such group all but its heaviest class are errors (the *equivalent points*). And a tree of L
leaves has at most L labels, so all classes but the L heaviest are errors.
"""

import numpy as np

from heirwood.payoff.leaf_cost import leaf_cost
from heirwood.payoff.trees import Trees


def best_leaf_cost(
    values: np.ndarray, codes: np.ndarray, weights: np.ndarray, n_classes: int, *, cost: float = 0.01
) -> float:
    """Return a payoff `leaf_cost` that no tree exceeds: one minus (share of errors + cost per leaf).

    Parameters
    ----------
    values : (n_rows, n_columns) float64
        The table; missing values are NaN.
    codes, weights : (n_rows,) int64
        Class and weight of each row.
    n_classes : int
    cost : float

    Returns
    -------
    float
        Reached only by an optimal tree; usually by none. Cost O(n_rows * n_columns + n_rows log n_rows).
    """
    of_class = np.zeros(n_classes, np.int64)
    np.add.at(of_class, codes, weights)
    heaviest_first = np.sort(of_class)[::-1]
    total = int(of_class.sum())
    leaves = np.arange(1, max(n_classes, 2) + 1)
    labels = np.cumsum(np.resize(np.append(heaviest_first, 0), len(leaves)))
    hits = np.minimum(labels, _agreeing(values, codes, weights, n_classes))
    hits[0] = heaviest_first[0]  # a single leaf is known exactly
    trees = Trees(hits, leaves, np.zeros_like(leaves), total, len(codes))
    return float(leaf_cost(trees, cost=cost).max())


def _agreeing(values: np.ndarray, codes: np.ndarray, weights: np.ndarray, n_classes: int) -> int:
    """Return the weight that is right if every group of equal rows has its heaviest class."""
    groups = equal_rows(values)
    weight = np.zeros((int(groups.max()) + 1, n_classes), np.int64)
    np.add.at(weight, (groups, codes), weights)
    return int(weight.max(axis=1).sum())


def equal_rows(values: np.ndarray) -> np.ndarray:
    """Return the group of each row: rows that agree in every column, NaN with NaN, share one."""
    groups = np.zeros(len(values), np.int64)
    for column in values.T:
        _, kinds = np.unique(column, return_inverse=True)  # NaNs are one kind
        _, groups = np.unique(groups * (int(kinds.max()) + 1) + kinds, return_inverse=True)
    return groups
