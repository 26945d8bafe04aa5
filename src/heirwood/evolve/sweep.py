"""A sweep: the best tree of three levels for some rows, with every test of the bank on top that may be better.

Below a test on top are two pairs, each the best there is (`core.low`). A set of rows is worth at most what it is worth
without d of them, plus d: so cuts are tried from coarse to fine, and passed over where neighbours say that they cannot
be better. Nor is more asked of a side than what makes a tree better with the most that the other side may be worth.
What lies beside the best cuts so far comes first. A sweep can stop anywhere and go on.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple, Protocol

import numpy as np

from heirwood.backends.depth2_cost import answers_for_a_pair
from heirwood.core.target import Target

PAIR, TRIPLE = 2, 3  # levels


class Depth2Search(Protocol):
    """What a backend's search for pairs can be asked."""

    def stump(self, rows: np.ndarray, price: float) -> tuple[float, list[int]]: ...  # noqa: D102
    def pair(self, rows: np.ndarray, price: float, least: float = ...) -> tuple[float, list[int]]: ...  # noqa: D102


class Span(NamedTuple):
    """Neighbouring tests of an attribute that were not tried yet."""

    rank: tuple[float, int]  # the lowest first: minus what a neighbour may be worth, then in order
    start: int
    stop: int
    tried: tuple[int, ...]  # those before and after, if any

    @property
    def middle(self) -> int:
        """The test that is tried next."""
        return (self.start + self.stop) // 2

    def halves(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return what is left on either side of the middle: start, stop, and what was tried next to it."""
        below = [test for test in self.tried if test < self.start]
        above = [test for test in self.tried if test >= self.stop]
        both = [(self.start, self.middle, (*below, self.middle)), (self.middle + 1, self.stop, (self.middle, *above))]
        return [half for half in both if half[0] < half[1]]


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
        Whether no tree is better than the best found, or than the most that was ever needed.
    """

    def __init__(self, rows: np.ndarray, target: Target, bits: np.ndarray, first: np.ndarray, price: float) -> None:
        self._rows = rows
        self._planes, self._scale = target.planes & rows, target.scale
        self._bits = bits
        self._price = price
        self._spans: list[Span] = []
        self._n_spans = 0
        for start, stop in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
            if start < stop:
                self._add(np.inf, start, stop, ())
        self._most = np.empty((2, int(first[-1])))  # what the sides of each test that was tried may be worth
        self._passed: dict[int, float] = {}  # what the rows weigh that pass a test
        self._total = self._weight(rows)
        n_rows = int(np.bitwise_count(rows).sum())
        self._cost = answers_for_a_pair(n_rows, first, len(target.starts) - 1) // 2  # of about half the rows
        self.is_done = False

    def go_on(self, answers: int, need: float, pairs: Depth2Search) -> tuple[int, list[int] | None]:
        """Search on for a tree worth more than is needed; return the answers spent, and the tree once one is found."""
        spent = 0
        while spent < answers and self._spans:
            span = heappop(self._spans)
            test = span.middle
            spent += 1
            self._most[:, test] = self._bounds(test, span.tried)
            n_pairs, genes = self._try(span, need, pairs) if self._worth(test) > need else (0, None)
            spent += n_pairs * self._cost
            for half in span.halves():
                self._add(self._worth(test), *half)
            if genes is not None:
                return spent, genes
        self.is_done = not self._spans
        return spent, None

    def _add(self, worth: float, start: int, stop: int, tried: tuple[int, ...]) -> None:
        """Remember to try some tests, whose neighbour has some worth."""
        self._n_spans += 1
        heappush(self._spans, Span((-worth, self._n_spans), start, stop, tried))

    def _try(self, span: Span, need: float, pairs: Depth2Search) -> tuple[int, list[int] | None]:
        """Search below a test; return the number of pairs that took, and a tree that is worth more than is needed.

        A side is searched to the end where its exact worth may rule out the tests that come next.
        """
        test, passing = span.middle, self._bits[span.middle]
        following = [(start + stop) // 2 for start, stop, _ in span.halves()]
        enough = need - max((sum(self._apart(test, other)) for other in following), default=0.0)
        found: list[list[int]] = [[], []]
        n_pairs = 0
        for side, rows in enumerate((self._rows & passing, self._rows & ~passing)):
            if side == 1 and (not found[0] or self._worth(test) <= enough):
                break
            least = enough + self._price - self._most[1 - side, test]
            self._most[side, test], found[side] = pairs.pair(rows, self._price, least)
            n_pairs += 1
        is_better = all(found) and self._worth(test) > need
        return n_pairs, [test, *found[0], *found[1]] if is_better else None

    def _worth(self, test: int) -> float:
        """Return what a tree with a test on top may be worth."""
        return float(self._most[0, test] + self._most[1, test]) - self._price

    def _bounds(self, test: int, tried: tuple[int, ...]) -> list[float]:
        """Return what the sides of a test may be worth: what their rows weigh, or what a neighbour's say."""
        passed, failed = self._passing(test), self._total - self._passing(test)
        for other in tried:
            more_passed, more_failed = self._apart(test, other)
            passed = min(passed, self._most[0, other] + more_passed)
            failed = min(failed, self._most[1, other] + more_failed)
        return [passed, failed]

    def _apart(self, one: int, other: int) -> tuple[float, float]:
        """Return what the rows weigh that pass one test but not the other, and those that fail it but not the other."""
        both = self._weight(self._bits[one] & self._bits[other])
        return self._passing(one) - both, self._passing(other) - both

    def _passing(self, test: int) -> float:
        """Return what the rows weigh that pass a test."""
        if test not in self._passed:
            self._passed[test] = self._weight(self._bits[test])
        return self._passed[test]

    def _weight(self, rows: np.ndarray) -> float:
        """Return what those of some rows weigh that arrive."""
        counted = np.bitwise_count(self._planes & rows).sum(axis=1, dtype=np.int64)
        return float(counted @ self._scale)
