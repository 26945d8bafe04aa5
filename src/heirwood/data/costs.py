"""What mistakes cost: a matrix of costs, checked, and rounded once to integers, so that every sum is exact.

A tree's hits are the cost it avoids. A row of class c costs at most worst[c] = max over k of cost[c, k]; taken for k it
costs cost[c, k] and so avoids the rest:

    gains[c, k] = worst[c] - cost[c, k]         hits / total = 1 - cost / the largest cost there could be
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heirwood.data.target import TOTAL_BITS, round_weights

FEWEST_STEPS = 2**8  # that the largest cost is counted in, at least
EXPECTED = (
    "expected a table with a row for each true class and a column for each predicted one, in the order of classes_, "
    "or a dict of costs by (true, predicted)"
)


@dataclass(frozen=True, eq=False)
class Costs:
    """What each mistake costs.

    Attributes
    ----------
    matrix : (n_classes, n_classes) float64
        As it was given: matrix[c, k] is the cost of a row of class c that is taken for class k.
    steps : (n_classes, n_classes) int64
        The same in units of `unit`.
    unit : float
    """

    matrix: np.ndarray
    steps: np.ndarray
    unit: float

    @cached_property
    def worst(self) -> np.ndarray:
        """The most that a row of each class can cost, (n_classes,) int64."""
        worst: np.ndarray = self.steps.max(axis=1)
        return worst

    @cached_property
    def gains(self) -> np.ndarray:
        """What a row of class c avoids when it is taken for class k, (n_classes, n_classes) int64."""
        return np.ascontiguousarray(self.worst[:, None] - self.steps)


def read_costs(cost_matrix: Any, classes: np.ndarray) -> np.ndarray:
    """Return what a user gave as a checked matrix: finite, not negative, nothing for what is right.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes), frame, or dict
        A frame names its classes, in any order. In a dict of costs by (true, predicted), a mistake that is not
        named costs 1.
    classes : (n_classes,) array
    """
    if hasattr(cost_matrix, "index") and hasattr(cost_matrix, "columns"):
        cost_matrix = cost_matrix.T.unstack().to_dict()
    if isinstance(cost_matrix, dict):
        matrix = _from_pairs(cost_matrix, classes)
    else:
        try:
            matrix = np.array(cost_matrix, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"cost_matrix={_brief(cost_matrix)} is no table of numbers; {EXPECTED}") from error
    names = classes.tolist()
    n = len(names)
    if matrix.shape != (n, n):
        raise ValueError(f"cost_matrix has the shape {matrix.shape}, but there are {n} classes, {names}; {EXPECTED}")
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        c, k = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))[0]
        raise ValueError(
            f"cost_matrix has {matrix[c, k]} for {names[c]!r} taken for {names[k]!r}; expected finite costs from 0 up"
        )
    if np.diag(matrix).any():
        c = int(np.diag(matrix).nonzero()[0][0])
        raise ValueError(
            f"cost_matrix has {matrix[c, c]} for {names[c]!r} taken for what it is; expected 0 there. "
            "Subtract it from its row: what is right costs nothing"
        )
    if n > 1 and not matrix.any():
        raise ValueError("cost_matrix is zero everywhere, so no tree is better than another; expected a cost above 0")
    return matrix


def _from_pairs(pairs: dict[Any, Any], classes: np.ndarray) -> np.ndarray:
    place = {value: i for i, value in enumerate(classes.tolist())}
    matrix = 1.0 - np.eye(len(classes))
    for pair, cost in pairs.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not set(pair) <= set(place):
            raise ValueError(
                f"cost_matrix has a cost for {pair!r}; expected (true, predicted), both of the classes {list(place)}"
            )
        try:
            matrix[place[pair[0]], place[pair[1]]] = cost
        except (TypeError, ValueError) as error:
            raise ValueError(f"cost_matrix has {cost!r} for {pair!r}; expected a number") from error
    return matrix


def round_costs(matrix: np.ndarray, of_class: np.ndarray) -> Costs:
    """Round costs to integers, as weights are: integers exactly, others to 24 significant bits.

    Where the largest cost of all rows could not be counted in such steps they are larger, by a power of two.

    Parameters
    ----------
    matrix : (n_classes, n_classes) float64
        Not negative, and not zero everywhere.
    of_class : (n_classes,) int64
        The weight of each class.
    """
    costing = matrix > 0
    rounded, unit = round_weights(matrix[costing])
    most = sum(int(weight) * int(cost) for weight, cost in zip(of_class, _filled(rounded, costing).max(1), strict=True))
    if most == 0:
        raise ValueError(
            "cost_matrix says that no mistake on these rows costs anything: the classes whose mistakes cost have no "
            "rows of positive weight"
        )
    excess = most.bit_length() - (TOTAL_BITS - 1)  # one bit less than there is: rounding may add half a step to each
    if excess > 0:
        if int(rounded.max()) >> excess < FEWEST_STEPS:
            raise ValueError(
                "weights and costs together are too much to count exactly; round the sample weights or the class "
                "weights to fewer digits, or divide the largest of them"
            )
        rounded = np.maximum(np.rint(rounded / 2.0**excess), 1.0).astype(np.int64)
        common = int(np.gcd.reduce(rounded))
        rounded, unit = rounded // common, unit * 2.0**excess * common
    return Costs(matrix, _filled(rounded, costing), unit)


def _filled(costs: np.ndarray, costing: np.ndarray) -> np.ndarray:
    steps = np.zeros(costing.shape, np.int64)
    steps[costing] = costs
    return steps


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
