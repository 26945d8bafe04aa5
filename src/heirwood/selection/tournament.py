"""Tournament: the best of a few drawn trees becomes a parent."""

import numpy as np

from heirwood.core.draws import belows


def tournament(payoffs: np.ndarray, n_parents: int, key: int, *, size: int = 2) -> np.ndarray:
    """Return the places of `n_parents` winners; ties go to the tree that stands first."""
    drawn = belows(key, n_parents * size, len(payoffs)).reshape(n_parents, size)
    winners = drawn[:, 0]
    best = payoffs[winners]
    for rivals in drawn.T[1:]:
        theirs = payoffs[rivals]
        beaten = (theirs > best) | ((theirs == best) & (rivals < winners))
        winners = np.where(beaten, rivals, winners)
        best = np.where(beaten, theirs, best)
    return winners
