"""Entropy in whole numbers: n log n is read from a table, so a sum is exact, and the same in any order.

No logarithm is taken while rows are counted, nor does a result hang on how a processor rounds one.
"""

import math
from typing import NamedTuple

import numpy as np

from heirwood.core._jit import small_kernel

SCALE = 2**16  # whole numbers to a bit
MOST_BITS = 17  # of an index: a total weight that has more is counted in larger units


class Logs(NamedTuple):
    """The table n log n, how many of a weight's bits it leaves out, and what all weights come to."""

    table: np.ndarray  # (n,) int64
    shift: np.int64
    total: np.int64


def make_logs(total: int) -> Logs:
    """Return the table for weights that come to `total`."""
    shift = max(0, total.bit_length() - MOST_BITS)
    counts = range(1, (total >> shift) + 1)
    table = np.array([0, *(round(n * math.log2(n) * SCALE) for n in counts)], np.int64)
    return Logs(table, np.int64(shift), np.int64(total))


@small_kernel
def order(left, whole, logs):
    """Return how orderly the two sides of a test are, given the weights on its left; the whole less its entropy."""
    table, shift = logs.table, logs.shift
    ordered = np.int64(0)
    sum_left = np.int64(0)
    sum_right = np.int64(0)
    for c in range(left.shape[0]):
        here = left[c]
        there = whole[c] - here
        ordered += table[here >> shift] + table[there >> shift]
        sum_left += here
        sum_right += there
    apart = table[sum_left >> shift] + table[sum_right >> shift]
    return ordered - apart + table[(sum_left + sum_right) >> shift]
