"""Tournament: the best of a few drawn trees becomes a parent."""

import numpy as np

from heirwood.core.tournament import draw_winners


def tournament(payoffs: np.ndarray, n_parents: int, key: int, *, size: int = 2) -> np.ndarray:
    """Return the places of `n_parents` winners; ties go to the tree that stands first."""
    winners = np.empty(n_parents, np.int64)
    # What a user's payoff returned may be read-only, or every other element of something: other types to the compiler.
    draw_winners(np.require(payoffs, np.float64, ["C", "W"]), np.uint64(key), size, winners)
    return winners
