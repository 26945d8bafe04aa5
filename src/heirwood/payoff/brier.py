"""Brier score plus a cost per leaf, turned so that more is better."""

import numpy as np

from heirwood.payoff.leaf_cost import check_cost
from heirwood.payoff.tree_sums import Trees


def brier(trees: Trees, *, cost: float = 0.01) -> np.ndarray:
    """Return ``-(Brier score + cost * leaves)``, where every leaf answers with the shares of its rows.

    The score of a row is the sum, over all classes, of squared differences between shares and what it is: 1 or 0.
    """
    check_cost(cost)
    return -trees.loss - cost * trees.leaves
