"""Tournament: the best of a few drawn trees becomes a parent."""

import numpy as np

from heirwood.core.tournament import draw_winners


def tournament(payoffs: np.ndarray, n_parents: int, key: int, *, size: int = 2) -> np.ndarray:
    """Return the places of `n_parents` winners; ties go to the tree that stands first."""
    winners = np.empty(n_parents, np.int64)
    draw_winners(np.ascontiguousarray(payoffs), np.uint64(key), size, winners)
    return winners
