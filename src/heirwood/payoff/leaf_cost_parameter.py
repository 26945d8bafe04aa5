"""Which cost per leaf a fit is asked for: a number, a pair that moves over the run, or "auto"."""

from __future__ import annotations

import numbers
from typing import Any

from heirwood.payoff import PRICED, find_payoff, is_one_of
from heirwood.payoff.leaf_cost import check_cost
from heirwood.settings import Payoff
from heirwood.terminal_text import brief

AUTO = "auto"


def with_cost(payoff: Payoff, leaf_cost: Any) -> Payoff:
    """Return a payoff with the cost per leaf that is asked for, if it takes one and a number was given.

    Raises
    ------
    ValueError
        Where the cost is none, or the payoff takes none or has one.
    """
    if isinstance(leaf_cost, str) and leaf_cost == AUTO:
        return payoff
    ends = leaf_cost if isinstance(leaf_cost, (tuple, list)) and len(leaf_cost) == 2 else (leaf_cost, leaf_cost)
    if not all(isinstance(end, numbers.Real) and not isinstance(end, bool) for end in ends):
        raise ValueError(
            f"leaf_cost={brief(leaf_cost)} is not valid; expected 'auto', a number from 0 to 1 (what a leaf must gain, "
            "in the unit of the payoff per row), or a pair (start, end) of them"
        )
    find_payoff(payoff.name, payoff.parameters)
    if not is_one_of(payoff.name, PRICED):
        raise ValueError(
            f"leaf_cost={brief(leaf_cost)} goes with the payoffs {', '.join(sorted(PRICED))}; "
            f"payoff={brief(payoff.name)} has no cost per leaf: leave leaf_cost='auto', or give another payoff"
        )
    if "cost" in payoff.parameters:
        raise ValueError(
            f"leaf_cost={brief(leaf_cost)} is given beside {brief(payoff)}, which says what a leaf costs; give one of "
            "them"
        )
    for end in ends:
        check_cost(end, "leaf_cost")
    cost = float(ends[0]) if ends[0] is ends[1] else tuple(map(float, ends))
    return Payoff(payoff.name, **{**payoff.parameters, "cost": cost})


def wants_cost(payoff: Payoff) -> bool:
    """Say whether a payoff takes a cost per leaf and has none yet."""
    return is_one_of(payoff.name, PRICED) and "cost" not in payoff.parameters


def given_cost(payoff: Payoff) -> float | None:
    """Return the cost per leaf that a payoff has, of a pair the end, wherever the run stops; None where it has none."""
    if not is_one_of(payoff.name, PRICED) or wants_cost(payoff):
        return None
    cost = payoff.parameters["cost"]
    return float(cost[-1] if isinstance(cost, (tuple, list)) else cost)
