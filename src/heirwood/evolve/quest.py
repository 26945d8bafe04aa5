"""Beside evolution: the best tree there is, searched for exactly as long as that has a prospect.

Evolution finds good trees soon and cannot know when one is the best. Branch and bound knows, but takes forever where
tests are many. They go side by side: what evolution has found is what the search must exceed, and what the search finds
joins the population. All goes by words read, not by the clock, so a run stays reproducible.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from heirwood.core.optimal.search_frame import HIT, NOTHING
from heirwood.payoff.leaf_cost import cost_in

MOST_TESTS = 2048
MOST_WORDS = 2**19  # of all their bit rows: one look at them takes about a millisecond
FIRST = 2**20  # words: the budget before the first generation
EARLY = 2**25  # words read in all: until then the search is young
SHARE = 2**22  # words: the budget of a generation while the search is young
STEP = 2**21  # words: the budget of a generation after that
STRIDE = 2**22  # words: the same, once some test at the root is done with
FEW, STEPS = 32, 4  # tests: of so many or fewer, so many steps at once; the end is nearer there
LONG = 2**26  # words: more, with no test at the root done with, and others need not wait for the end
DOUBLINGS = 6  # which doubles so often on the way to the last of them: what is about to end deserves the time
MOST_EFFORT = 2**34  # words that the whole search may take, by what it took so far
TRACE = 2**20  # parts of a hit that a leaf costs where it costs nothing: of equal trees the smallest is best


class TreeSearch(Protocol):
    """What a backend's search for the optimum can be asked."""

    n_tests: int
    n_closed: int
    is_done: bool
    is_full: bool
    found: int

    def begin(self, rows: np.ndarray, levels: int) -> None: ...  # noqa: D102
    def go_on(self, effort: int, need: int) -> int: ...  # noqa: D102
    def genes(self) -> np.ndarray: ...  # noqa: D102


def price_in_parts(
    name: Any, parameters: dict[str, float], n_rows: int, max_leaf_nodes: int, max_depth: int
) -> int | None:
    """Return the price of a leaf by which trees are compared, in parts of a hit; None where no such search helps.

    Hits and leaves must count by themselves: a share of errors plus a cost per leaf; or errors alone, where the depth
    is the only limit of the size. It is rounded down, so that no bound is too low.
    """
    if name == "leaf_cost":
        price = int(cost_in(parameters) * n_rows * int(HIT))
        return price if price > 0 else None
    if name == "fewest_errors" and 2**max_depth <= max_leaf_nodes:
        return TRACE
    return None


class Quest:
    """A search and its prospect.

    Parameters
    ----------
    search : TreeSearch
    price : int
        Of a leaf, in parts of a hit.
    max_leaf_nodes : int
    covers_all : bool
        Whether its tests are all that a tree can ask; then what it proves is true of every tree.

    Attributes
    ----------
    covers_all : bool
    is_proven : bool
        Whether no tree is better than the best that evolution has, now that it has the one that was found.
    is_over : bool
        Whether the search came to an end, or has no prospect.
    """

    def __init__(self, search: TreeSearch, price: int, max_leaf_nodes: int, *, covers_all: bool) -> None:
        self._search = search
        self._price = price
        self._max_leaves = max_leaf_nodes
        self.covers_all = covers_all
        self._spent = 0
        self._shown = int(NOTHING)  # what the best tree that was looked at is worth,
        self._is_too_large = False  # and whether it has too many leaves to be handed over
        self.is_proven = False
        self.is_over = False

    def go_on(self, hits: int, leaves: int) -> np.ndarray | None:
        """Search on for a tree that is better than one with some hits and leaves; return its genes once found."""
        if self.is_over:
            return None
        search = self._search
        effort = min(self._effort, self._left + 1)
        need = int(HIT) * hits - self._price * leaves
        self._spent += search.go_on(effort, need)
        better = None
        if search.found > max(need, self._shown):
            self._shown = search.found
            better = np.asarray(search.genes(), np.int32)
            self._is_too_large = (len(better) + 1) // 2 > self._max_leaves
        is_beyond = search.found > need and self._is_too_large
        self.is_proven = search.is_done and self.covers_all and not is_beyond
        self.is_over = search.is_done or search.is_full or self._left < 0
        return None if is_beyond else better

    @property
    def is_under_way(self) -> bool:
        """Whether it goes on, and has done with some test at the root."""
        return not self.is_over and self._search.n_closed > 0

    @property
    def is_near(self) -> bool:
        """Whether the end may be near: tests are few, or some test at the root is done with."""
        return self._search.n_tests <= FEW or self._search.n_closed > 0

    @property
    def takes_long(self) -> bool:
        """Whether it goes on, has read much, and has not done with any test at the root."""
        return not self.is_over and self._search.n_closed == 0 and self._spent >= LONG

    @property
    def _effort(self) -> int:
        """Return how many words may be read before the next generation."""
        if self._spent == 0:
            return FIRST
        n_tests, n_closed = max(self._search.n_tests, 1), self._search.n_closed
        least = STEP * (STEPS if n_tests <= FEW else 1)
        if n_closed > 0:
            return max(least, STRIDE << (DOUBLINGS * n_closed // n_tests))
        return max(least, SHARE if self._spent < EARLY else 0)

    @property
    def _left(self) -> int:
        """Return how many words may still be read, if every test at the root takes as long as those that are done.

        The one that is searched now counts as done: where tests are many, each must be done with soon.
        """
        return (self._search.n_closed + 1) * MOST_EFFORT // max(self._search.n_tests, 1) - self._spent
