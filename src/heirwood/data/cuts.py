"""Where a numeric column is cut: halfway between neighbouring values, or at the paper's integers.

A cut stands between two neighbours among the values of a column, the highest value that passes and the lowest one that
fails. Any number from the one up to the other divides the rows alike, so that is all the bank needs; which number a
reader sees is worked out when somebody asks.
"""

from decimal import Context, Decimal

import numpy as np

COUNTABLE = 2.0**52  # up to here floats tell every integer, and every half, apart
MOST_DECIMALS = 9  # of values that are halved as integers,
LARGEST_SUM = 1e15  # and of two of them: fifteen digits, and five times that is an integer that floats have
DECIMALS = Context(prec=40, traps=[])  # our own: programs may change the one that decimals share


def between(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the cut that a reader sees between each pair of neighbours: halfway, in decimals.

    Halfway between the decimals that one would write for the values: 0.5195 between 0.519 and 0.52, where
    half the sum of the two floats is 0.5195000000000001. Every cut c between a and b has a <= c < b, also
    where rounding would say otherwise; with nothing between them, a is b, it is both.
    """
    middle = _halfway_between_integers(lower, upper)
    if middle is None:
        middle = np.array([_halfway(a, b) for a, b in zip(lower.tolist(), upper.tolist(), strict=True)], np.float64)
    return np.where((lower <= middle) & (middle < upper), middle, lower)


def between_two(lower: float, upper: float) -> float:
    """Return the same for one pair of neighbours, in microseconds."""
    middle = _halfway(lower, upper)
    return middle if lower <= middle < upper else lower


def _halfway_between_integers(lower: np.ndarray, upper: np.ndarray) -> np.ndarray | None:
    """Return the same for values with few decimals, all at once; None where some have more.

    As multiples of a power of ten values are integers, and so is ten times the middle. Of what is exact the quotient is
    rounded once, as `_halfway` does; and no two numbers of up to fifteen digits have the same nearest float.
    """
    for n_decimals in range(MOST_DECIMALS + 1):
        power = 10.0**n_decimals
        with np.errstate(over="ignore"):
            low, high = np.rint(lower * power), np.rint(upper * power)
            is_small = np.abs(low) + np.abs(high) < LARGEST_SUM
        is_exact = (low / power == lower) & (high / power == upper) & is_small
        if is_exact.all():
            middle: np.ndarray = 5.0 * (low + high) / (10.0 * power)
            return middle
    return None


def _halfway(lower: float, upper: float) -> float:
    return float(DECIMALS.divide(DECIMALS.add(Decimal(repr(lower)), Decimal(repr(upper))), Decimal(2)))


def integer_cuts(distinct: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return one cut for each way that integers in [min, max] divide the rows, and their number.

    The cut in the middle of those that divide alike stands for them.
    """
    if len(distinct) == 0 or np.ceil(distinct[0]) > np.floor(distinct[-1]):
        return np.empty(0), np.empty(0, np.int64)
    # Cuts in [lowest, highest] divide as "<= distinct[k]": the integers from ceil(distinct[k])
    # up to the last one below distinct[k + 1].
    lowest = np.ceil(distinct)
    below = np.minimum(np.ceil(distinct[1:]) - 1, np.nextafter(distinct[1:], -np.inf))  # floats beyond 2**53 are coarse
    highest = np.append(below, np.floor(distinct[-1]))
    some = lowest <= highest
    lowest, highest = lowest[some], highest[some]
    middle = np.floor(lowest / 2 + highest / 2)  # the sum of two large values could overflow
    return np.clip(middle, lowest, highest), _count_integers(lowest, highest)


def _count_integers(lowest: np.ndarray, highest: np.ndarray) -> np.ndarray:
    """Return how many integers there are from each lowest to its highest; beyond 2**53 in all, their shares."""
    largest = max(abs(lowest[0]), abs(highest[-1]))
    if largest < COUNTABLE:
        return (highest - lowest + 1).astype(np.int64)
    widths = highest / largest - lowest / largest + 1 / largest
    return np.maximum(widths / widths.sum() * COUNTABLE, 1).astype(np.int64)
