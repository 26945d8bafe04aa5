"""What a leaf of probabilities is worth: the largest loss that its weight could have, less the loss that it has.

The log loss of a leaf is the sum over its classes of c log2(n / c) bits, its Brier score the sum of c (n - c) / n, with
n the weight of all its rows and c that of a class. Each is rounded once for each leaf, to multiples of a power of two,
from the leaf's sums alone: so what is added up over leaves, and inherited, is exact.

Floats are added, multiplied and divided only, in one order, and compilers may not merge these steps: every machine
rounds alike. No logarithm of the machine's is asked. For small weights n log2 n is read from a table.
"""

import math
from functools import cache

import numpy as np

from heirwood.core._jit import inner_kernel, kernel, small_kernel

# What the hits of a leaf are: the weight it gets right, the cost it avoids, or the loss it does not have.
HITS, COSTS, LOG_LOSS, BRIER = np.int64(0), np.int64(1), np.int64(2), np.int64(3)

N_TERMS = 11  # of the series: the next one is below the last bit of a float
LOG_OF_2 = 0.6931471805599453
COEFFICIENTS = tuple(2.0 / (LOG_OF_2 * (2 * i + 1)) for i in range(N_TERMS))
ROOT_HALF = math.sqrt(0.5)
MOST_TERMS = 2**17  # entries of the table


@small_kernel
def log2(m):
    """Return the binary logarithm of a number above 0: exact for powers of two."""
    fraction, exponent = math.frexp(m)
    if fraction < ROOT_HALF:
        fraction = fraction * 2.0
        exponent = exponent - 1
    t = (fraction - 1.0) / (fraction + 1.0)  # log f = 2 (t + t**3 / 3 + t**5 / 5 + ...)
    square = t * t
    total = 0.0
    for i in range(N_TERMS):
        total = total * square + COEFFICIENTS[N_TERMS - 1 - i]
    return np.float64(exponent) + total * t


def make_terms(total: int, scale: float) -> np.ndarray:
    """Return n log2 n for every n up to `total`, or as many as there may be, in steps of which a bit has `scale`."""
    n = min(total + 1, MOST_TERMS)
    return _terms(1 << (n - 1).bit_length(), scale)[:n]


@cache
def _terms(n: int, scale: float) -> np.ndarray:
    """Return the table of `n` entries, made once: the same steps as `log2`, for all of them at once."""
    weights = np.arange(1, n, dtype=np.float64)
    fraction, exponent = np.frexp(weights)
    is_low = fraction < ROOT_HALF
    fraction, exponent = np.where(is_low, fraction * 2.0, fraction), exponent - is_low
    t = (fraction - 1.0) / (fraction + 1.0)
    square, total = t * t, np.zeros_like(t)
    for coefficient in reversed(COEFFICIENTS):
        total = total * square + coefficient
    logs = exponent.astype(np.float64) + total * t
    return np.concatenate([[0], np.rint(weights * logs * scale).astype(np.int64)])


@inner_kernel
def n_log_n(weight, target):
    """Return n log2 n, rounded."""
    if weight < target.terms.shape[0]:
        return target.terms[weight]
    n = np.float64(weight)
    return np.int64(np.rint(n * log2(n) * target.scale_of_loss))


@inner_kernel
def loss_avoided(left, whole, side, target):
    """Return the hits of one side of a split: 0 for what is on its left, 1 for the rest of the whole.

    Parameters
    ----------
    left, whole : (at least n_classes,) int64
        The weight of each class on the left, and in all.
    side : {0, 1}
    target : Target
    """
    n_classes = target.starts.shape[0] - 1
    n = np.int64(0)
    for c in range(n_classes):
        n += left[c] if side == 0 else whole[c] - left[c]
    if n == 0:
        return np.int64(0)
    if target.hits_are == LOG_LOSS:
        loss = n_log_n(n, target)
        for c in range(n_classes):
            loss -= n_log_n(left[c] if side == 0 else whole[c] - left[c], target)
    else:
        total = 0.0
        weight = np.float64(n)
        for c in range(n_classes):
            here = np.float64(left[c] if side == 0 else whole[c] - left[c])
            total += here * (weight - here)
        loss = np.int64(np.rint(total / weight * target.scale_of_loss))
    return n * target.most_loss - min(max(loss, np.int64(0)), n * target.most_loss)


@kernel
def hits_of_weights(weights, target):
    """Return the hits of a leaf with some weights of the classes, to Python."""
    return loss_avoided(weights, weights, np.int64(0), target)
