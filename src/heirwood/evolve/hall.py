"""The hall of fame: the best tree ever bred at each number of leaves."""

from collections.abc import Callable

import numpy as np

from heirwood.payoff import Trees


class Hall:
    """One place for each number of leaves.

    A tree takes the place of its size when its payoff is higher than that of the tree there; ties
    stay with the one that came first.
    """

    def __init__(self, max_leaf_nodes: int) -> None:
        self.payoffs = np.full(max_leaf_nodes + 1, np.nan)  # which nothing is level with or worse than: a free place
        self.handles = np.full(max_leaf_nodes + 1, -1, np.int64)
        self.leaves = np.empty(0, np.int64)  # the sizes that have a tree, ascending
        self.best = 0  # the size of the tree with the highest payoff, the smaller one of two; 0 before there is any
        self._trees: Trees | None = None  # by size

    @property
    def trees(self) -> Trees:
        """The record of the trees in the hall, by ascending size."""
        return self.by_size.take(self.leaves)

    @property
    def by_size(self) -> Trees:
        """The same record with a place for every size, taken or not."""
        assert self._trees is not None
        return self._trees

    @property
    def n_nodes(self) -> int:
        """Nodes of all trees in the hall."""
        return int((2 * self.leaves - 1).sum())

    def rescore(self, pay: Callable[[Trees], np.ndarray]) -> None:
        """Set every payoff anew, after the payoff's parameters moved."""
        if len(self.leaves):
            self.payoffs[self.leaves] = pay(self.trees)
            self._find_best()

    def welcome(self, handles: np.ndarray, trees: Trees, payoffs: np.ndarray) -> bool:
        """Let in every tree that is better than the one of its size; say whether any was. No payoff may be NaN."""
        if self._trees is None:
            empty = np.zeros(len(self.handles), np.int64)
            sums = {name: np.zeros(len(self.handles), values.dtype) for name, values in trees.sums.items()}
            self._trees = Trees(empty, empty.copy(), empty.copy(), trees.total, trees.n_rows, sums, trees.worst)
        stays_out = payoffs <= self.payoffs[trees.leaves]
        if stays_out.all():
            return False
        for place in (~stays_out).nonzero()[0]:
            size = trees.leaves[place]
            if not payoffs[place] <= self.payoffs[size]:
                self._seat(int(size), int(place), handles, trees, payoffs)
        self.leaves = (self.handles >= 0).nonzero()[0]
        self._find_best()
        return True

    def _find_best(self) -> None:
        self.best = int(self.leaves[self.payoffs[self.leaves].argmax()])

    def _seat(self, size: int, place: int, handles: np.ndarray, trees: Trees, payoffs: np.ndarray) -> None:
        assert self._trees is not None
        self.handles[size] = handles[place]
        self.payoffs[size] = payoffs[place]
        for mine, theirs in (
            (self._trees.hits, trees.hits),
            (self._trees.leaves, trees.leaves),
            (self._trees.depth, trees.depth),
        ):
            mine[size] = theirs[place]
        for name, values in trees.sums.items():
            self._trees.sums[name][size] = values[place]
