"""Roulette: a tree is drawn in proportion to its linearly scaled payoff."""

import numpy as np

from heirwood.core.draws import chances
from heirwood.events import mean as mean_of


def roulette(payoffs: np.ndarray, n_parents: int, key: int, *, best: float = 1.2) -> np.ndarray:
    """Return the places of `n_parents` drawn trees.

    Payoffs are scaled so that the best tree is drawn `best` times as often as an average one, or
    less where the worst would otherwise get a negative share (Goldberg's linear scaling). Only
    differences count, so payoffs may be negative.
    """
    shares = np.cumsum(linear_scaling(payoffs, best))
    drawn = chances(key, n_parents) * shares[-1]
    return np.minimum(np.searchsorted(shares, drawn, side="right"), len(payoffs) - 1)


def linear_scaling(payoffs: np.ndarray, best: float) -> np.ndarray:
    """Return non-negative shares with mean 1 and, if the worst allows it, maximum `best`."""
    if not np.isfinite(payoffs).all():
        raise ValueError("roulette needs finite payoffs; use tournament selection for payoffs that can be infinite")
    mean = mean_of(payoffs)
    assert mean is not None
    largest, smallest = payoffs.max(), payoffs.min()
    if not smallest < mean < largest:
        return np.ones(len(payoffs))
    slope = min((best - 1.0) / (largest - mean), 1.0 / (mean - smallest))
    return np.maximum(1.0 + slope * (payoffs - mean), 0.0)
