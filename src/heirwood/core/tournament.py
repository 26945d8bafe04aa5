"""Tournaments: every parent of a generation is the best of a few drawn trees."""

import numpy as np

from heirwood.core._jit import kernel
from heirwood.core.draws import below


@kernel
def draw_winners(payoffs, key, size, winners):
    """Write the places of the winners; ties go to the tree that stands first.

    Parameters
    ----------
    payoffs : (n_trees,) float64
    key : uint64
        Tournament i draws its trees at the slots from i * size on.
    size : int
        Trees of one tournament.
    winners : (n_tournaments,) int64, updated in place
    """
    n_trees = np.int64(payoffs.shape[0])
    for i in range(winners.shape[0]):
        winner = below(key, i * size, n_trees)
        for slot in range(i * size + 1, (i + 1) * size):
            rival = below(key, slot, n_trees)
            if payoffs[rival] > payoffs[winner] or (payoffs[rival] == payoffs[winner] and rival < winner):
                winner = rival
        winners[i] = winner
