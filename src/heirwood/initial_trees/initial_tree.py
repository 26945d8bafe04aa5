"""A tree that is to join a run: questions about the table's own columns, in preorder, and classes at its leaves.

Where others know trees as views, as scikit-learn's arrays or as JSON, all of them become this first; then they
are weighed on the rows of the run, shrunk, and their questions looked up in the bank. Nothing here recurses: a
tree may be deeper than Python's stack.
"""

from typing import NamedTuple

import numpy as np

from heirwood.data import Rows
from heirwood.data.extra_tests import answers


class Asked(NamedTuple):
    """A question, as the bank knows it; the value of "is missing" is 0 here, since NaN does not equal itself."""

    column: int
    kind: int
    value: float
    missing_passes: bool


Sketch = tuple[Asked | int, ...]  # in preorder; a number is a leaf, and the code of its class


class Weighed(NamedTuple):
    """A sketch and what arrives at each of its nodes."""

    sketch: Sketch
    span: np.ndarray  # (n_nodes,) int64
    parents: np.ndarray  # (n_nodes,) int64, -1 at the root
    n_rows: np.ndarray  # (n_nodes,) int64
    weights: np.ndarray  # (n_nodes, n_classes) float64: of each class; with costs, what each label avoids

    @property
    def inner(self) -> np.ndarray:
        """Whether each node asks."""
        return self.span > 1

    @property
    def depths(self) -> np.ndarray:
        """Questions above each node."""
        depths = np.zeros(len(self.span), np.int64)
        for node in range(1, len(self.span)):
            depths[node] = depths[self.parents[node]] + 1
        return depths

    @property
    def labels(self) -> np.ndarray:
        """The class of each leaf; at inner nodes the heaviest that arrives, the lowest of several."""
        labels = self.weights.argmax(axis=1)
        for node, asked in enumerate(self.sketch):
            if isinstance(asked, int):
                labels[node] = asked
        return labels


def n_leaves(sketch: Sketch) -> int:
    """Return the number of leaves."""
    return (len(sketch) + 1) // 2


def shape(sketch: Sketch) -> tuple[np.ndarray, np.ndarray]:
    """Return the span and the parent of every node."""
    span = np.ones(len(sketch), np.int64)
    parents = np.full(len(sketch), -1, np.int64)
    for node in range(len(sketch) - 1, -1, -1):
        if isinstance(sketch[node], Asked):
            right = node + 1 + span[node + 1]
            span[node] = 1 + span[node + 1] + span[right]
            parents[[node + 1, right]] = node
    return span, parents


def weigh(sketch: Sketch, rows: Rows, majority: bool) -> Weighed:
    """Send the rows down a sketch.

    Parameters
    ----------
    sketch : Sketch
    rows : Rows
    majority : bool
        Leaves take the heaviest class that arrives; one that no row reaches keeps its own.
    """
    values, target = rows.table.values, rows.target
    gains = target.gains.astype(np.float64)
    weights = np.zeros((len(sketch), target.n_classes))
    arrived = np.zeros(len(sketch), np.int64)
    waiting = [np.arange(len(rows))]
    for node, asked in enumerate(sketch):
        here = waiting.pop()
        arrived[node] = len(here)
        weights[node] = np.bincount(target.codes[here], target.weights[here], minlength=target.n_classes) @ gains
        if isinstance(asked, Asked):
            passed = answers(values[here, asked.column], asked.kind, asked.value, asked.missing_passes)
            waiting += [here[~passed], here[passed]]
    if majority:
        heaviest = weights.argmax(axis=1).tolist()
        sketch = tuple(
            heaviest[node] if isinstance(asked, int) and arrived[node] else asked for node, asked in enumerate(sketch)
        )
    return Weighed(sketch, *shape(sketch), arrived, weights)
