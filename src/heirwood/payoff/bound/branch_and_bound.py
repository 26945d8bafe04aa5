"""How many hits a tree of L leaves can have at most: branch and bound over its root, which may stop at any time.

Whatever the root asks, it divides the rows, and l of the leaves are on one side and L - l on the other. So

    most(rows, L) = max over tests t and l of  most(passing t, l) + most(failing t, L - l)

and what is needed is a ceiling of each side for every test, not its value. Three facts give ceilings, in order of cost:

- l leaves have l labels, so a side's l heaviest classes; and no more than agreeing rows allow; and no more than l
  leaves get right of all the rows here. These come with one histogram, for all tests at once.
- Once the sides of a test t are known, its neighbours' are nearly so. A cut that passes fewer rows than t has no more
  hits among them; one that passes more has at most as many more as the rows between could be right.
- One leaf and two leaves of a side are known exactly from its own histogram; more leaves are a search of its own.

The test with the highest ceiling is looked at first. When it is exact, so is the whole; when the effort is spent, the
highest ceiling that is left is still one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heirwood.payoff.bound.node_counts import Reach
from heirwood.stopped_error import StoppedError

LOOK = 20_000  # what it costs to look at a test of a tiny table, in cells of a large one


@dataclass
class Effort:
    """How much may still be looked at, in cells of the table; counted, not timed, so that one table has one bound."""

    left: int
    must_end: Callable[[], bool] = lambda: False

    def spend(self, reach: Reach) -> bool:
        """Pay for a look at the two sides of one test; say whether there was enough for it."""
        self.go_on()
        counter = reach.counter
        histogram = counter.ranks.n_tests * counter.n_classes
        self.left -= LOOK + reach.rows.size * counter.cells.shape[1] + 4 * histogram
        return self.left >= 0

    def go_on(self) -> None:
        """Raise StoppedError where nobody waits any more; on a large table each look takes tenths of a second."""
        if self.must_end():
            raise StoppedError


class BranchAndBound:
    """The most hits of trees with up to `leaves` leaves on some rows.

    Parameters
    ----------
    reach : Reach
    leaves : int
        At least 3, and at most 2**depth.
    depth : int
        Most tests on any path.
    ceilings : (at least leaves + 1,) float64
        What is already known: no tree with up to l leaves has more hits on these rows than ceilings[l].
    """

    def __init__(self, reach: Reach, leaves: int, depth: int, ceilings: np.ndarray) -> None:
        self.reach = reach
        self.leaves = leaves
        self.depth = depth
        self.found = reach.two_leaves  # the hits of a tree that there is
        self._cap = float(ceilings[leaves])
        # With "up to l" on one side and "up to L - l" on the other, these are all trees but the single leaf.
        self._sizes = [size for size in range(1, leaves) if max(size, leaves - size) <= 2 ** (depth - 1)]
        self._passing = _side_ceilings(reach.passing, reach.passing_agreeing, ceilings, leaves)
        self._failing = _side_ceilings(reach.failing, reach.agreeing - reach.passing_agreeing, ceilings, leaves)
        self._exact = np.zeros(reach.counter.ranks.n_tests, bool)
        self._tops = self._of_tests(slice(None))

    @property
    def ceiling(self) -> float:
        """No tree of up to that many leaves has more hits."""
        return max(self.found, min(self._cap, float(self._tops.max(initial=0.0))))

    @property
    def exact(self) -> bool:
        """Whether a tree has that many."""
        return self.ceiling == self.found

    def lower(self, floor: float, effort: Effort) -> None:
        """Lower the ceiling to `floor`, unless it is exact or the effort is spent before."""
        while self.ceiling > floor and not self.exact and effort.spend(self.reach):
            self._look(int(self._tops.argmax()), floor, effort)

    def _of_tests(self, tests: slice) -> np.ndarray:
        """Return the ceilings of the trees that ask each of some tests first."""
        sums = [self._passing[size, tests] + self._failing[self.leaves - size, tests] for size in self._sizes]
        return np.max(sums, axis=0)

    def _look(self, test: int, floor: float, effort: Effort) -> None:
        """Lower the ceilings of a test's sides until no sum of theirs is above the floor, or the highest is exact."""
        left, right = (
            _Side(reach, ceilings[:, test].copy(), self.depth - 1)
            for reach, ceilings in zip(self.reach.divide(test), (self._passing, self._failing), strict=True)
        )
        while effort.left >= 0:
            size = max(self._sizes, key=lambda size: left.ceilings[size] + right.ceilings[self.leaves - size])
            rest = self.leaves - size
            total = float(left.ceilings[size] + right.ceilings[rest])
            if total <= floor:
                break
            if left.exact[size] and right.exact[rest]:
                self.found = max(self.found, total)
                break
            # The side with fewer leaves is cheaper to know.
            if not left.exact[size] and (right.exact[rest] or size <= rest):
                left.lower(size, floor - right.ceilings[rest], effort)
            else:
                right.lower(rest, floor - left.ceilings[size], effort)
        self._spread(test, left.ceilings, right.ceilings)

    def _spread(self, test: int, passing: np.ndarray, failing: np.ndarray) -> None:
        """Note what is known of a test's sides, and what follows for tests that divide the rows nearly alike."""
        start, stop = self.reach.counter.ranks.chains[test]
        agreeing = self.reach.passing_agreeing
        fewer, more = slice(start, test + 1), slice(test, stop)
        for side, known, within, beyond in (
            (self._passing, passing, fewer, more),
            (self._failing, failing, more, fewer),
        ):
            np.minimum(side[:, within], known[:, None], out=side[:, within])
            between = np.abs(agreeing[beyond] - agreeing[test])
            np.minimum(side[:, beyond], known[:, None] + between, out=side[:, beyond])
        self._tops[start:stop] = self._of_tests(slice(start, stop))


class _Side:
    """What is known of one side of a test: ceilings by leaves, and which of them are exact."""

    def __init__(self, reach: Reach, ceilings: np.ndarray, depth: int) -> None:
        self.reach = reach
        self.ceilings = ceilings
        self.depth = depth
        self.exact = [size <= 1 for size in range(len(ceilings))]

    def lower(self, size: int, floor: float, effort: Effort) -> None:
        """Lower the ceiling of trees with up to `size` leaves to a floor, or to what it is exactly."""
        if not self.exact[2]:
            self._know(2, self.reach.two_leaves, exact=True)
        if size > 2 and effort.spend(self.reach):
            search = BranchAndBound(self.reach, size, self.depth, self.ceilings)
            search.lower(floor, effort)
            self._know(size, search.ceiling, exact=search.exact)

    def _know(self, size: int, ceiling: float, *, exact: bool) -> None:
        self.ceilings[size] = ceiling
        self.exact[size] = exact
        np.minimum(self.ceilings, by_leaf(self.ceilings), out=self.ceilings)


def by_leaf(ceilings: np.ndarray) -> np.ndarray:
    """Return what the ceilings of fewer leaves say of more: another leaf adds at most a share of 1 / leaves.

    Of a tree with L leaves and h hits, the leaf with fewest has at most h / L of them. Without it (its sibling takes
    the place of their parent) there is a tree with L - 1 leaves and at least h - h / L hits. So
    most(L) <= most(L - 1) * L / (L - 1).
    """
    grown = ceilings.copy()
    for leaves in range(2, len(grown)):
        grown[leaves] = min(grown[leaves], grown[leaves - 1] * leaves // (leaves - 1))
    return grown


def _side_ceilings(of_class: np.ndarray, agreeing: np.ndarray, ceilings: np.ndarray, leaves: int) -> np.ndarray:
    """Return ceilings of one side of every test by leaves, (leaves, n_tests): labels, agreeing rows, all rows here."""
    side = np.zeros((leaves, of_class.shape[1]))
    side[1] = of_class.max(axis=0)
    labels = np.cumsum(np.sort(of_class, axis=0)[::-1], axis=0) if leaves <= len(of_class) else None
    for size in range(2, leaves):
        side[size] = np.minimum(agreeing, ceilings[size])
        if labels is not None:
            np.minimum(side[size], labels[size - 1], out=side[size])
    return side
