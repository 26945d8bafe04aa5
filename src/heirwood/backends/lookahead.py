"""The compiled lookahead: where it looks from, and its memory."""

from collections.abc import Callable, Sequence

import numpy as np

from heirwood.core.leaf_loss import LOG_LOSS, hits_of_weights
from heirwood.core.lookahead import look_ahead
from heirwood.core.node_context import GINI, NodeContext
from heirwood.core.purest_cut import BEST, NO_SCORE, find_purest
from heirwood.core.rules import Rules
from heirwood.data.exact_cuts import ExactCuts, Gap

NO_TESTS = np.empty(0, np.int64)
MOST_CELLS = 2**22  # rows times columns, or values times classes
COLUMN = 1_000  # cells that a column counts for besides its rows: what it takes to begin to rank it
#: The score of a cut, what each class weighs on its left, and the cuts that do the same.
Purest = tuple[float, list[int], Gap]


class Lookahead:
    """Looks ahead from one place at a time.

    Parameters
    ----------
    rules : callable
        Returns the rules as they are now: their price moves.
    context : NodeContext
        Working memory, shared with others between two calls.
    exact : ExactCuts, optional
        Of the bank.
    """

    def __init__(self, rules: Callable[[], Rules], context: NodeContext, exact: ExactCuts | None = None) -> None:
        self._rules = rules
        self._sight = context
        self._exact = exact
        self._sums = np.zeros((0, 0), np.int64)
        self._rows = context.target.everyone
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

    @property
    def n_exact(self) -> int:
        """Columns of which all cuts can be looked at (`purest`): a few, unless that takes very long or much memory."""
        if self._exact is None:
            return 0
        n_columns, n_values = len(self._exact.columns), int(np.diff(self._exact.starts).max(initial=0))
        n_ranked = n_columns * (len(self._exact.table) + COLUMN)
        n_cells = max(n_ranked, n_values * (len(self._sight.target.starts) + 1))
        return n_columns if n_cells <= MOST_CELLS else 0

    def purest(self, criterion: int, must_end: Callable[[], bool] | None = None) -> Purest | None:
        """Return the cut whose sides are purest here, of all midpoints of the columns that have too many for the bank.

        Where several are, the first of the first column. None where none leaves enough rows on both sides, and where
        it must end before all columns are ranked.
        """
        if self.n_exact == 0 or self._exact is None:
            return None
        for column in range(self.n_exact):
            if must_end is not None and must_end():
                return None
            self._exact.ensure_ranked(column)
        if len(self._sums) == 0:
            self._sums = np.zeros((int(self._exact.n_values.max()), len(self._weights) + 1), np.int64)
        found, fewest = np.zeros(4, np.int64), max(self._rules().min_rows, 1)
        score = find_purest(self._rows, fewest, criterion, self._sight, self._sums, found)
        if score == NO_SCORE:
            return None
        column, first, last, passes = found.tolist()
        return score, self._sight.weights[BEST].tolist(), Gap(column, first, last, bool(passes))

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
