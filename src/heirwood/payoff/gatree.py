"""Eq. 1 of the paper: squared accuracy, discounted by the squared number of leaves."""

import numpy as np

from heirwood.payoff.tree_sums import Trees


def gatree(trees: Trees, *, x: float = 10_000.0) -> np.ndarray:
    """Return ``accuracy**2 * x / (leaves**2 + x)``; a larger `x` forgives larger trees."""
    if not x > 0:
        raise ValueError(f"x={x!r} is not valid; expected a number above 0 (the paper has 10,000 and more)")
    accuracy = trees.hits / trees.total
    return accuracy**2 * (x / (trees.leaves**2 + x))
