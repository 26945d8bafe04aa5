"""The rows at a node, counted: what one leaf and what two leaves can get right there, exactly.

All questions are counted at once: a histogram over the bins of every column, added up along the bins, is the
weight of each class on the side that passes, for every cut there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heirwood.payoff.bound.binned_table import Ranks

EXACT = 2**53  # sums of weights are floats, which are exact up to here


@dataclass(frozen=True)
class Counter:
    """Counts the classes of some rows in every bin of a table.

    Attributes
    ----------
    ranks : Ranks
    cells : (n_rows, n_columns) int64
        Class and bin of every value, as one number.
    weights : (n_rows,) float64 or None
        None where every row weighs one.
    agreeing : (n_rows,) float64
        The weight of a row, if its class is the heaviest among the rows that equal it in every column, else zero.
        No tree gets more of some rows right than this weight of theirs: equal rows end at one leaf.
    n_classes : int
    gains : (n_classes, n_classes) float64 or None
        With costs: the hits of a row of class c at a leaf of label k. Then all that is counted by class here and in
        `Reach` is counted by label, the hits on some rows if all of them had it, and hits are meant by what is right.
    """

    ranks: Ranks
    cells: np.ndarray
    weights: np.ndarray | None
    agreeing: np.ndarray
    n_classes: int
    gains: np.ndarray | None = None

    def count(self, rows: np.ndarray) -> np.ndarray:
        """Return the weight of each class in each bin, (n_classes, n_bins)."""
        n_bins = len(self.ranks.column_of_bin)
        cells = self.cells[rows]
        weights = None if self.weights is None else np.repeat(self.weights[rows], cells.shape[1])
        counts = np.bincount(cells.ravel(), weights, n_bins * self.n_classes)
        by_class = counts.reshape(self.n_classes, n_bins).astype(np.float64, copy=False)
        return by_class if self.gains is None else self.gains.T @ by_class

    def agree(self, rows: np.ndarray) -> np.ndarray:
        """Return the weight in each bin that a tree can get right."""
        bins = self.ranks.bins[rows]
        weights = np.repeat(self.agreeing[rows], bins.shape[1])
        return np.bincount(bins.ravel(), weights, len(self.ranks.column_of_bin))


class Reach:
    """The rows at a node of a tree.

    Parameters
    ----------
    counter : Counter
    rows : (n,) int64
    of_class : (n_classes,) float64
        Weight of each class.
    """

    def __init__(self, counter: Counter, rows: np.ndarray, of_class: np.ndarray, histogram: np.ndarray | None = None):
        self.counter = counter
        self.rows = rows
        self.of_class = of_class
        self._histogram = histogram

    @cached_property
    def histogram(self) -> np.ndarray:
        """The weight of each class in each bin."""
        return self.counter.count(self.rows) if self._histogram is None else self._histogram

    @cached_property
    def agreeing(self) -> float:
        """The weight that a tree of any size can get right."""
        return float(self.counter.agreeing[self.rows].sum())

    @cached_property
    def passing(self) -> np.ndarray:
        """The weight of each class that passes each test, (n_classes, n_tests)."""
        return self._along(self.histogram, self.of_class)

    @cached_property
    def failing(self) -> np.ndarray:
        """The weight of each class that fails each test, (n_classes, n_tests)."""
        return self.of_class[:, None] - self.passing

    @cached_property
    def passing_agreeing(self) -> np.ndarray:
        """The weight that passes each test and that a tree can get right, (n_tests,)."""
        return self._along(self.counter.agree(self.rows)[None], np.array([self.agreeing]))[0]

    def _along(self, histogram: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Add up along the bins of numeric columns; every column holds all rows, so it begins where the last ended."""
        ranks = self.counter.ranks
        upto = np.cumsum(histogram, axis=1, dtype=np.float64)  # with no row at all, bincount counts in integers
        upto -= ranks.column_of_bin * total[:, None]
        if ranks.is_level.any():
            upto[:, ranks.is_level] = histogram[:, ranks.is_level]
        passing = upto.take(ranks.upto, axis=1)
        with_missing = ranks.missing >= 0
        if with_missing.any():
            passing[:, with_missing] += histogram[:, ranks.missing[with_missing]]
        return passing

    @cached_property
    def one_leaf(self) -> float:
        """The most hits of a single leaf."""
        return float(self.of_class.max())

    @cached_property
    def two_leaves(self) -> float:
        """The most hits of a tree of one or two leaves."""
        if not self.counter.ranks.n_tests:
            return self.one_leaf
        return max(self.one_leaf, float((self.passing.max(axis=0) + self.failing.max(axis=0)).max()))

    def divide(self, test: int) -> tuple[Reach, Reach]:
        """Return the rows that pass a test and those that fail it; only the fewer are counted."""
        counter = self.counter
        passes = counter.ranks.passes(test, self.rows)
        of_left = self.passing[:, test]
        left = Reach(counter, self.rows[passes], of_left)
        right = Reach(counter, self.rows[~passes], self.of_class - of_left)
        small, large = (left, right) if len(left.rows) <= len(right.rows) else (right, left)
        large._histogram = self.histogram - small.histogram
        return left, right
