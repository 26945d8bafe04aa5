"""The class to predict, with weights: integers in bit planes, so that every sum is exact.

A row's weight is rounded once, to a multiple of a power of two; integers are exact. Within each
class the weights become bit planes in whichever way needs fewer: one plane for each distinct
weight (class weights need just one), or one for each binary digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from heirwood.core.bitsets import pack
from heirwood.core.leaf_loss import BRIER, COSTS, HITS, LOG_LOSS, hits_of_weights, make_terms
from heirwood.core.target import Target

if TYPE_CHECKING:
    from heirwood.data.costs import Costs

LOSS_BITS = 16  # steps to a bit of loss are 2**16, or fewer where weights are large
MEASURES = {"log_loss": LOG_LOSS, "brier": BRIER}
FRACTION_BITS = 24  # a weight that is not exact keeps this many significant bits
TOTAL_BITS = 62  # the sum of all weights must fit an int64, with room to add
SMALLEST_EXPONENT = -1074  # of a float
TOO_MUCH = (
    "the weights add up to {:.6g}, which is too much to count exactly; divide all sample weights by a common factor"
)


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
        What one integer step of weight is worth.
    costs : Costs, optional
        What mistakes cost, where they do not all cost the same.
    loss : {"log_loss", "brier"}, optional
        What the hits of a leaf are the lack of, where they are not what it gets right.
    """

    codes: np.ndarray
    weights: np.ndarray
    n_classes: int
    unit: float = 1.0
    costs: Costs | None = None
    loss: str | None = None

    @property
    def total(self) -> int:
        """The hits of a tree without a mistake: the total weight, or the largest cost or loss there could be."""
        if self.loss is not None:
            return int(self.weights.sum()) * self.most_loss
        if self.costs is None:
            return int(self.weights.sum())
        most = int(self.stakes.sum())
        return max(most, 1)  # a part of the rows may have no mistake that costs: then all trees have zero hits of one

    @property
    def stakes(self) -> np.ndarray:
        """What is at stake in each row: its weight, or the most that it can cost."""
        return self.weights if self.costs is None else self.weights * self.costs.worst[self.codes]

    @cached_property
    def scale_of_loss(self) -> float:
        """Steps to a bit of log loss, or to a Brier score of 1: a power of two, so that no sum passes TOTAL_BITS."""
        if self.loss is None:
            return 1.0
        total = int(self.weights.sum())
        largest = total * total.bit_length() if self.loss == "log_loss" else total  # that is computed on the way
        return 2.0 ** max(min(LOSS_BITS, TOTAL_BITS - 1 - largest.bit_length()), 0)

    @property
    def most_loss(self) -> int:
        """Steps that a unit of weight can have: no class has less than its share."""
        if self.loss is None:
            return 1
        bits = max((self.n_classes - 1).bit_length(), 1) if self.loss == "log_loss" else 1
        return bits * int(self.scale_of_loss)

    def loss_avoided(self, weights: np.ndarray) -> np.ndarray:
        """Return the hits of leaves that answer with shares, given the weight of each class at each, as int64."""
        planes = self.planes(majority=True)
        of_leaves = np.ascontiguousarray(weights, dtype=np.int64)
        return np.array([hits_of_weights(of_leaf, planes) for of_leaf in of_leaves], np.int64)

    @property
    def worst_loss(self) -> float:
        """What a unit of weight loses at most: in nats, or in Brier scores; without a loss one mistake."""
        worst = self.most_loss / self.scale_of_loss
        return worst * math.log(2.0) if self.loss == "log_loss" else worst

    def measured_by(self, loss: str) -> ClassTarget:
        """Return the target with hits that are the lack of a loss.

        Where weights are so large that it could not be counted, they are rounded to larger steps.
        """
        total = int(self.weights.sum())
        most = max(total.bit_length(), (self.n_classes - 1).bit_length())
        excess = (total * most).bit_length() - (TOTAL_BITS - 1)
        if excess <= 0:
            return replace(self, loss=loss)
        weights = np.maximum(np.rint(self.weights / 2.0 ** (excess + 1)), 1.0).astype(np.int64)
        weights, unit = _without_common_factor(weights, self.unit * 2.0 ** (excess + 1))
        return replace(self, weights=weights, unit=unit, loss=loss)

    @property
    def gains(self) -> np.ndarray:
        """The hits of a row of class c that is taken for class k, per unit of its weight, as int64."""
        return np.eye(self.n_classes, dtype=np.int64) if self.costs is None else self.costs.gains

    @property
    def weighted(self) -> bool:
        """Whether any row weighs other than one unit."""
        return bool((self.weights != 1).any())

    @property
    def step(self) -> int:
        """The largest weight that all weights are multiples of."""
        return int(np.gcd.reduce(self.weights)) if len(self.weights) else 1

    def copies(self) -> np.ndarray:
        """Return the number of every row, as often as it weighs steps: a table of such rows needs no weights."""
        copies: np.ndarray = np.repeat(np.arange(len(self.codes)), self.weights // self.step)
        return copies

    @property
    def measure(self) -> tuple[str, float]:
        """How good trees are told to be, and what each hit that a tree lacks adds to that per unit of weight."""
        if self.loss is not None:
            return self.loss, self.worst_loss / self.total
        if self.costs is not None:
            return "cost", self.costs.unit / int(self.weights.sum())
        return "accuracy", 0.0

    def planes(self, majority: bool) -> Target:
        """Return the bit planes that kernels tally; they are made once."""
        made: dict[bool, Target] = self.__dict__.setdefault("_planes", {})
        if majority not in made:
            made[majority] = self._make_planes(majority)
        return made[majority]

    def _make_planes(self, majority: bool) -> Target:
        planes, scales, starts = [], [], [0]
        for c in range(self.n_classes):
            for scale, plane in _planes(self.weights, np.flatnonzero(self.codes == c)):
                planes.append(plane)
                scales.append(scale)
            starts.append(len(planes))
        n_rows = len(self.codes)
        return Target(
            planes=np.stack(planes),
            starts=np.array(starts, np.int64),
            scale=np.array(scales, np.int64),
            everyone=pack(np.ones(n_rows, bool)),
            n_rows=n_rows,
            weighted=self.weighted,
            majority=majority,
            gains=self.gains,
            hits_are=self._hits_are(),
            most_loss=np.int64(self.most_loss),
            scale_of_loss=self.scale_of_loss,
            terms=make_terms(int(self.weights.sum()) if self.loss == "log_loss" else 0, self.scale_of_loss),
        )

    def _hits_are(self) -> np.int64:
        if self.loss is not None:
            return MEASURES[self.loss]
        return HITS if np.array_equal(self.gains, np.eye(self.n_classes)) else COSTS


def _planes(weights: np.ndarray, places: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (scale, bit row) planes whose scaled sum is the weight of every row of one class, given its rows."""
    mine = weights[places]
    distinct = np.unique(mine)
    if len(distinct) == 0:
        yield 1, pack(np.zeros(len(weights), bool))
        return
    common = int(np.gcd.reduce(distinct))  # what the class weighs, if classes do
    digits = int(distinct[-1] // common).bit_length()
    if len(distinct) <= digits:
        for weight in distinct.tolist():
            yield weight, _bit_row(places[mine == weight], len(weights))
        return
    steps = mine // common
    for digit in range(digits):
        rows = places[(steps >> digit) & 1 == 1]
        if len(rows):
            yield common << digit, _bit_row(rows, len(weights))


def _bit_row(places: np.ndarray, n_rows: int) -> np.ndarray:
    rows = np.zeros(n_rows, bool)
    rows[places] = True
    return pack(rows)


def round_weights(weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Round positive weights to multiples of a power of two; return integers and what one step of them is worth.

    Integers are kept exactly, also beside fractions, and every other weight keeps FRACTION_BITS significant
    bits; both as long as the sum of all can be counted, in TOTAL_BITS, in steps that small. A weight too
    small for that (below about 2**-37 of the sum) is rounded to the step of the others, and to one at least.
    """
    weights = np.asarray(weights, dtype=np.float64)
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if np.isinf(total):
        raise ValueError(TOO_MUCH.format(total))
    _, exponents = np.frexp(weights)
    _, of_total = np.frexp(total)
    # One bit less than there is: rounding may add up to a step to each weight.
    countable = exponents[exponents >= of_total - (TOTAL_BITS - 1 - FRACTION_BITS)]
    smallest = int(countable.min() if len(countable) else exponents.max())
    unit = 2.0 ** max(smallest - FRACTION_BITS, SMALLEST_EXPONENT)
    whole = weights == np.floor(weights)
    if whole.any() and total < 2.0 ** (TOTAL_BITS if whole.all() else TOTAL_BITS - 1):
        unit = min(unit, 1.0)
    scaled = np.maximum(np.rint(weights / unit), 1.0)
    integers = scaled.astype(np.int64)
    integers, unit = _without_common_factor(integers, unit)
    if integers.sum(dtype=np.float64) >= 2.0**TOTAL_BITS:
        raise ValueError(TOO_MUCH.format(total))
    return integers, unit


def combine_weights(of_rows: np.ndarray, of_classes: np.ndarray) -> tuple[np.ndarray, float]:
    """Round the product of two weights of every row: each on its own if that can be counted, which is exact.

    So a row of weight two is two rows, whatever its class weighs.
    """
    rows, row_unit = round_weights(of_rows)
    classes, class_unit = round_weights(of_classes)
    unit = row_unit * class_unit
    if rows.astype(np.float64) @ classes >= 2.0**TOTAL_BITS or not 0 < unit < np.inf:
        return round_weights(of_rows * of_classes)
    return _without_common_factor(rows * classes, unit)


def _without_common_factor(integers: np.ndarray, unit: float) -> tuple[np.ndarray, float]:
    """Move the common factor into the unit: fewer planes, and equal weights become ones."""
    common = int(np.gcd.reduce(integers))
    return integers // common, unit * common
