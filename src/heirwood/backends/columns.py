"""The table by columns, read off the bank's bit rows."""

import numpy as np

from heirwood.core.columns import Columns, read_bins
from heirwood.data.bank import EQUALS, TestBank
from heirwood.data.target import ClassTarget

FEWEST_TESTS = 8  # an attribute with fewer needs no bins: to read its bit rows is quicker


def make_columns(bank: TestBank, target: ClassTarget) -> Columns:
    """Return the bins of every attribute with many tests, and the class and weight of every row."""
    starts, stops = bank.first[:-1], bank.first[1:]
    n_plain = np.array([(~bank.missing_passes[a:b]).sum() for a, b in zip(starts, stops, strict=True)], np.int32)
    binned = (stops - starts >= FEWEST_TESTS).nonzero()[0]
    place = np.full(len(starts), -1, np.int32)
    place[binned] = np.arange(len(binned))
    equals = bank.kinds[starts] == EQUALS
    bins = np.zeros((len(binned), bank.n_rows), np.uint16)
    nothing = np.zeros(bank.bits.shape[1], np.uint64)
    for attribute, row in zip(binned.tolist(), bins, strict=True):
        start, stop, k = starts[attribute], stops[attribute], n_plain[attribute]
        missing = bank.bits[stop - 1] if stop - start > k else nothing
        read_bins(bank.bits[start : start + k], not equals[attribute], missing, row)
    codes = target.codes.astype(np.int32)
    return Columns(bins, place, equals, n_plain, codes, target.weights, target.stakes)
