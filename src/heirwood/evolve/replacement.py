"""Replacement: who makes up the next generation.

    generational   the elites stay, children take all other places
    steady         children are a share of the population; they join and then the worst leave,
                   or the worst leave outright

Ties go to the tree that stands first. On islands each has a succession of its own.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Replacement:
    """The rule of succession of one run."""

    steady: bool
    n_children: int
    join_first: bool  # steady: children compete with the population for its places
    distinct: bool = False  # of trees with the same print all but the first stand last

    @property
    def all_stay(self) -> bool:
        """Whether the worst leave only once children have joined."""
        return self.steady and self.join_first

    def stay(self, payoffs: np.ndarray) -> np.ndarray:
        """Return the places of the trees that stay beside the children, in order of place."""
        if self.all_stay:
            return np.arange(len(payoffs))
        n_staying = len(payoffs) - self.n_children
        return best_places(payoffs, n_staying)

    def leave(self, payoffs: np.ndarray, population: int) -> np.ndarray:
        """Return the places that remain once children have joined."""
        return best_places(payoffs, population)


def stand_last(payoffs: np.ndarray, hashes: np.ndarray) -> np.ndarray:
    """Return payoffs with minus infinity for every tree whose print an earlier one has."""
    _, first = np.unique(hashes, return_index=True)
    standing = np.full(len(payoffs), -np.inf)
    standing[first] = payoffs[first]
    return standing


def best_places(payoffs: np.ndarray, n: int) -> np.ndarray:
    """Return the places of the n highest payoffs, at most all of them, in order of place."""
    if n == 1:  # the usual single elite needs no comparing
        return np.array([payoffs.argmax()])
    if n == 0:
        return np.empty(0, np.int64)
    last = np.partition(payoffs, -n)[-n]  # half the time of a sort
    stays = payoffs > last
    level = (payoffs == last).nonzero()[0]
    stays[level[: n - np.count_nonzero(stays)]] = True
    return stays.nonzero()[0]
