"""The tests of a search for the best tree, where the bank has too many: some of each column, or the population's.

A search over k tests and d levels looks at about k ** d trees, each a pass over the words of a bit row for every class.
Tests that good trees ask are a good choice: the best tree over them is the best that crossover alone could ever make.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from heirwood.backends import Backend
from heirwood.core.optimal.search_frame import HIT

EVERY, SOONEST = 25, 12  # generations: a search takes as long on any table, a generation longer on large ones:
SMALL = 2**8  # words of a table, times classes, up to which it is the former
EFFORT = 2**27  # words read for the tests of one population


def affordable(effort: int, n_words: int, levels: int) -> int:
    """Return how many tests a search of some levels may have, for about so many words read."""
    return max(int((effort / n_words) ** (1 / levels)), 2)


def spread(first: np.ndarray, most: int) -> np.ndarray:
    """Return about `most` tests of a bank, evenly spread over the tests of each attribute.

    Parameters
    ----------
    first : (n_attributes + 1,) int64
        Attribute a owns tests first[a] .. first[a + 1] - 1, in the order of their cuts.
    """
    n_tests = np.diff(first)
    low, high = 1, int(n_tests.max(initial=1))
    while low < high:  # the most of each attribute, such that all together are not too many
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(n_tests, middle).sum() <= most else (low, middle - 1)
    chosen = [
        start + np.unique(np.round((np.arange(min(n, low)) + 0.5) * n / min(n, low) - 0.5).astype(np.int64))
        for start, n in zip(first[:-1].tolist(), n_tests.tolist(), strict=True)
    ]
    return np.concatenate([np.empty(0, np.int64), *chosen])


def in_use(trees: Sequence[np.ndarray], most: int) -> np.ndarray:
    """Return the tests that most of some trees ask, at most so many, ascending; of equals those with lower numbers."""
    asked = chain.from_iterable({test for test in genes.tolist() if test >= 0} for genes in trees)
    tests, times = np.unique(np.fromiter(asked, np.int64), return_counts=True)
    return np.sort(tests[np.argsort(-times, kind="stable")[:most]])


class Pool:
    """Finds the best tree over the tests of a population, now and then.

    Parameters
    ----------
    price : int
        Of a leaf, in parts of a hit.
    levels : int
        The most tests on a path.
    n_words : int
        Words of the table, times the number of classes.
    """

    def __init__(self, price: int, levels: int, n_words: int) -> None:
        self._price = price
        self._levels = levels
        self._every = min(EVERY, max(SOONEST, EVERY * SMALL // n_words))
        self._most_tests = affordable(EFFORT, n_words, levels)
        self._last = np.empty(0, np.uint64)

    def is_due(self, generation: int) -> bool:
        """Say whether it is time to search again."""
        return generation % self._every == 0 and generation > 0

    def best_tree(self, trees: Sequence[np.ndarray], backend: Backend, hits: int, leaves: int) -> np.ndarray | None:
        """Return a better tree than one with some hits and leaves, over the tests of some trees; None if none is."""
        tests = in_use(trees, self._most_tests)
        bits = backend.problem.bank.bits[tests]
        if np.array_equal(bits, self._last):
            return None
        self._last = bits
        search = backend.optimum(tests, self._price, self._levels)
        need = int(HIT) * hits - self._price * leaves
        search.go_on(2 * EFFORT, need)  # at once: places of the bank are given to other tests between generations
        return np.asarray(search.genes(), np.int32) if search.found > need else None
