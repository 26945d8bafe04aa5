"""Tournament: the best of a few drawn trees becomes a parent."""

import numpy as np

from heirwood.core.draws import belows


def tournament(payoffs: np.ndarray, n_parents: int, key: int, *, size: int = 2) -> np.ndarray:
    """Return the places of `n_parents` winners; ties go to the tree that stands first."""
    drawn = belows(key, n_parents * size, len(payoffs)).reshape(n_parents, size)
    order = np.argsort(-payoffs, kind="stable")
    rank = np.empty(len(payoffs), np.int64)
    rank[order] = np.arange(len(payoffs))
    return order[rank[drawn].min(axis=1)]
