"""A table in which only the order of values is left: every column's values become bins.

    column      [ 1.5  nan  0.2  1.5 ]      [ red  blue  red  red ]
    bins        [  1    2    0    1  ]      [  4    3     4    4  ]

Bins of all columns are numbered through, so that one count over bins is a histogram of every column at once.
A column's missing values are its last bin. What a question can tell apart, bins tell apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heirwood.stopped_error import StoppedError


@dataclass(frozen=True)
class Ranks:
    """The bins of a table, and every way in which one question can divide its rows.

    Attributes
    ----------
    bins : (n_rows, n_columns) int64
    column_of_bin, is_level : (n_bins,)
        Whose bin it is, and whether its column is nominal.
    columns, upto, missing : (n_tests,) int64
        Rows pass a test whose bin in its column is at most `upto` (equal to it, where the column is nominal), and
        those in the bin `missing`, which is -1 where missing values fail.
    chains : (n_tests, 2) int64
        Test t stands in a row of tests, chains[t, 0] .. chains[t, 1] - 1, that pass more and more rows.
    """

    bins: np.ndarray
    column_of_bin: np.ndarray
    is_level: np.ndarray
    columns: np.ndarray
    upto: np.ndarray
    missing: np.ndarray
    chains: np.ndarray

    @property
    def n_tests(self) -> int:
        """Number of ways to divide the rows."""
        return len(self.columns)

    def passes(self, test: int, rows: np.ndarray) -> np.ndarray:
        """Return which of some rows pass a test."""
        bins, upto = self.bins[rows, self.columns[test]], self.upto[test]
        passing = bins == upto if self.is_level[upto] else bins <= upto
        return passing if self.missing[test] < 0 else passing | (bins == self.missing[test])


def rank(values: np.ndarray, nominal: np.ndarray, must_end: Callable[[], bool] = lambda: False) -> Ranks:
    """Return the bins of a table.

    Parameters
    ----------
    values : (n_rows, n_columns) float64
        Missing values are NaN.
    nominal : (n_columns,) bool
        Whose values are levels, which have no order.
    must_end : callable
        Says whether nobody waits for them any more; then StoppedError is raised.

    Returns
    -------
    Ranks
        Cost O(n_columns * n_rows log n_rows).
    """
    bins = np.empty(values.shape, np.int64, order="F")
    sizes: list[int] = []
    families: list[tuple[int, np.ndarray, int]] = []  # column, bins, where missing values pass
    start = 0
    for column in range(values.shape[1]):
        if must_end():
            raise StoppedError
        places, n_distinct, has_missing = _number(values[:, column], is_code=bool(nominal[column]))
        bins[:, column] = places + start
        sizes.append(n_distinct)
        stop = start + n_distinct
        missing = stop - 1 if has_missing else -1
        make = _level_tests if nominal[column] else _cut_tests
        families += [(column, *tests) for tests in make(np.arange(start, stop), missing)]
        start = stop
    lengths = [len(upto) for _, upto, _ in families]
    ends = np.cumsum([0, *lengths])
    parts: dict[str, Callable[[], np.ndarray]] = {  # of a million cells each takes some ten milliseconds
        "column_of_bin": lambda: np.repeat(np.arange(len(sizes)), sizes),
        "is_level": lambda: np.repeat(nominal.astype(bool), sizes),
        "columns": lambda: np.repeat(np.array([column for column, _, _ in families], np.int64), lengths),
        "upto": lambda: np.concatenate([np.empty(0, np.int64), *(upto for _, upto, _ in families)]),
        "missing": lambda: np.repeat(np.array([missing for _, _, missing in families], np.int64), lengths),
        "chains": lambda: np.repeat(np.column_stack([ends[:-1], ends[1:]]), lengths, axis=0),
    }
    made = {}
    for name, make_part in parts.items():
        if must_end():
            raise StoppedError
        made[name] = make_part()
    return Ranks(bins=bins, **made)


def _number(values: np.ndarray, *, is_code: bool) -> tuple[np.ndarray, int, bool]:
    """Return the place of each value among the distinct ones, how many those are, and whether the last one is NaN.

    Codes of levels are small whole numbers, which need no sorting.
    """
    if not is_code:
        distinct, places = np.unique(values, return_inverse=True)  # NaNs are one, and the last
        return places.reshape(-1), len(distinct), bool(np.isnan(distinct[-1]))
    is_missing = np.isnan(values)
    n_codes = int(np.max(values, where=~is_missing, initial=-1)) + 1
    codes = np.where(is_missing, n_codes, values).astype(np.int64)
    occurs = np.bincount(codes) > 0
    return (np.cumsum(occurs) - 1)[codes], int(occurs.sum()), len(occurs) > n_codes


def _cut_tests(bins: np.ndarray, missing: int) -> list[tuple[np.ndarray, int]]:
    """Return two chains of cuts: those that missing values fail, and those that they pass."""
    if missing < 0:
        return [(bins[:-1], -1)]
    return [(bins[:-1], -1), (bins[:-2], missing)]  # the last of the first: all that is there against what is missing


def _level_tests(bins: np.ndarray, missing: int) -> list[tuple[np.ndarray, int]]:
    """Return the tests of levels, each a chain of its own; that of the last bin asks for what is missing."""
    alone = [(bins[i : i + 1], -1) for i in range(len(bins))]
    return alone if missing < 0 else alone + [(bins[i : i + 1], missing) for i in range(len(bins) - 1)]
