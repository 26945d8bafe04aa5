"""Payoffs: sums and sizes -> how good each tree is. NumPy over the population, one a file."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from heirwood.payoff.brier import brier
from heirwood.payoff.fewest_errors import fewest_errors
from heirwood.payoff.gatree import gatree
from heirwood.payoff.gatree_nodes import gatree_nodes
from heirwood.payoff.leaf_cost import leaf_cost
from heirwood.payoff.log_loss import log_loss
from heirwood.payoff.tree_sums import Trees
from heirwood.terminal_text import brief

PAYOFFS: dict[str, Callable[..., np.ndarray]] = {
    "gatree": gatree,
    "gatree_nodes": gatree_nodes,
    "leaf_cost": leaf_cost,
    "fewest_errors": fewest_errors,
    "log_loss": log_loss,
    "brier": brier,
}

#: Payoffs that say what a leaf costs.
PRICED = frozenset({"leaf_cost", "log_loss", "brier"})

#: Payoffs of what leaves answer with shares: hits are the loss that is avoided.
LOSSES = frozenset({"log_loss", "brier"})

#: Payoffs of hits and leaves that more hits never lower: `heirwood.payoff.bound` knows what no tree exceeds.
BOUNDED = frozenset({"leaf_cost", "fewest_errors"})


def is_one_of(payoff: Any, names: Iterable[str]) -> bool:
    """Say whether a payoff goes by one of some names; one that is a function goes by none, hashable or not."""
    return isinstance(payoff, str) and payoff in names


def find_payoff(payoff: Any, parameters: dict[str, Any]) -> Callable[..., np.ndarray]:
    """Return the payoff function of a name, or the function itself, after a look at its parameters."""
    if callable(payoff):
        function = payoff
    elif isinstance(payoff, str) and payoff in PAYOFFS:
        function = PAYOFFS[payoff]
    else:
        raise ValueError(
            f"payoff={brief(payoff)} is unknown; expected one of {sorted(PAYOFFS)} or a function of one record of "
            "arrays"
        )
    known = inspect.signature(function).parameters
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values())
    unknown = [name for name in parameters if name not in known]
    if unknown and not takes_any:
        accepted = list(known)[1:]
        others = [name for name in PAYOFFS if unknown[0] in inspect.signature(PAYOFFS[name]).parameters]
        hint = f'. Did you mean Payoff("{others[0]}", {unknown[0]}=...)?' if others else ""
        raise ValueError(
            f"payoff {getattr(function, '__name__', payoff)!r} has no parameter {unknown[0]!r}; it takes "
            f"{accepted}{hint}"
        )
    return function


def pay(function: Callable[..., Any], trees: Trees, parameters: dict[str, float]) -> np.ndarray:
    """Return the payoff of every tree, checked: one finite-or-infinite float each, never NaN."""
    is_ours = any(function is each for each in PAYOFFS.values())  # ours write to nothing
    returned = function(trees if is_ours else trees.read_only(), **parameters)
    try:
        payoffs = np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the payoff returned a {type(returned).__name__} that is no array of numbers ({error}); "
            "expected one number for each tree"
        ) from error
    if payoffs.shape != trees.hits.shape:
        raise ValueError(
            f"the payoff returned an array of shape {payoffs.shape} for {len(trees)} trees; "
            f"expected one number for each tree, shape {trees.hits.shape}"
        )
    if np.isnan(payoffs).any():
        place = int(np.flatnonzero(np.isnan(payoffs))[0])
        raise ValueError(
            f"the payoff of a tree with {trees.hits[place]} hits and {trees.leaves[place]} leaves is NaN; "
            "a payoff must be a number for every tree"
        )
    return payoffs


__all__ = ["BOUNDED", "LOSSES", "PAYOFFS", "PRICED", "Trees", "find_payoff", "is_one_of", "pay"]
