"""Log loss plus a cost per leaf, turned so that more is better: for those who decide by a risk and not by a label."""

import numpy as np

from heirwood.payoff.leaf_cost import check_cost
from heirwood.payoff.tree_sums import Trees


def log_loss(trees: Trees, *, cost: float = 0.01) -> np.ndarray:
    """Return ``-(log loss + cost * leaves)``, in nats per row, where every leaf answers with the shares of its rows."""
    check_cost(cost)
    return -trees.loss - cost * trees.leaves
