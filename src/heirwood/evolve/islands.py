"""Islands: parts of a population that breed among themselves. The first is home, the others explore.

An explorer that has not got better for a while has found what it could. Its trees go home, where the best of both
stay, and it starts anew. So a run that is stuck still looks elsewhere, and what it finds elsewhere is mixed with what
it had. Trees of a population stand island by island, each island with as many places as the others.
"""

from collections.abc import Callable, Iterator

import numpy as np


def shores(n: int, n_islands: int) -> Iterator[slice]:
    """Yield the places of each island among `n`."""
    size = n // n_islands
    return (slice(i * size, (i + 1) * size) for i in range(n_islands))


def worst_first(payoffs: np.ndarray, shore: slice) -> list[int]:
    """Return the places of an island by ascending payoff: of equals, the one that stands first."""
    places: list[int] = (shore.start + np.argsort(payoffs[shore], kind="stable")).tolist()
    return places


def on_each(n_islands: int, payoffs: np.ndarray, choose: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
    """Return the places that are chosen on each island by the payoffs there."""
    return [shore.start + choose(payoffs[shore]) for shore in shores(len(payoffs), n_islands)]


class Explorers:
    """When each island got better last.

    Parameters
    ----------
    n_islands : int
    renewal : int
        Generations without a better tree after which an island but the first starts anew.
    """

    def __init__(self, n_islands: int, renewal: int) -> None:
        self.renewal = renewal
        self.best = np.full(n_islands, -np.inf)
        self.since = np.zeros(n_islands, np.int64)

    def tired(self, payoffs: np.ndarray) -> list[int]:
        """Note the payoffs of a generation; return the islands that are to start anew, which are then fresh."""
        best = payoffs.reshape(len(self.best), -1).max(axis=1)
        self.since = np.where(best > self.best, 0, self.since + 1)
        self.best = np.maximum(best, self.best)
        tired = [island for island in range(1, len(self.best)) if self.since[island] >= self.renewal]
        self.best[tired] = -np.inf
        self.since[tired] = 0
        return tired
