"""The price of a leaf: how much more must be right before a payoff calls one more leaf a gain.

Operators that weigh size need it, and a payoff is any function. So it is asked: of the best tree so far, with
some leaves more, by how much would its hits have to grow? A few leaves at once, since hits are whole numbers.
"""

from collections.abc import Callable

import numpy as np

from heirwood.payoff import Trees

LEAVES = 8  # asked about at once
STEPS = 64  # candidates in each round of the search


def leaf_price(pay: Callable[[Trees], np.ndarray], best: Trees) -> float:
    """Return the weight that one more leaf must get right to be worth it, by a payoff, for a tree like the best.

    Parameters
    ----------
    pay : callable
        The payoff of a record of trees.
    best : Trees
        The record of one tree.
    """
    payoff = pay(best)[0]
    low, high = 0, best.total - int(best.hits[0])  # not worth it at low - 1; known to be worth it above high only
    if not _paid(pay, best, np.array([high]))[0] >= payoff:
        return float(high + 1)
    while low < high:
        tried = np.unique(np.linspace(low, high, STEPS).astype(np.int64))
        worth_it = _paid(pay, best, tried) >= payoff
        first = int(np.argmax(worth_it))
        low, high = (int(tried[first - 1]) + 1 if first else low), int(tried[first])
    return low / LEAVES


def _paid(pay: Callable[[Trees], np.ndarray], best: Trees, more_hits: np.ndarray) -> np.ndarray:
    """Return the payoffs of the best tree with more leaves and some more hits."""
    n = len(more_hits)
    leaves = np.full(n, best.leaves[0] + LEAVES)
    depth = np.full(n, best.depth[0])
    sums = {name: np.repeat(values, n) for name, values in best.sums.items()}
    return pay(Trees(best.hits[0] + more_hits, leaves, depth, best.total, best.n_rows, sums))
