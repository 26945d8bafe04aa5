"""The class to predict, with weights: integers in bit planes, so that every sum is exact.

A row's weight is rounded once, to a multiple of a power of two; integers are exact. Within each
class the weights become bit planes in whichever way needs fewer: one plane for each distinct
weight (class weights need just one), or one for each binary digit.
"""

from dataclasses import dataclass

import numpy as np

from heirwood.core.bits import pack
from heirwood.core.inheritance import Target

FRACTION_BITS = 24  # a weight that is not exact keeps this many significant bits of the largest one
TOTAL_BITS = 62  # the sum of all weights must fit an int64, with room to add


@dataclass(frozen=True)
class ClassTarget:
    """Class codes and integer weights of every row.

    Attributes
    ----------
    codes : (n_rows,) int64
    weights : (n_rows,) int64
        In units of `unit`; all positive.
    n_classes : int
    unit : float
        A power of two: what one integer step of weight is worth.
    """

    codes: np.ndarray
    weights: np.ndarray
    n_classes: int
    unit: float = 1.0

    @property
    def total(self) -> int:
        """Total weight, in units."""
        return int(self.weights.sum())

    @property
    def weighted(self) -> bool:
        """Whether any row weighs other than one unit."""
        return bool((self.weights != 1).any())

    def planes(self, majority: bool) -> Target:
        """Return the bit planes that kernels tally."""
        masks, scales, starts = [], [], [0]
        for c in range(self.n_classes):
            mine = self.codes == c
            for scale, mask in _planes(self.weights, mine):
                masks.append(mask)
                scales.append(scale)
            starts.append(len(masks))
        n_rows = len(self.codes)
        planes = np.stack([pack(mask) for mask in masks])
        return Target(
            planes=planes,
            starts=np.array(starts, np.int64),
            scale=np.array(scales, np.int64),
            everyone=pack(np.ones(n_rows, bool)),
            n_rows=n_rows,
            weighted=self.weighted,
            majority=majority,
        )


def _planes(weights: np.ndarray, mine: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Return (scale, rows) planes whose scaled sum is the weight of every row of one class."""
    distinct = np.unique(weights[mine])
    if len(distinct) == 0:
        return [(1, mine)]
    digits = int(distinct[-1]).bit_length()
    if len(distinct) <= digits:
        return [(int(w), mine & (weights == w)) for w in distinct]
    planes = [(1 << b, mine & ((weights >> b) & 1 == 1)) for b in range(digits)]
    return [(scale, rows) for scale, rows in planes if rows.any()]


def round_weights(weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Round positive weights to integers times a power of two; return both.

    Weights that are multiples of some power of two within reach (integers, halves, ...) are kept
    exactly; others keep FRACTION_BITS significant bits of the largest one, and at least one unit.
    """
    weights = np.asarray(weights, dtype=np.float64)
    largest = float(weights.max())
    _, exponent = np.frexp(largest)
    unit = float(2.0 ** (int(exponent) - FRACTION_BITS))
    if np.all(weights == np.floor(weights)):
        unit = min(unit, 1.0) if largest < 2.0**53 else unit
    scaled = np.maximum(np.rint(weights / unit), 1.0)
    integers = scaled.astype(np.int64)
    # Take out the common power of two: fewer planes, and equal weights become ones.
    common = int(np.bitwise_or.reduce(integers))
    shift = (common & -common).bit_length() - 1
    integers >>= shift
    if (integers == integers[0]).all():
        return np.ones_like(integers), unit * 2.0**shift * float(integers[0])
    if float(integers.astype(np.float64).sum()) >= 2.0**TOTAL_BITS:
        raise ValueError(
            f"the weights add up to {weights.sum():.6g}, which is too much to count exactly; "
            "divide all sample weights by a common factor"
        )
    return integers, unit * 2.0**shift
