"""The answers of all rows to the tests of a bank: bins of every column, and bit rows of every test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heirwood.core.binning import BLOCK, WIDTH, bin_values, scatter_bins
from heirwood.core.bitsets import pack
from heirwood.data.schema import Table
from heirwood.data.test_plan import AT_MOST, ColumnTests
from heirwood.stopped_error import StoppedError

FEWEST_BINNED = 8  # tests: an attribute with fewer needs no bins, for to read its bit rows is quicker
LATE, LEAST_LATE = 0.5, 0.1  # of the time there was, or seconds: answers later than that are left out
MOMENT = 0.02  # seconds: a small table has all its tests, also where no time is left
MOST_BINNED = 2**16 - 2  # plain tests of an attribute whose bins have numbers of 16 bits


def is_binned(n_tests: int, n_plain: int) -> bool:
    """Say whether an attribute with so many tests, some of which a missing value fails, has bins."""
    return n_tests >= FEWEST_BINNED and n_plain <= MOST_BINNED


def answer_tests(
    plan: list[ColumnTests],
    table: Table,
    bits: np.ndarray,
    binned: bool,
    left: Callable[[], float] | None = None,
    must_end: Callable[[], bool] = lambda: False,
) -> tuple[np.ndarray | None, list[ColumnTests]]:
    """Set the bit rows of all tests, column by column.

    Once the time is up the columns to come have a few cuts each, and once it is late they have no tests.

    Parameters
    ----------
    plan : list of ColumnTests
    table : Table
    bits : (at least n_tests, n_words) uint64, zero, updated in place
    binned : bool
    left : callable, optional
        Returns the seconds that are left.
    must_end : callable
        Says whether nobody waits for any of them any more.

    Returns
    -------
    bins : (n_binned, n_rows) uint16 or None
        Of the columns with many tests, if asked for.
    answered : list of ColumnTests
        The tests of the first columns, those that were answered.
    """
    at_first = np.inf if left is None else left()
    up, latest = min(at_first, 0.0) - MOMENT, min(at_first, 0.0) - max(LATE * at_first, LEAST_LATE)
    n_rows = len(table)
    n_binned = sum(is_binned(tests.n_tests, len(tests.values)) for tests in plan) if binned else 0
    bins = np.empty((n_binned, n_rows), np.uint16)
    scratch = np.empty(n_rows, np.uint16)
    most = min(max((len(tests.values) for tests in plan), default=0), MOST_BINNED)
    filled, below = np.empty((most + 2, WIDTH), np.uint64), np.empty(BLOCK, np.int64)
    start, n_kept = 0, 0
    answered: list[ColumnTests] = []
    for place, planned in enumerate(plan):
        if must_end():
            raise StoppedError
        seconds = np.inf if left is None else left()
        if seconds < latest and start > 0:
            break
        tests = planned if seconds >= up else planned.thinned()
        is_kept = binned and is_binned(tests.n_tests, len(tests.values))
        k = len(tests.values)
        if k:
            values = np.array(table.values[:, place])  # a copy, for kernels: a table may be read-only
            for low in range(0, k, MOST_BINNED):
                part = slice(low, min(low + MOST_BINNED, k))
                mine = bins[n_kept] if is_kept else scratch
                _find_bins(tests, part, values, below, mine)
                scatter_bins(mine, tests.kind == AT_MOST, filled, bits[start : start + k][part])
        if tests.twins:
            missing = pack(np.isnan(table.values[:, place]))
            np.bitwise_or(bits[start : start + k], missing, out=bits[start + k : start + 2 * k])
            bits[start + 2 * k] = missing
        start += tests.n_tests
        n_kept += is_kept
        answered.append(tests)
    return bins[:n_kept] if binned else None, answered


def _find_bins(tests: ColumnTests, part: slice, values: np.ndarray, below: np.ndarray, bins: np.ndarray) -> None:
    """Write the bin of every row among some tests of a column."""
    asked = tests.values[part]
    if tests.kind == AT_MOST:
        bin_values(values, asked, below, bins)
        return
    number = np.full(max(int(asked[-1]), 0) + 1, len(asked))
    number[asked.astype(np.int64)] = np.arange(len(asked))
    missing = np.isnan(values)
    codes = np.where(missing | (values > asked[-1]), 0, values).astype(np.int64)
    bins[:] = np.where(missing, len(asked) + 1, np.where(values == codes, number[codes], len(asked)))
