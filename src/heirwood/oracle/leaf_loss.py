"""What a leaf of probabilities is worth: how far it is from the worst, in whole numbers.

A leaf answers with the shares of its classes. Its log loss, with n the weight of all its instances and c that of a
class, is the sum over classes of c log2(n / c) bits; its Brier score the sum of c (n - c) / n. Both add up over leaves.
They are rounded here, once for each leaf, to multiples of a power of two; whatever adds them up later is exact.

    hits = the largest loss that so much weight could have - the loss

Floats are added, multiplied and divided only, in one order, so that every machine rounds alike. No logarithm of the
machine's is asked.
"""

import math

N_TERMS = 11  # of the series: the next one is below the last bit of a float
LOG_OF_2 = 0.6931471805599453
COEFFICIENTS = [2.0 / (LOG_OF_2 * (2 * i + 1)) for i in range(N_TERMS)]
ROOT_HALF = math.sqrt(0.5)


def log2(m: float) -> float:
    """Return the binary logarithm of a number above 0: exact for powers of two."""
    fraction, exponent = math.frexp(m)
    if fraction < ROOT_HALF:
        fraction, exponent = fraction * 2.0, exponent - 1
    t = (fraction - 1.0) / (fraction + 1.0)  # log f = 2 (t + t**3 / 3 + t**5 / 5 + ...)
    square, total = t * t, 0.0
    for coefficient in reversed(COEFFICIENTS):
        total = total * square + coefficient
    return float(exponent) + total * t


def n_log_n(weight: int, scale: float) -> int:
    """Return n log2 n, rounded, in steps of which there are `scale` to a bit."""
    return round(float(weight) * log2(float(weight)) * scale) if weight > 0 else 0


def log_loss(weights: list[int], scale: float) -> int:
    """Return the log loss of a leaf, given the weight of each class."""
    return max(n_log_n(sum(weights), scale) - sum(n_log_n(weight, scale) for weight in weights), 0)


def brier(weights: list[int], scale: float) -> int:
    """Return the Brier score of a leaf, likewise."""
    n = float(sum(weights))
    if n == 0.0:
        return 0
    total = 0.0
    for weight in weights:
        total += float(weight) * (n - float(weight))
    return round(total / n * scale)


LOSSES = {"log_loss": log_loss, "brier": brier}
