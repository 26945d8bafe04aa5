"""The compiled search for the best tree of two levels: its lanes, read off the bank, and its memory."""

import time
from collections.abc import Callable
from itertools import chain

import numpy as np

from heirwood.core._notices import expecting
from heirwood.core.binned_columns import Columns, read_bins
from heirwood.core.depth2.column_bins import ABSENT, FIRST, NOBODY, Counts, Lanes
from heirwood.core.depth2.search import BELOW, LEAF, PAIR, STUMP, TOP, find_low
from heirwood.data.test_bank import TestBank
from heirwood.data.test_plan import EQUALS


def make_lanes(bank: TestBank, columns: Columns) -> Lanes:
    """Return the lanes of a bank: one for each attribute, and one more where it has missing values."""
    most = int(columns.n_plain.max(initial=0)) + 2
    bins: list[np.ndarray] = []
    tests: list[list[int]] = []
    n_bins: list[int] = []
    stay: list[int] = []
    for start, stop, k in zip(bank.first[:-1].tolist(), bank.first[1:].tolist(), columns.n_plain.tolist(), strict=True):
        equals = bool(bank.kinds[start] == EQUALS)
        missing = bank.bits[stop - 1] if stop - start > k else np.zeros(bank.bits.shape[1], np.uint64)
        found = np.zeros(bank.n_rows, np.uint16)
        read_bins(bank.bits[start : start + k], not equals, missing, found)
        own = np.where(found < k, found + FIRST, NOBODY)
        twins = range(start + k, start + 2 * k)
        bins.append(own)
        tests.append([*range(start, start + k)])
        n_bins.append(k)
        if stop - start > k and equals:
            bins.append(np.where(found == k + 1, ABSENT, own))
            tests.append([*twins, stop - 1])
            n_bins.append(k)
        elif stop - start > k:
            bins.append(np.where(found == k + 1, FIRST, np.where(found < k, own + 1, NOBODY)))
            tests.append([stop - 1, *twins])
            n_bins.append(k + 1)
        stay += [0 if equals else -1] * (len(n_bins) - len(stay))
    return Lanes(
        np.array(bins, np.uint16).reshape(-1, bank.n_rows),
        np.array([row + [-1] * (most - len(row)) for row in tests], np.int32).reshape(-1, most),
        np.array(n_bins, np.int32),
        np.array(stay, np.int32),
        columns.codes,
        columns.weights,
    )


class _Compilation:
    """Compiles the kernel, or loads it, when the first table needs it: many never do, and it takes seconds."""

    seconds = 0.0  # that it took

    @classmethod
    def ensure(cls, call: Callable[[], object]) -> None:
        """Run the kernel for the first time in this process."""
        if cls.seconds == 0.0:
            started = time.perf_counter()
            with expecting("one more kernel", 5):
                call()
            cls.seconds = time.perf_counter() - started


def seconds_compiling() -> float:
    """Return how long this process compiled after some run had started: no clock of a run counts that."""
    return _Compilation.seconds


def leaf_or_stump(found: list[float], price: float) -> tuple[float, list[int]]:
    """Return what the better one of a leaf and the best stump is worth, and the tree."""
    worth = found[STUMP] - price
    return (worth, [int(found[BELOW]), ~0, ~0]) if worth > found[LEAF] else (found[LEAF], [~0])


class Depth2Search:
    """Finds the best tree of two levels for some rows.

    Parameters
    ----------
    bank : TestBank
    columns : Columns
    n_classes : int
    """

    def __init__(self, bank: TestBank, columns: Columns, n_classes: int) -> None:
        self._bits = bank.bits
        self._lanes = lanes = make_lanes(bank, columns)
        n_lanes, n_rows = lanes.bins.shape
        most = lanes.tests.shape[1]
        n_of_a_class = int(np.minimum(lanes.n_bins + 1, n_rows + 1).sum()) + FIRST * n_lanes
        n_cells = n_of_a_class * (1 if n_classes == 2 else n_classes)
        self._counts = Counts(
            listed=np.zeros((2, n_rows), np.int32),
            bins=np.zeros((n_rows, n_lanes + 1), np.uint16),
            heft=np.zeros(n_rows, np.int32),
            order=np.zeros(n_rows, np.int32),
            ends=np.zeros(most + 4, np.int32),
            asked=np.zeros((n_lanes, most), np.int32),
            used=np.zeros(n_lanes, np.int32),
            starts=np.zeros(n_lanes + 1, np.uint64),
            places=np.zeros((n_classes, 2), np.int32),
            heaviest=np.zeros(n_classes, np.int32),
            whole=np.zeros(n_cells, np.int32),
            left=np.zeros(n_cells, np.int32),
            passed=np.zeros(n_cells, np.int32),
            nothing=np.zeros(n_of_a_class, np.int32),
            weights=np.zeros((2, n_classes), np.int64),
        )
        _Compilation.ensure(lambda: self.stump(np.zeros(bank.bits.shape[1], np.uint64), 0.0))

    def stump(self, rows: np.ndarray, price: float) -> tuple[float, list[int]]:
        """Return what the best tree of up to one level for some rows is worth, and the tree.

        Worth is what it gets right, less the price of its leaves but one.
        """
        return leaf_or_stump(self._find(rows, 1, price), price)

    def pair(self, rows: np.ndarray, price: float, least: float = -np.inf) -> tuple[float, list[int]]:
        """Return the same of the best tree of up to two levels; leaves get their labels when it is taken in.

        Where that is worth no more than some least, return the least and no tree: that is sooner known.
        """
        found = self._find(rows, 2, price, least)
        if found[TOP] >= 0:
            passing = self._bits[int(found[TOP])]
            sides = (self.stump(side, price)[1] for side in (rows & passing, rows & ~passing))
            return found[PAIR], [int(found[TOP]), *chain(*sides)]
        worth, genes = leaf_or_stump(found, price)
        return (worth, genes) if worth > least else (least, [])

    def _find(self, rows: np.ndarray, levels: int, price: float, least: float = -np.inf) -> list[float]:
        found = np.empty(5)
        find_low(rows, levels, price, least, self._lanes, self._counts, found)
        numbers: list[float] = found.tolist()
        return numbers
