"""How many tests can be made in the time there is: all of them, fewer cuts per column, or tests of fewer columns.

What a part of the table takes is measured, and the rest follows: the work grows with rows and columns. Cuts between all
values need every column sorted, which is half of the work; where there is no time for that, some rows say where to cut.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from heirwood.core.draws import belows, fold
from heirwood.data.schema import Schema, Table, contiguous
from heirwood.data.test_plan import THIN, ColumnTests, plan_tests

Build = Callable[[list[ColumnTests], Table], object]

PER_CELL, PER_COLUMN = 4e-7, 5e-5  # seconds that all tests take, about; measured where that is not far within limits
FAR, MOMENT = 4.0, 0.02  # times as long; seconds that are nothing, however few are left
MEASURED = 2**16  # cells that are measured: some milliseconds
COMPARED = 1, 31  # cuts of a column that are measured, besides all of them; between them, and beyond, it is a line
FEWEST_MEASURED, MOST_MEASURED = 8, 512  # columns of them
SAMPLE = 2**13  # rows whose values say where to cut
SAMPLING = 2**60  # folded into a key, for drawing them
FEWER_CUTS = (255, 127, 63, 31, 15, 7, 3, 1)
MARGIN = 1.4  # times what was measured: memory that is touched for the first time is slow


@dataclass(frozen=True)
class TestScope:
    """Which tests of a table are made.

    Attributes
    ----------
    max_cuts, asked : int
        The most cuts of a numeric column, and how many were asked for.
    sample : (n,) int64 or None
        Rows whose values say where to cut; None for all.
    columns : (n,) int64 or None
        Columns that have tests; None for all.
    n_thin : int
        Numeric columns that have fewer cuts than that: those that were to be answered when it was late.
    """

    max_cuts: int
    asked: int
    sample: np.ndarray | None = None
    columns: np.ndarray | None = None
    n_thin: int = 0

    @property
    def is_all(self) -> bool:
        """Whether all tests are made."""
        return self.max_cuts == self.asked and self.sample is None and self.columns is None and not self.n_thin

    def within(self, n_columns: int) -> TestScope:
        """Return the scope of the first columns of these."""
        if self.columns is None:
            return replace(self, columns=np.arange(n_columns))
        return replace(self, columns=self.columns[self.columns < n_columns])

    def of_rows(self, n_rows: int) -> TestScope:
        """Return the same scope for other rows of the same columns."""
        return self if self.sample is None else replace(self, sample=draw_sample(n_rows))

    def describe(self, n_columns: int) -> str:
        """Return what was left out, in words."""
        words = []
        if self.max_cuts < self.asked:
            words.append(f"numeric columns have up to {self.max_cuts} cuts instead of {self.asked}")
        elif self.sample is not None:
            words.append(f"numeric columns are cut by the values of {len(self.sample):,} rows instead of all")
        if self.n_thin:
            words.append(f"{self.n_thin:,} columns have up to {THIN} cuts")
        if self.columns is not None:
            words.append(f"only {len(self.columns):,} of {n_columns:,} columns have tests")
        return ", and ".join(words)


def find_scope(table: Table, paper: bool, max_cuts: int, left: Callable[[], float], build: Build) -> TestScope:
    """Return the tests that can be made in the time there is.

    Parameters
    ----------
    table : Table
    paper : bool
        Whether cuts are the paper's integers, of which none can be left out.
    max_cuts : int
    left : callable
        Returns the seconds that are left.
    build : callable
        Makes the bank of a plan.
    """
    n_rows, n_columns = table.shape
    about = n_rows * n_columns * PER_CELL + n_columns * PER_COLUMN
    if about <= max(left() / FAR, MOMENT):
        return TestScope(max_cuts, max_cuts)
    measure = _Measure(table, paper, build)
    needed = measure.seconds(n_rows, max_cuts)
    if needed <= left():
        return TestScope(max_cuts, max_cuts)
    if paper:
        return TestScope(max_cuts, max_cuts, columns=_some(n_columns, left() / needed))
    sample = draw_sample(n_rows)
    n_looked_at = n_rows if sample is None else len(sample)
    least, more = (measure.seconds(n_looked_at, min(cuts, max_cuts)) for cuts in COMPARED)
    for fewer in (cuts for cuts in FEWER_CUTS if cuts <= max_cuts and (sample is not None or cuts < max_cuts)):
        share = (fewer - COMPARED[0]) / (COMPARED[1] - COMPARED[0])
        if least + share * max(more - least, 0.0) <= left():
            return TestScope(fewer, max_cuts, sample)
    return TestScope(1, max_cuts, sample, _some(n_columns, left() / least))


def draw_sample(n_rows: int) -> np.ndarray | None:
    """Return the rows whose values say where to cut; None where there are no more than that."""
    return np.unique(belows(fold(0, SAMPLING), SAMPLE, n_rows)) if n_rows > SAMPLE else None


def _some(n_columns: int, share: float) -> np.ndarray:
    """Return a share of the columns, at least one, evenly spread."""
    return np.unique(np.linspace(0, n_columns - 1, max(int(share * n_columns), 1)).astype(np.int64))


class _Measure:
    """Says how long tests take to be made, from what some columns take on some rows."""

    def __init__(self, table: Table, paper: bool, build: Build) -> None:
        n_rows, n_columns = table.shape
        n = min(n_columns, max(MEASURED // n_rows, FEWEST_MEASURED), MOST_MEASURED)
        self._columns = np.unique(np.linspace(0, n_columns - 1, n).astype(np.int64))
        self._table, self._paper, self._build = table, paper, build
        self._n_rows = max(min(n_rows, MEASURED // n), 1)
        self._start = 0

    def seconds(self, n_looked_at: int, max_cuts: int) -> float:
        """Return how long it takes to cut all columns by the values of some rows, and to ask all rows.

        Each time on other rows: those that were just looked at are in the caches.
        """
        part = self._next_part()
        began = time.perf_counter()
        plan = plan_tests(part, self._paper, max_cuts)
        planned = time.perf_counter()
        self._build(plan, part)
        built = time.perf_counter()
        n_rows, n_columns = self._table.shape
        per_row = (planned - began) * n_looked_at + (built - planned) * n_rows
        return MARGIN * per_row / len(part) * n_columns / len(self._columns)

    def _next_part(self) -> Table:
        schema = self._table.schema
        stop = self._start + self._n_rows
        values = self._table.values[self._start : stop, self._columns]
        self._start = stop if stop + self._n_rows <= len(self._table) else 0
        return Table(Schema(tuple(schema.columns[column] for column in self._columns.tolist())), contiguous(values))
