"""The table by columns: bins of attributes with many tests, as the bank has them or read off its bit rows."""

import numpy as np

from heirwood.core.binned_columns import Columns, read_bins
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import TestBank
from heirwood.data.test_bits import is_binned
from heirwood.data.test_plan import EQUALS


def make_columns(bank: TestBank, target: ClassTarget) -> Columns:
    """Return the bins of every attribute with many tests, and the class and weight of every row."""
    starts, stops = bank.first[:-1], bank.first[1:]
    running = np.concatenate([[0], np.cumsum(~bank.missing_passes[: bank.first[-1]])])
    n_plain = (running[stops] - running[starts]).astype(np.int32)
    about = zip((stops - starts).tolist(), n_plain.tolist(), strict=True)
    binned = np.flatnonzero([is_binned(n_tests, n) for n_tests, n in about])
    place = np.full(len(starts), -1, np.int32)
    place[binned] = np.arange(len(binned))
    equals = bank.kinds[starts] == EQUALS
    bins = _read(bank, binned, n_plain, equals) if bank.bins is None else bank.bins
    codes = target.codes.astype(np.int32)
    return Columns(bins, place, equals, n_plain, codes, target.weights, target.stakes)


def _read(bank: TestBank, binned: np.ndarray, n_plain: np.ndarray, equals: np.ndarray) -> np.ndarray:
    """Return the bins of some attributes, read off their bit rows."""
    bins = np.zeros((len(binned), bank.n_rows), np.uint16)
    nothing = np.zeros(bank.bits.shape[1], np.uint64)
    for attribute, row in zip(binned.tolist(), bins, strict=True):
        start, stop, k = bank.first[attribute], bank.first[attribute + 1], n_plain[attribute]
        missing = bank.bits[stop - 1] if stop - start > k else nothing
        read_bins(bank.bits[start : start + k], not equals[attribute], missing, row)
    return bins
