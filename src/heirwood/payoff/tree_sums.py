"""The record a payoff sees: sums and sizes of many trees, one array each."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Trees:
    """Sums and sizes of many trees.

    Attributes
    ----------
    hits : (n_trees,) int64
        Weight of the rows each tree gets right (with no weights: their number). With a cost matrix, the cost it
        avoids; where leaves answer with shares, the loss.
    leaves, depth : (n_trees,) int64
        Size of each tree; a single leaf has depth 0.
    total : int
        Hits of a tree without a mistake: the total weight of the table, or the largest cost or loss there could be.
    n_rows : int
        Rows of the table.
    sums : dict of str to (n_trees,) arrays
        Further sums over leaves, by name.
    worst : float
        What a row loses on average in a tree without hits: 1, a mistake, or the largest loss there could be.
    """

    hits: np.ndarray
    leaves: np.ndarray
    depth: np.ndarray
    total: int
    n_rows: int
    sums: dict[str, np.ndarray] = field(default_factory=dict)
    worst: float = 1.0

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def accuracy(self) -> np.ndarray:
        """Share of the weight that each tree gets right; with a cost matrix, of the largest cost that it avoids."""
        return self.hits / self.total

    @property
    def loss(self) -> np.ndarray:
        """What a row loses on average: the share of errors, or the loss of the payoff, log loss in nats."""
        return (1.0 - self.hits / self.total) * self.worst

    def read_only(self) -> "Trees":
        """Return the same record, but nobody can write to it."""
        hits, leaves, depth = (_read_only(values) for values in (self.hits, self.leaves, self.depth))
        sums = {name: _read_only(values) for name, values in self.sums.items()}
        return Trees(hits, leaves, depth, self.total, self.n_rows, sums, self.worst)

    def take(self, places: np.ndarray) -> "Trees":
        """Return the record of some of the trees."""
        sums = {name: values[places] for name, values in self.sums.items()}
        return Trees(
            self.hits[places], self.leaves[places], self.depth[places], self.total, self.n_rows, sums, self.worst
        )

    def join(self, other: "Trees") -> "Trees":
        """Return the record of these trees and then the other's."""
        sums = {name: np.concatenate([values, other.sums[name]]) for name, values in self.sums.items()}
        return Trees(
            np.concatenate([self.hits, other.hits]),
            np.concatenate([self.leaves, other.leaves]),
            np.concatenate([self.depth, other.depth]),
            self.total,
            self.n_rows,
            sums,
            self.worst,
        )


def _read_only(values: np.ndarray) -> np.ndarray:
    view = values.view()
    view.flags.writeable = False
    return view
