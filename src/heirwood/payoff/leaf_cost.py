"""Errors plus a cost per leaf, the objective of the optimal-tree solvers, turned so that more is better."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from heirwood.payoff.tree_sums import Trees
from heirwood.terminal_text import brief


def leaf_cost(trees: Trees, *, cost: float = 0.01) -> np.ndarray:
    """Return ``accuracy - cost * leaves``, which is one minus (share of errors + cost per leaf)."""
    check_cost(cost)
    return trees.hits / trees.total - cost * trees.leaves


def check_cost(cost: Any, name: str = "cost") -> None:
    """Refuse what no leaf can cost; it may be a number that no float can be."""
    if not 0 <= cost <= 1:
        raise ValueError(
            f"{name}={brief(cost)} is not valid; expected a number from 0 to 1: what a leaf must gain, as a share of "
            "all rows, or in the unit of the payoff per row (0.01, say)"
        )


def cost_in(parameters: Mapping[str, Any]) -> Any:
    """Return the cost that the parameters of a payoff say, or that of one that says nothing."""
    return {**(leaf_cost.__kwdefaults__ or {}), **parameters}["cost"]
