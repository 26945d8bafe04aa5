"""A sweep: the best tree of three levels for some rows, with every test of the bank on top that may be better.

Below a test on top are two pairs, each the best there is (`core.low`). Between two tests that send all but d rows
the same way, what the best tree gets right differs by d at most: so cuts are tried from coarse to fine, and passed over
where neighbours say that they cannot be better. A sweep can stop anywhere and go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from heirwood.core.target import Target

PAIR, TRIPLE = 2, 3  # levels
STEP = 2**14  # answers that could be looked at while a search for a pair does all it does besides


class Pairs(Protocol):
    """What a backend's search for pairs can be asked."""

    def stump(self, rows: np.ndarray, price: float) -> tuple[float, list[int]]: ...  # noqa: D102
    def pair(self, rows: np.ndarray, price: float) -> tuple[float, list[int]]: ...  # noqa: D102


def answers_for_a_pair(n_rows: int, first: np.ndarray, n_classes: int) -> int:
    """Return how many answers could be looked at in about the time that the best pair for some rows takes.

    Parameters
    ----------
    n_rows : int
    first : (n_attributes + 1,) int64
        Which tests are whose.
    n_classes : int
    """
    n_bins = np.minimum(np.diff(first), n_rows)
    n_lanes, n_duels = len(n_bins), n_classes * (n_classes - 1) // 2
    summed = int(n_bins.sum()) * n_lanes * int(n_bins.max(initial=0)) // 20  # for every test on top, many at once
    return STEP + n_duels * summed + n_classes * n_rows * n_lanes**2 // 4  # and rows go from side to side


def coarse_first(first: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Yield every test with two others of its attribute that come before it, or -1: far apart at first, then nearer.

    The middle one of every attribute first, then those at the quarters, and so on.
    """
    strides = [1 << max(int(n).bit_length() - 1, 0) for n in np.diff(first)]
    while max(strides, default=0) >= 1:
        for start, stop, stride in zip(first[:-1].tolist(), first[1:].tolist(), strides, strict=True):
            for test in range(start + stride - 1, stop, 2 * stride) if stride else ():
                below, above = test - stride, test + stride
                yield test, below if below >= start else -1, above if above < stop else -1
        strides = [stride // 2 for stride in strides]


class Sweep:
    """One sweep.

    Parameters
    ----------
    rows : (n_words,) uint64
    target : Target
    bits : (n_tests, n_words) uint64
    first : (n_attributes + 1,) int64
        Which tests are whose.
    price : float
        Of a leaf.

    Attributes
    ----------
    is_done : bool
        Whether no tree is better than the best found, or than what was needed.
    """

    def __init__(self, rows: np.ndarray, target: Target, bits: np.ndarray, first: np.ndarray, price: float) -> None:
        self._rows = rows
        self._planes, self._scale = target.planes & rows, target.scale
        self._bits = bits
        self._price = price
        self._tests = coarse_first(first)
        self._most = np.full(int(first[-1]) + 1, np.inf)  # what a tree with each test on top may be worth
        n_rows = int(np.bitwise_count(rows).sum())
        self._cost = answers_for_a_pair(n_rows, first, len(target.starts) - 1)  # two, of about half the rows each
        self.is_done = False

    def go_on(self, answers: int, need: float, pairs: Pairs) -> tuple[int, list[int] | None]:
        """Search on for a tree worth more than is needed; return the answers spent, and the tree once one is found."""
        spent = 0
        while spent < answers:
            following = next(self._tests, None)
            if following is None:
                self.is_done = True
                break
            test, below, above = following
            spent += 1
            self._most[test] = min(self._most[near] + self._apart(test, near) for near in (below, above))
            if self._most[test] > need:
                spent += self._cost
                self._most[test], genes = self._best_below(test, pairs)
                if self._most[test] > need:
                    return spent, genes
        return spent, None

    def _apart(self, one: int, other: int) -> float:
        """Return what the rows weigh that two tests send to different sides."""
        if other < 0:
            return np.inf
        differing = np.bitwise_count(self._planes & (self._bits[one] ^ self._bits[other])).sum(axis=1, dtype=np.int64)
        return float(differing @ self._scale)

    def _best_below(self, test: int, pairs: Pairs) -> tuple[float, list[int]]:
        """Return what the best tree with a test on top is worth, and the tree."""
        passing = self._bits[test]
        left, right = (pairs.pair(side, self._price) for side in (self._rows & passing, self._rows & ~passing))
        return left[0] + right[0] - self._price, [test, *left[1], *right[1]]
