"""Exact cuts: the columns with more midpoints than the bank has cuts, value by value.

    distinct values   v0 < v1 < v2 < ... < vk          rank of a row: the number of its value, -1 if missing
    cut of rank r     v0 ... vr pass                   r = 0 ... k - 1: every midpoint of the column

The bank asks some of these cuts (even quantiles); during a run others may join it, in the bank's places.

To rank a column of millions of rows takes a tenth of a second and four bytes a row, and most columns are seldom asked
for: a column is ranked when an operator wants to move one of its cuts. Where ranks take more memory than they should,
those of the columns that were wanted least recently are forgotten after a generation. What a run comes to does not
depend on it.
"""

from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

import numpy as np

from heirwood.core.radix_rank import SIZE, rank_values
from heirwood.data.lazy_memory import LazyRows

NOBODY = -1
MOST_BYTES = 2**27  # of ranks that are kept from one generation to the next


class Gap(NamedTuple):
    """The cuts of an exact column from one rank to another, which divide some rows alike."""

    column: int
    first: int
    last: int
    missing_passes: bool

    @property
    def middle(self) -> int:
        """The rank in its middle, the lower of two."""
        return (self.first + self.last) // 2


@dataclass(frozen=True)
class ExactCuts:
    """Ranks of the rows, and which test asks which cut.

    Attributes
    ----------
    n_fixed : int
        Tests of the bank that are there to stay; the numbers that follow are places.
    columns : (n_exact,) int32
        The columns of the table that have more midpoints than cuts.
    table : (n_rows, n_columns) float64
    values : (n_tests + n_places,) float64
        Of the bank: the highest value that passes each cut.
    missing_passes : (n_tests + n_places,) bool
        Of the bank.
    rows : LazyRows
        Memory of `ranks`.
    n_values : (n_exact,) int64
        Distinct values of a column; zero while it is not ranked.
    wanted : (n_exact,) bool
        Columns that some operator has wanted in this generation.
    last_wanted : (n_exact,) int64
        The generation that wanted each column last, counted from the first.
    starts : (n_exact + 1,) int64
        Where the cuts of each column are in `known`; there may be room for more than it has.
    known : (2, n_cuts) int32
        One more than the test that asks the cut of each rank, where missing values fail and where they pass; else 0.
    column, rank : (n_tests + n_places,) int32
        The exact column that a test cuts, -1 for other tests, and the rank of its cut, once the column is ranked. A cut
        below all values has rank -1.
    """

    n_fixed: int
    columns: np.ndarray
    table: np.ndarray
    values: np.ndarray
    missing_passes: np.ndarray
    rows: LazyRows
    n_values: np.ndarray
    wanted: np.ndarray
    last_wanted: np.ndarray
    starts: np.ndarray
    known: np.ndarray
    column: np.ndarray
    rank: np.ndarray
    lock: Lock

    @property
    def ranks(self) -> np.ndarray:
        """The rank of every row in each column that is ranked, (n_exact, n_rows) int32."""
        return self.rows.array

    def rank_wanted(self) -> None:
        """Rank every column that an operator waits for."""
        with self.lock:  # threads may want the same one
            for column in np.flatnonzero(self.wanted & (self.n_values == 0)).tolist():
                self._rank(column)

    def ensure_ranked(self, column: int) -> None:
        """Rank an exact column, if it is not yet."""
        self.wanted[column] = True
        self.rank_wanted()

    def _rank(self, column: int) -> None:
        values = self.table[:, self.columns[column]] + 0.0  # minus zero is zero
        n, ranks = len(values), self.ranks[column]
        scratch = np.empty((2, n), np.uint64), np.empty((2, n), np.uint32), np.empty(SIZE, np.int64)
        n_values = rank_values(values, values.view(np.uint64), *scratch, ranks)
        tests = np.flatnonzero(self.column == column)
        self.rank[tests] = ranks_of_cuts(values, ranks, self.values[tests])
        # Cuts that divide nothing are not known; of several with one rank the first is written last, and stays.
        divide = tests[(self.rank[tests] >= 0) & (self.rank[tests] < n_values - 1)][::-1]
        passes = self.missing_passes[divide].astype(np.int64)
        self.known[passes, self.starts[column] + self.rank[divide]] = divide + 1
        self.n_values[column] = n_values  # last: whoever sees it may use the rest

    def end_generation(self) -> None:
        """Forget the ranks of columns that were wanted least recently, where they take too much memory."""
        if self.ranks.nbytes <= MOST_BYTES:
            return
        self.last_wanted[:] = np.where(self.wanted, self.last_wanted.max(initial=0) + 1, self.last_wanted)
        self.wanted[:] = False
        most = max(MOST_BYTES // self.ranks[0].nbytes, 1)
        ranked = np.flatnonzero(self.n_values)
        oldest = ranked[np.argsort(self.last_wanted[ranked], kind="stable")]
        for column in oldest[: max(len(ranked) - most, 0)].tolist():
            for test in np.flatnonzero(self.column == column).tolist():
                place = self._place(test)
                if place is not None:
                    self.known[:, place] = 0
            self.n_values[column] = 0
            self.rows.release(column)

    def neighbours(self, column: int, rank: int) -> tuple[float, float]:
        """Return the highest value of a ranked column that passes the cut of a rank, and the lowest that fails it."""
        values, ranks = self.table[:, self.columns[column]], self.ranks[column]
        return float(values[(ranks == rank).argmax()]), float(values[(ranks == rank + 1).argmax()])

    def asking(self, column: int, rank: int, missing_passes: bool) -> int:
        """Return the test that asks the cut of a rank, -1 for none."""
        return int(self.known[int(missing_passes), self.starts[column] + rank]) - 1

    def asking_near(self, gap: Gap) -> int:
        """Return the test that asks the cut of a gap that is nearest to its middle, the lower of two; -1 for none."""
        start = self.starts[gap.column]
        known = np.flatnonzero(self.known[int(gap.missing_passes), start + gap.first : start + gap.last + 1])
        if len(known) == 0:
            return NOBODY
        nearest = int(known[np.abs(known - (gap.middle - gap.first)).argmin()])
        return self.asking(gap.column, gap.first + nearest, gap.missing_passes)

    def learn(self, test: int, missing_passes: bool) -> None:
        """Note that a test asks the cut of its rank, unless another one does or the cut divides nothing."""
        place = self._place(test)
        if place is not None and self.known[int(missing_passes), place] == 0:
            self.known[int(missing_passes), place] = test + 1

    def forget(self, test: int, missing_passes: bool) -> None:
        """Note that a test asks nothing any more."""
        place = self._place(test)
        if place is not None and self.known[int(missing_passes), place] == test + 1:
            self.known[int(missing_passes), place] = 0
        self.column[test] = NOBODY

    def _place(self, test: int) -> int | None:
        """Return where a test's cut is in `known`."""
        column, rank = int(self.column[test]), int(self.rank[test])
        if column < 0 or not 0 <= rank < int(self.n_values[column]) - 1:
            return None
        return int(self.starts[column]) + rank


def ranks_of_cuts(values: np.ndarray, ranks: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the rank of the highest value that passes each cut, -1 where none does.

    Parameters
    ----------
    values, ranks : (n_rows,) arrays
        Of a column.
    cuts : (n,) float64
    """
    lowest = np.full(int(ranks.max(initial=NOBODY)) + 1, np.nan)
    lowest[ranks[ranks >= 0]] = values[ranks >= 0]  # the distinct values, ascending
    return (np.searchsorted(lowest, cuts, side="right") - 1).astype(np.int32)
