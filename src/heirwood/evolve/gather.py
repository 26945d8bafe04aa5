"""Gathering: the best tree that asks only what good trees ask, where a leaf has its price.

Good trees of a population have most of the questions right, one here and one there. The best tree over a few of them is
the best that crossover alone could ever make, and with few tests an exact search for it takes milliseconds. How many
may be gathered is learnt: more, as long as such searches end within what was saved up for them, fewer where they do
not. All goes by words read, not by the clock, so a run stays reproducible.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from heirwood.backends import Backend
from heirwood.core.optimal.search_frame import HIT
from heirwood.evolve.pool import in_use

SOONEST = 3  # generations, until there is something to gather
FIRST_TESTS, FEWEST_TESTS = 16.0, 6.0
WIDER, NARROWER = 1.1, 0.9
LEAST, MOST = 2**22, 2**28  # words read: the budget of a search
DEARER = 2  # times as many as the last one took: the next one may have more tests
SETUP = 2**9  # words that could be read in the time in which a search learns of one row
LONGEST_PAUSE = 7  # generations between two searches: one more after each two in vain
FAILURES, MOST_HALVINGS = 8, 4  # after so many failed searches the budget is halved, at most so many times
BEST = 8  # trees whose tests are gathered in every other search; in the others those of all


def can_gather(n_rows: int) -> bool:
    """Say whether a search over some rows may be set up at all, for what could ever be saved up."""
    return SETUP * n_rows <= MOST


class Gathering:
    """Finds the best tree over the commonest tests of good trees, now and then.

    Parameters
    ----------
    price : int
        Of a leaf, in parts of a hit.
    levels : int
        The most tests on a path.
    max_leaf_nodes : int
    n_rows : int
        Of the table; one that weighs more is several.
    allowance : int
        Words that could be read in the time that one generation has for this.
    """

    def __init__(self, price: int, levels: int, max_leaf_nodes: int, n_rows: int, allowance: int) -> None:
        self._price = price
        self._levels = levels
        self._max_leaves = max_leaf_nodes
        self._setup = SETUP * n_rows
        self._allowance = allowance
        self._credit = 0
        self._needed = LEAST
        self._n_tests = FIRST_TESTS
        self._turn = 0
        self._n_vain = self._wait = 0
        self._seen: set[bytes] = set()  # marks of tests whose best tree is known

    def is_due(self, generation: int) -> bool:
        """Save up for another generation; say whether it is enough for a search."""
        saved = self._allowance >> min(self._n_vain // FAILURES, MOST_HALVINGS)
        self._credit = min(self._credit + saved, MOST)
        self._wait = max(self._wait - 1, 0)
        return self._credit >= self._needed and self._wait == 0 and generation >= SOONEST

    def best_tree(self, trees: Sequence[np.ndarray], backend: Backend, hits: int, leaves: int) -> np.ndarray | None:
        """Return a better tree than one with some hits and leaves; None if none is found.

        Parameters
        ----------
        trees : sequence of arrays
            Genes, the best tree first.
        backend : Backend
        hits, leaves : int
        """
        better = self._search(trees, backend, int(HIT) * hits - self._price * leaves)
        if better is not None and (len(better) + 1) // 2 > self._max_leaves:
            better = None
        self._n_vain = self._n_vain + 1 if better is None else 0
        self._wait = 1 + min(self._n_vain // 2, LONGEST_PAUSE)
        return better

    def _search(self, trees: Sequence[np.ndarray], backend: Backend, need: int) -> np.ndarray | None:
        """Search among the tests of some trees, at once: between generations places are given to other tests."""
        self._turn += 1
        tests = in_use(trees if self._turn % 2 else trees[:BEST], int(self._n_tests))
        mark = hashlib.blake2b(backend.problem.bank.bits[tests].tobytes(), digest_size=16).digest()
        is_full = len(tests) == int(self._n_tests)  # as many as were wanted: more may be of use
        if mark in self._seen:
            self._n_tests += is_full
            return None
        search = backend.optimum(tests, self._price, self._levels)
        spent = self._setup + search.go_on(self._credit, need)
        self._credit -= spent
        self._needed = min(max(DEARER * spent, LEAST), MOST)
        if search.is_done:
            self._seen.add(mark)
            self._n_tests *= WIDER if is_full else 1.0
        else:
            self._n_tests = max(NARROWER * len(tests), FEWEST_TESTS)
        return np.asarray(search.genes(), np.int32) if search.found > need else None
