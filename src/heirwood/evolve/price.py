"""The price of a leaf: how much more must be right before a payoff calls one more leaf a gain.

Operators that weigh size need it. A payoff that says what a leaf costs is taken at its word. Others may be any
function, so they are asked: of the best tree so far, with some leaves more, by how much would its hits have to grow?
A few leaves at once, since hits are whole numbers; fewer, where a tree has too little left to gain for so many.

Where the best tree has as many leaves as are allowed, one more has to take the place of another. Then a leaf must gain
what the last leaves of the best tree do: the shadow price of the limit.
"""

from collections.abc import Callable

import numpy as np

from heirwood.evolve.hall import Hall
from heirwood.payoff import Trees, pay
from heirwood.payoff.brier import brier
from heirwood.payoff.leaf_cost import cost_in, leaf_cost
from heirwood.payoff.log_loss import log_loss

LEAVES = 8, 4, 2, 1  # asked about at once
STEPS = 64  # candidates in each round of the search


def leaf_price(payoff: Callable[..., np.ndarray], parameters: dict[str, float], best: Trees) -> float:
    """Return the weight that one more leaf must get right to be worth it, by a payoff, for a tree like the best.

    Parameters
    ----------
    payoff : callable
    parameters : dict of str to float
        Of the payoff, as they are now.
    best : Trees
        The record of one tree.
    """
    if payoff in (leaf_cost, log_loss, brier):
        return float(cost_in(parameters)) * best.total / best.worst
    high = best.total - int(best.hits[0])
    for leaves in LEAVES:
        price = _asked_price(lambda trees: pay(payoff, trees, parameters), best, leaves, high)
        if price is not None:
            return price
    return float(high + 1)


def price_of_limit(hall: Hall, max_leaf_nodes: int) -> float:
    """Return what the last leaves of the best tree gain each, at least, where no tree may have more; else 0.

    That is its lead in hits over some smaller tree of the hall, by leaf: the least lead of all counts.
    """
    best, smaller = hall.best, hall.leaves[hall.leaves < hall.best]
    if best < max_leaf_nodes or len(smaller) == 0:
        return 0.0
    hits = hall.by_size.hits
    return float(((hits[best] - hits[smaller]) / (best - smaller)).min())


def _asked_price(payoff: Callable[[Trees], np.ndarray], best: Trees, leaves: int, high: int) -> float | None:
    """Return the price by what some leaves more must get right at once; None where all there is would not do."""
    low = 0  # not worth it at low - 1; known to be worth it above high only
    before = payoff(best)[0]
    if not _paid(payoff, best, leaves, np.array([high]))[0] >= before:
        return None
    while low < high:
        tried = _candidates(low, high)
        worth_it = _paid(payoff, best, leaves, tried) >= before
        first = int(np.argmax(worth_it))
        low, high = (int(tried[first - 1]) + 1 if first else low), int(tried[first])
    return low / leaves


def _candidates(low: int, high: int) -> np.ndarray:
    """Return at most STEPS whole numbers from low to high, both among them, ascending and evenly spread.

    In integers, and the difference of neighbours at most half of the whole: so each round of the search shrinks the
    interval, whatever the payoff says. Floats would not tell numbers near 2**60 apart.
    """
    steps = min(high - low, STEPS - 1)
    return np.array([low + (high - low) * step // steps for step in range(steps + 1)], np.int64)


def _paid(payoff: Callable[[Trees], np.ndarray], best: Trees, more_leaves: int, more_hits: np.ndarray) -> np.ndarray:
    """Return the payoffs of the best tree with more leaves and some more hits."""
    n = len(more_hits)
    leaves = np.full(n, best.leaves[0] + more_leaves)
    depth = np.full(n, best.depth[0])
    sums = {name: np.repeat(values, n) for name, values in best.sums.items()}
    return payoff(Trees(best.hits[0] + more_hits, leaves, depth, best.total, best.n_rows, sums, best.worst))
