"""Entropy in whole numbers: n log n is read from a table, so a sum is exact, and the same in any order.

No logarithm is taken while rows are counted. A processor that rounds one differently makes the same table, but where
n log n lies within 1e-4 of halfway between two whole numbers.
"""

import math
from functools import cache

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel

SCALE = 2**16  # whole numbers to a bit
MOST_LOGS = np.int64(2**17)  # entries of the table; at a node that weighs more, weights are counted in larger units


def make_logs(total: int) -> np.ndarray:
    """Return n log n for every n up to `total`, or as many as there may be."""
    n = min(total + 1, int(MOST_LOGS))
    return _logs(1 << (n - 1).bit_length())[:n]


@cache
def _logs(n: int) -> np.ndarray:
    """Return the table of `n` entries, made once."""
    return np.array([0, *(round(i * math.log2(i) * SCALE) for i in range(1, n))], np.int64)


@small_kernel
def coarse_units(total):
    """Return how many times the unit of weight is doubled for a node of that weight."""
    shift = np.int64(0)
    while total >> shift >= MOST_LOGS:
        shift += 1
    return shift


@part_kernel
def tidiness(left, whole, logs):
    """Return N log N of the whole less the entropy of both sides, given the weights on the left of a test.

    Without the first term, which is the same for all tests of a node, it would be below zero.
    """
    total = np.int64(0)
    for c in range(whole.shape[0]):
        total += whole[c]
    shift = coarse_units(total)
    tidy = np.int64(0)
    sum_left = np.int64(0)
    for c in range(left.shape[0]):
        tidy += logs[left[c] >> shift] + logs[(whole[c] - left[c]) >> shift]
        sum_left += left[c]
    return tidy - logs[sum_left >> shift] - logs[(total - sum_left) >> shift] + logs[total >> shift]
