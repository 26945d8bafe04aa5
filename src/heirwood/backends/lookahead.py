"""The compiled lookahead: where it looks from, and its memory."""

from collections.abc import Callable, Sequence

import numpy as np

from heirwood.core.lookahead import look_ahead
from heirwood.core.losses import LOG_LOSS, hits_of_weights
from heirwood.core.rules import Rules
from heirwood.core.sight import GINI, Sight

NO_TESTS = np.empty(0, np.int64)


class Lookahead:
    """Looks ahead from one place at a time.

    Parameters
    ----------
    rules : callable
        Returns the rules as they are now: their price moves.
    sight : Sight
        Working memory, shared with others between two calls.
    """

    def __init__(self, rules: Callable[[], Rules], sight: Sight) -> None:
        self._rules = rules
        self._sight = sight
        self._rows = sight.target.everyone
        self._weights = self._weigh()

    def arrive(self, way: Sequence[tuple[int, bool]]) -> tuple[int, int, int]:
        """Go where some tests lead that are passed or failed; return how many arrive, a leaf's hits and the most."""
        target, bits = self._sight.target, self._sight.bits
        rows = target.everyone.copy()
        for test, passes in way:
            rows &= bits[test] if passes else ~bits[test]
        self._rows = rows
        weights = self._weights = self._weigh()
        n_rows = int(np.bitwise_count(rows).sum())
        if target.hits_are >= LOG_LOSS:
            return n_rows, hits_of_weights(weights, target), int(weights.sum() * target.most_loss)
        return n_rows, int((weights @ target.gains).max()), int(weights @ target.gains.diagonal())

    def weights(self) -> np.ndarray:
        """Return what each class weighs here."""
        return self._weights

    def _weigh(self) -> np.ndarray:
        target = self._sight.target
        counts = np.bitwise_count(self._rows & target.planes).sum(axis=1, dtype=np.int64) * target.scale
        running = np.concatenate([[0], np.cumsum(counts)])
        of_class: np.ndarray = running[target.starts[1:]] - running[target.starts[:-1]]
        return of_class

    def scores(self, criterion: int = int(GINI)) -> np.ndarray:
        """Return how pure the sides of every test are here, by Gini's measure or by entropy."""
        return self._look(NO_TESTS, 0, criterion, 0, int(self._rules().first[-1]))

    def worths(self, tests: Sequence[int], levels: int, criterion: int, n_answers: int) -> list[float]:
        """Return what tests are worth on top here: what grows below gets right, less the price of its further leaves.

        Where it does not pay, a leaf's hits.
        """
        if len(tests) == 0:  # the kernel would score them all
            return []
        found: list[float] = self._look(np.array(tests, np.int64), levels, criterion, n_answers, len(tests)).tolist()
        return found

    def _look(self, tests: np.ndarray, levels: int, criterion: int, n_answers: int, n: int) -> np.ndarray:
        found = np.empty(n)
        look_ahead(self._rows, tests, levels, self._rules(), criterion, n_answers, self._sight, found)
        return found
