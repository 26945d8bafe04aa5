"""Islands: parts of a population that breed among themselves, and now and then send each other their best.

Trees of a population stand island by island, each island with as many places as the others.
"""

from collections.abc import Callable, Iterator

import numpy as np


def shores(n: int, n_islands: int) -> Iterator[slice]:
    """Yield the places of each island among `n`."""
    size = n // n_islands
    return (slice(i * size, (i + 1) * size) for i in range(n_islands))


def on_each(n_islands: int, payoffs: np.ndarray, choose: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
    """Return the places that are chosen on each island by the payoffs there."""
    return [shore.start + choose(payoffs[shore]) for shore in shores(len(payoffs), n_islands)]


def settlers(payoffs: np.ndarray, n_islands: int) -> np.ndarray:
    """Return who stands where after the best of each island went to the next, over the worst there.

    The best stays at home too. Ties go to the tree that stands first as the best, and last as the worst.
    """
    places = np.arange(len(payoffs))
    islands = list(shores(len(payoffs), n_islands))
    for here, there in zip(islands, islands[1:] + islands[:1], strict=True):
        best = here.start + int(payoffs[here].argmax())
        worst = there.stop - 1 - int(payoffs[there][::-1].argmin())
        places[worst] = best
    return places
