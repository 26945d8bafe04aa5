"""Exact cuts: the columns with more midpoints than the bank has cuts, value by value.

    distinct values   v0 < v1 < v2 < ... < vk          rank of a row: the number of its value, -1 if missing
    cut of rank r     v0 ... vr pass                   r = 0 ... k - 1: every midpoint of the column

The bank asks some of these cuts (even quantiles); during a run others may join it, in the bank's places.
"""

from dataclasses import dataclass

import numpy as np

NOBODY = -1


@dataclass(frozen=True)
class ExactCuts:
    """Ranks of the rows, and which test asks which cut.

    Attributes
    ----------
    n_fixed : int
        Tests of the bank that are there to stay; the numbers that follow are places.
    columns : (n_exact,) int32
        The columns of the table that have more midpoints than cuts.
    ranks : (n_exact, n_rows) int32
    starts : (n_exact + 1,) int64
        The values of exact column c are values[starts[c] : starts[c + 1]].
    values : (n_values,) float64
        The distinct values of each of them, ascending.
    known : (2, n_values) int32
        The test that asks the cut of each rank, where missing values fail and where they pass; -1 for none.
    column, rank : (n_tests + n_places,) int32
        The exact column that a test cuts, -1 for other tests, and the rank of its cut. A cut below all values has
        rank -1.
    """

    n_fixed: int
    columns: np.ndarray
    ranks: np.ndarray
    starts: np.ndarray
    values: np.ndarray
    known: np.ndarray
    column: np.ndarray
    rank: np.ndarray

    def values_of(self, column: int) -> np.ndarray:
        """Return the distinct values of an exact column."""
        return self.values[self.starts[column] : self.starts[column + 1]]

    def learn(self, test: int, missing_passes: bool) -> None:
        """Note that a test asks the cut of its rank, unless another one does or the cut divides nothing."""
        place = self._place(test)
        if place is not None and self.known[int(missing_passes), place] == NOBODY:
            self.known[int(missing_passes), place] = test

    def learn_all(self, tests: np.ndarray, missing_passes: bool) -> None:
        """Do so for tests of one exact column, ascending, of which nothing is known yet."""
        last = len(self.values_of(int(self.column[tests[0]]))) - 1 if len(tests) else 0
        divides = (self.rank[tests] >= 0) & (self.rank[tests] < last)
        backwards = tests[divides][::-1]  # of several with one rank the first is written last, and stays
        self.known[int(missing_passes), self.starts[self.column[backwards]] + self.rank[backwards]] = backwards

    def forget(self, test: int, missing_passes: bool) -> None:
        """Note that a test asks nothing any more."""
        place = self._place(test)
        if place is not None and self.known[int(missing_passes), place] == test:
            self.known[int(missing_passes), place] = NOBODY
        self.column[test] = NOBODY

    def _place(self, test: int) -> int | None:
        """Return where a test's cut is in `known`."""
        column, rank = int(self.column[test]), int(self.rank[test])
        if column < 0 or not 0 <= rank < len(self.values_of(column)) - 1:
            return None
        return int(self.starts[column]) + rank


def rank_of_cut(distinct: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the number of the highest value that passes each cut, -1 where none does."""
    return (np.searchsorted(distinct, cuts, side="right") - 1).astype(np.int32)
