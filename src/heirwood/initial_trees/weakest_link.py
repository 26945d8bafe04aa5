"""Weakest links: the subtrees whose leaves gain least are replaced by a leaf, one after the other.

Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984), Sec. 3.3: of all subtrees the
weakest is the one with the least difference of costs per leaf that goes. All trees on the way to the single leaf are
the *cost-complexity path*.
"""

import heapq
from collections.abc import Callable

import numpy as np

from heirwood.initial_trees.initial_tree import Asked, Sketch, Weighed
from heirwood.stopped_error import StoppedError


class Pruning:
    """A tree that loses its weakest links.

    Parameters
    ----------
    tree : Weighed
    costs : (n_nodes,) float64
        What each node would cost as a leaf: errors, or impurity.
    must_end : callable
        Says whether nobody waits for it any more; then StoppedError is raised.
    """

    def __init__(self, tree: Weighed, costs: np.ndarray, must_end: Callable[[], bool] = lambda: False) -> None:
        self._tree = tree
        self._must_end = must_end
        self._labels = tree.labels
        self._waiting: list[tuple[float, int, int]] = []  # a heap of strength, span and node; some are out of date
        self._costs = costs
        self._span = tree.span.copy()  # as it is now, nodes that are gone not counted
        self._below = costs.astype(np.float64)  # what the leaves below a node cost
        for node in range(len(costs) - 1, -1, -1):
            if tree.inner[node]:
                right = node + 1 + tree.span[node + 1]
                self._below[node] = self._below[node + 1] + self._below[right]
        self._strength = np.full(len(costs), np.inf)
        for node in np.flatnonzero(tree.inner).tolist():
            self._weigh(node)

    @property
    def n_leaves(self) -> int:
        """Leaves that are left."""
        return int(self._span[0] + 1) // 2

    def prune_weakest(self) -> None:
        """Replace the weakest subtree by a leaf; of several that of fewest leaves, and then the first."""
        if self._must_end():
            raise StoppedError
        while True:
            strength, span, node = heapq.heappop(self._waiting)
            if strength == self._strength[node] and span == self._span[node]:
                self.prune(node)
                return

    def prune(self, node: int) -> None:
        """Replace the subtree at a node by a leaf."""
        gone = self._span[node] - 1
        rise = self._costs[node] - self._below[node]
        self._strength[node : node + self._tree.span[node]] = np.inf
        self._span[node], self._below[node] = 1, self._costs[node]
        above = int(self._tree.parents[node])
        while above >= 0:
            self._span[above] -= gone
            self._below[above] += rise
            self._weigh(above)
            above = int(self._tree.parents[above])

    def sketch(self) -> Sketch:
        """Return the tree as it is now."""
        kept: list[Asked | int] = []
        node = 0
        while node < len(self._tree.sketch):
            if self._span[node] == 1:
                kept.append(int(self._labels[node]))
                node += int(self._tree.span[node])
            else:
                kept.append(self._tree.sketch[node])
                node += 1
        return tuple(kept)

    def _weigh(self, node: int) -> None:
        n_gone = (self._span[node] - 1) // 2
        strength = float((self._costs[node] - self._below[node]) / n_gone)
        self._strength[node] = strength
        heapq.heappush(self._waiting, (strength, int(self._span[node]), node))
