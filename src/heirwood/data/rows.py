"""The rows that a run sees: a table without rows of weight zero, and the class and weight of each row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heirwood.data.costs import read_costs, round_costs
from heirwood.data.labels import read_classes, row_weights
from heirwood.data.schema import Table
from heirwood.data.table import read_table
from heirwood.data.target import ClassTarget, combine_weights

MOST_COUNTED = 2**53  # weights that add up to more are no counts


@dataclass(frozen=True, eq=False)
class Rows:
    """A table and its target.

    Attributes
    ----------
    table : Table
    classes : (n_classes,) array
        The distinct classes; codes of the target are places here.
    target : ClassTarget
    counts : (n_rows,) int64, optional
        How many equal rows each row stands for: its sample weight, where all are whole numbers. None: one each.
    """

    table: Table
    classes: np.ndarray
    target: ClassTarget
    counts: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.table)

    def measured_by(self, loss: str) -> Rows:
        """Return the rows for a payoff of losses: leaves answer with shares, and hits are the loss that is avoided."""
        return replace(self, target=self.target.measured_by(loss))

    def take(self, places: np.ndarray) -> Rows:
        """Return some of the rows, of the same columns and classes."""
        target = replace(self.target, codes=self.target.codes[places], weights=self.target.weights[places])
        counts = None if self.counts is None else self.counts[places]
        return Rows(self.table.take(places), self.classes, target, counts)

    @property
    def n_counted(self) -> int:
        """Number of rows, each as often as it counts."""
        return len(self) if self.counts is None else int(self.counts.sum())


def read_rows(X: Any, y: Any, sample_weight: Any, class_weight: Any, estimator: Any, cost_matrix: Any = None) -> Rows:
    """Read a table, its classes, its weights and costs on behalf of an estimator; keep the rows that count."""
    table = read_table(X, estimator=estimator)
    classes, codes = read_classes(y, len(table), type(estimator).__name__)
    weights, of_class = row_weights(classes[codes], table.values, sample_weight, class_weight)
    counted = (weights > 0) & (of_class > 0)
    if not counted.any():
        raise ValueError("every row has weight zero; expected at least one row of positive weight")
    if not counted.all():
        table = table.take(counted)
    integers, unit = combine_weights(weights[counted], of_class[counted])
    target = ClassTarget(codes[counted].astype(np.int64), integers, len(classes), unit)
    if cost_matrix is not None:
        matrix = read_costs(cost_matrix, classes)
        of_class = np.zeros(len(classes), np.int64)
        np.add.at(of_class, target.codes, target.weights)
        if len(classes) > 1:  # of one class nothing can be mistaken
            target = replace(target, costs=round_costs(matrix, of_class))
    return Rows(table, classes, target, _counts(weights[counted], integers))


def _counts(weights: np.ndarray, integers: np.ndarray) -> np.ndarray | None:
    """Return how many rows each row stands for; None where some weight is no whole number, or all weigh the same.

    Also where what rows weigh as integers, class weights included, are no multiples of them: no part of a row could be
    weighed.
    """
    if not (weights == np.floor(weights)).all() or weights.sum() > MOST_COUNTED:
        return None
    counts = weights.astype(np.int64)
    counts //= np.gcd.reduce(counts)
    return None if (counts == 1).all() or (integers % counts).any() else counts
