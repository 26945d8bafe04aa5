"""Looking ahead: what a test is worth on top, judged by the subtree that grows greedily below it."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from heirwood.oracle.greedy import Growing
from heirwood.oracle.mistake_costs import best_hits, most_hits
from heirwood.oracle.node_context import GINI, divide, divide_by, judge, weigh
from heirwood.oracle.problem import Problem, Test

Gap = tuple[int, int, int, bool]  # a column of the room, the first and the last rank, whether missing values pass

KEY = 0  # of draws
UNFIT = -1.0  # the score of a test that leaves a side with too few instances


class Lookahead:
    """Looks ahead from one place at a time.

    Parameters
    ----------
    problem : callable
        Returns the problem as it is now: its price moves.
    """

    def __init__(self, problem: Callable[[], Problem]) -> None:
        self._problem = problem
        self._rows: list[int] = []

    def arrive(self, way: Sequence[tuple[int, bool]]) -> tuple[int, int, int]:
        """Go where some tests lead that are passed or failed; return how many arrive, a leaf's hits and the most."""
        problem = self._problem()
        self._rows = list(problem.everyone)
        for test, passes in way:
            passed, failed = divide(self._rows, test, problem)
            self._rows = passed if passes else failed
        weights = weigh(self._rows, problem)
        return len(self._rows), best_hits(weights, problem), most_hits(weights, problem)

    def weights(self) -> list[int]:
        """Return what each class weighs here."""
        return weigh(self._rows, self._problem())

    def scores(self, criterion: int = GINI) -> list[float]:
        """Return how pure the sides of every test are here, by Gini's measure or by entropy."""
        problem = self._problem()
        fewest = max(problem.min_rows, 1)
        scores = []
        for tests in problem.attributes:
            for test, _ in tests:
                sides = divide(self._rows, test, problem)
                left, right = (weigh(side, problem) for side in sides)
                fits = min(map(len, sides)) >= fewest
                scores.append(judge(left, right, criterion, problem) if fits else UNFIT)
        return scores

    @property
    def n_exact(self) -> int:
        """Columns of which all cuts can be looked at."""
        return len(self._problem().room.columns)

    def purest(self, criterion: int, must_end: object = None) -> tuple[float, list[int], Gap] | None:
        """Return the cut whose sides are purest here, of all midpoints of the columns that have too many for the bank.

        Where several are, the first of the first column. None where none leaves enough rows on both sides. It takes as
        long as it takes, whether it must end or not.
        """
        problem = self._problem()
        fewest = max(problem.min_rows, 1)
        found = []
        for place, column in enumerate(sorted(problem.room.columns)):
            values = sorted({row[column] for row in problem.table if not math.isnan(row[column])})
            here = {problem.table[row][column] for row in self._rows}
            for missing_passes in sorted({False, any(map(math.isnan, here))}):
                for low, high in pairwise(value for value in values if value in here):
                    sides = divide_by(self._rows, Test(column, "<=", low, missing_passes), problem)
                    if min(map(len, sides)) >= fewest:
                        left, right = (weigh(side, problem) for side in sides)
                        gap = place, values.index(low), values.index(high) - 1, missing_passes
                        found.append((judge(left, right, criterion, problem), left, gap))
        return max(found, key=lambda each: each[0], default=None)  # the first of equals

    def worths(self, tests: Sequence[int], levels: int, criterion: int, n_answers: int) -> list[float]:
        """Return what tests are worth on top here: what grows below gets right, less the price of its further leaves.

        Where it does not pay, a leaf's hits.
        """
        problem = self._problem()
        return [Growing(problem, KEY, criterion, n_answers).grow(self._rows, levels, test)[1] for test in tests]
