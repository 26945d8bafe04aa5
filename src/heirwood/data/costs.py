"""What mistakes cost: a matrix of costs, checked, and rounded once to integers, so that every sum is exact.

A tree's hits are the cost it avoids. A row of class c costs at most worst[c] = max over k of cost[c, k]; taken for k it
costs cost[c, k] and so avoids the rest:

    gains[c, k] = worst[c] - cost[c, k]         hits / total = 1 - cost / the largest cost there could be
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np

from heirwood.data.target import TOTAL_BITS, round_weights
from heirwood.terminal_text import brief

LARGEST = 1e300  # so that the costs of many classes have a sum
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
    if nw.dependencies.is_pandas_like_dataframe(cost_matrix):
        cost_matrix = _named_pairs(cost_matrix)
    matrix = _from_pairs(cost_matrix, classes) if isinstance(cost_matrix, Mapping) else _from_table(cost_matrix)
    names = classes.tolist()
    n = len(names)
    if matrix.shape != (n, n):
        raise ValueError(f"cost_matrix has the shape {matrix.shape}, but there are {n} classes, {names}; {EXPECTED}")
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        c, k = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))[0]
        raise ValueError(
            f"cost_matrix has {matrix[c, k]} for {names[c]!r} taken for {names[k]!r}; expected finite costs from 0 up"
        )
    if matrix.max(initial=0.0) > LARGEST:
        raise ValueError(f"cost_matrix has a cost of {matrix.max()}; expected none above {LARGEST}: divide all of them")
    if np.diag(matrix).any():
        c = int(np.diag(matrix).nonzero()[0][0])
        raise ValueError(
            f"cost_matrix has {matrix[c, c]} for {names[c]!r} taken for what it is; expected 0 there. "
            "Subtract it from its row: what is right costs nothing"
        )
    if n > 1 and not matrix.any():
        raise ValueError("cost_matrix is zero everywhere, so no tree is better than another; expected a cost above 0")
    return matrix


def _named_pairs(frame: Any) -> dict[Any, Any]:
    """Return the costs in a frame of pandas by (true, predicted), as its index and its columns name them."""
    pairs: dict[Any, Any] = frame.T.unstack().to_dict()
    if len(pairs) < frame.size:
        raise ValueError(f"cost_matrix is a frame that names a class twice; {EXPECTED}")
    return pairs


def _from_table(table: Any) -> np.ndarray:
    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):  # as Python has its values: NumPy has no integers of 128 bits, nor decimals
        table = np.array([frame.get_column(name).to_list() for name in frame.columns], dtype=object).T
    try:
        return np.array(table, dtype=np.float64)
    except Exception as error:  # an object of the user's may raise anything when it is taken for a table
        raise ValueError(f"cost_matrix={brief(table)} is no table of numbers; {EXPECTED}") from error


def _from_pairs(pairs: Mapping[Any, Any], classes: np.ndarray) -> np.ndarray:
    place = {value: i for i, value in enumerate(classes.tolist())}
    matrix = 1.0 - np.eye(len(classes))
    for pair, cost in pairs.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not set(pair) <= set(place):
            raise ValueError(
                f"cost_matrix has a cost for {brief(pair)}; expected (true, predicted), both of the classes "
                f"{list(place)}"
            )
        try:
            matrix[place[pair[0]], place[pair[1]]] = cost
        except (TypeError, ValueError, ArithmeticError) as error:
            raise ValueError(f"cost_matrix has {brief(cost)} for {brief(pair)}; expected a number") from error
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
