"""Which tests a bank has, column by column, before any bit is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from heirwood.core.binning import choose_cuts
from heirwood.data.cuts import between, integer_cuts
from heirwood.data.schema import Column, Table
from heirwood.stopped_error import StoppedError

AT_MOST, EQUALS, MISSING = 0, 1, 2  # kinds of tests
BLOCK_BYTES = 2**25  # of columns that are sorted at once
BLOCK_COLUMNS = 1_000  # likewise: where rows are few, each column costs more than its cells
THIN = 3  # cuts of a numeric column for which there is little time
COUNTED = 2**20  # cells that are looked at at once


class ColumnTests(NamedTuple):
    """The tests of one column.

    Attributes
    ----------
    kind : int
    values, uppers : (k,) float64
        The highest value that passes each cut and the lowest one that fails it, or, both, codes of levels; ascending.
    tickets : (k,) int64
        How many tickets each of them holds.
    twins : bool
        Whether missing values call for the twin tests and "is missing".
    n_values : int
        Distinct values of a numeric column; at most, where only some were looked at.
    """

    kind: int
    values: np.ndarray
    uppers: np.ndarray
    tickets: np.ndarray
    twins: bool
    n_values: int

    @property
    def n_tests(self) -> int:
        """Number of tests, twins included."""
        return 2 * len(self.values) + 1 if self.twins else len(self.values)

    def twice(self, values: np.ndarray) -> np.ndarray:
        """Return something of the plain tests for all of them: the twins have the same, "is missing" has none."""
        return np.concatenate([values, values, [np.nan]]) if self.twins else values

    def kinds(self) -> np.ndarray:
        """Return the kind of every test."""
        kinds = np.full(self.n_tests, self.kind, np.int8)
        if self.twins:
            kinds[-1] = MISSING
        return kinds

    def passes(self) -> np.ndarray:
        """Return whether a missing value passes each test."""
        return np.arange(self.n_tests) >= len(self.values)

    def without(self) -> ColumnTests:
        """Return the same column with none of its tests."""
        return self._replace(values=NOTHING, uppers=NOTHING, tickets=NOTHING.astype(np.int64), twins=False)

    def thinned(self) -> ColumnTests:
        """Return the same column with a few of its cuts, evenly spread; levels stay."""
        k = len(self.values)
        if self.kind != AT_MOST or k <= THIN:
            return self
        some = np.linspace(0, k - 1, THIN + 2)[1:-1].astype(np.int64)
        return self._replace(values=self.values[some], uppers=self.uppers[some], tickets=self.tickets[some])

    def running_tickets(self) -> np.ndarray:
        """Return the running number of tickets of every test."""
        return np.cumsum(np.concatenate([self.tickets, self.tickets, [1]]) if self.twins else self.tickets)


NOTHING = np.empty(0)
NO_TESTS = ColumnTests(EQUALS, NOTHING, NOTHING, NOTHING.astype(np.int64), twins=False, n_values=0)


def plan_tests(
    table: Table,
    paper: bool,
    max_cuts: int,
    sample: np.ndarray | None = None,
    columns: np.ndarray | None = None,
    must_end: Callable[[], bool] = lambda: False,
) -> list[ColumnTests]:
    """Return the tests of every column.

    Parameters
    ----------
    table : Table
    paper : bool
        The paper's mode: integer cuts, a test for every declared level, none for missing values.
    max_cuts : int
        The most cuts of a numeric column, in the other mode.
    sample : (n,) int64, optional
        Rows whose values say where numeric columns are cut, in the other mode; all of them, if not given.
    columns : (n,) int64, optional
        Columns that have tests; all of them, if not given.
    must_end : callable
        Says whether nobody waits for them any more.
    """
    plan: dict[int, ColumnTests] = {}
    numeric = []
    wanted = np.ones(len(table.schema), bool) if columns is None else np.isin(np.arange(len(table.schema)), columns)
    for place, column in enumerate(table.schema.columns):
        if not wanted[place]:
            plan[place] = NO_TESTS
        elif column.kind == "numeric" and not paper:
            numeric.append(place)
        elif must_end():
            raise StoppedError
        elif column.kind == "nominal":
            plan[place] = _nominal_tests(column, table.values[:, place], paper)
        else:
            plan[place] = _integer_tests(table.values[:, place])
    missing = np.zeros(0, np.int64) if sample is None else count_missing(table.values)
    n_rows = len(table) if sample is None else len(sample)
    size = min(max(BLOCK_BYTES // max(8 * n_rows, 1), 1), BLOCK_COLUMNS)
    for start in range(0, len(numeric), size):
        if must_end():
            raise StoppedError
        block = numeric[start : start + size]
        plan.update(zip(block, _numeric_tests(table.values, block, max_cuts, sample, missing), strict=True))
    return [plan[place] for place in range(len(table.schema))]


def plan_again(
    n_values: np.ndarray,
    columns: np.ndarray,
    kinds: np.ndarray,
    values: np.ndarray,
    uppers: np.ndarray,
    missing_passes: np.ndarray,
) -> list[ColumnTests]:
    """Return the plan that the tests of a bank were made by, all with one ticket; arguments as in `TestBank`."""
    plan = []
    for column, n in enumerate(n_values.tolist()):
        mine = np.flatnonzero(columns == column)
        plain = mine[~missing_passes[mine]]
        if len(mine) == 0:
            plan.append(NO_TESTS)
            continue
        kind = int(kinds[mine[0]])
        tickets = np.ones(len(plain), np.int64)
        plan.append(ColumnTests(kind, values[plain], uppers[plain], tickets, len(mine) > len(plain), n))
    return plan


def _numeric_tests(
    values: np.ndarray, columns: list[int], max_cuts: int, sample: np.ndarray | None, missing: np.ndarray
) -> list[ColumnTests]:
    """Return the cuts of some numeric columns; with a sample, given how many values are missing in each column."""
    n_rows = len(values) if sample is None else len(sample)
    ordered = np.empty((len(columns), n_rows))
    for row, column in zip(ordered, columns, strict=True):  # one by one: quicker than all at once, where rows are long
        row[:] = values[:, column] if sample is None else values[sample, column]
    ordered.sort(axis=1)
    cuts = np.empty((len(columns), 2, min(max_cuts, max(n_rows - 1, 0))))
    found = np.empty((len(columns), 3), np.int64)
    choose_cuts(ordered, max_cuts, cuts, found)
    tests = []
    for (lower, upper), (n_cuts, n_values, n_missing), column in zip(cuts, found.tolist(), columns, strict=True):
        lower, upper = lower[:n_cuts].copy(), upper[:n_cuts].copy()
        if sample is not None:  # other rows have values between these: the cut itself is what is asked
            lower = upper = between(lower, upper)
            n_missing, n_values = int(missing[column]), len(values)  # at most
        twins = 0 < n_missing < len(values)
        tests.append(ColumnTests(AT_MOST, lower, upper, np.ones(n_cuts, np.int64), twins, n_values))
    return tests


def count_missing(values: np.ndarray) -> np.ndarray:
    """Return how many values of each column are missing; some rows at a time, for a table may be most of the memory."""
    n = max(COUNTED // max(values.shape[1], 1), 1)
    parts = (np.isnan(values[start : start + n]).sum(axis=0) for start in range(0, len(values), n))
    return np.sum([np.zeros(values.shape[1], np.int64), *parts], axis=0)


def _integer_tests(values: np.ndarray) -> ColumnTests:
    distinct = np.unique(values[~np.isnan(values)])
    cuts, tickets = integer_cuts(distinct)
    return ColumnTests(AT_MOST, cuts, cuts, tickets, twins=False, n_values=len(distinct))


def _nominal_tests(column: Column, values: np.ndarray, paper: bool) -> ColumnTests:
    missing = np.isnan(values)
    counts = np.bincount(values[~missing].astype(np.int64), minlength=len(column.levels))
    codes = np.arange(len(column.levels))
    if not paper:
        codes = codes[(counts > 0) & (counts < len(values))]  # the others divide nothing
    elif not column.declared:
        codes = codes[counts > 0]  # the others were found in rows of weight zero
    twins = not paper and 0 < missing.sum() < len(values)
    numbers = codes.astype(np.float64)
    return ColumnTests(EQUALS, numbers, numbers, np.ones(len(codes), np.int64), twins, n_values=0)
