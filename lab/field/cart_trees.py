"""All trees that one growing of scikit-learn's gives: of every number of leaves, or of every cost on its path.

Tuning asks for dozens of trees of the same rows. Best-first, the tree with fewer leaves is the beginning of that with
more: its nodes are numbered as they come. And a tree on the cost-complexity path is the whole one, cut back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

MOST_LEAVES = 32
N_INNER = 5


class BestFirst:
    """Trees with 2, 3, ... leaves, the leaf being split that gains most.

    Parameters
    ----------
    X, y : arrays
    criterion : {"gini", "entropy"}
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, criterion: str = "gini") -> None:
        self.model = DecisionTreeClassifier(max_leaf_nodes=MOST_LEAVES, criterion=criterion, random_state=0).fit(X, y)
        self.tree = self.model.tree_

    def settings(self) -> list[int]:
        """Return the numbers of leaves that there are trees of."""
        return list(range(1, int(self.tree.n_leaves) + 1))

    def leaves_at(self, key: float) -> int:
        """Return the number of leaves of a tree; of more than there are, all."""
        return int(min(key, self.tree.n_leaves))

    def nodes(self, X: np.ndarray, keys: Sequence[float]) -> np.ndarray:
        """Return the leaf of every row in each of some trees, (n_keys, n_rows)."""
        return _last_before(self.model, X, [2 * self.leaves_at(key) - 1 for key in keys])


class Pruned:
    """Trees on the cost-complexity path, by the cost of a leaf.

    Parameters
    ----------
    X, y : arrays
    criterion : {"gini", "entropy"}
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, criterion: str = "gini") -> None:
        self.model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
        self.tree = self.model.tree_
        self.alphas, self._leaves, self._cut_at = _path(self.tree)

    def settings(self) -> list[float]:
        """Return a cost between each two steps of the path, as far as trees have few leaves."""
        few = np.flatnonzero(self._leaves <= MOST_LEAVES)
        ends = np.append(self.alphas, 2 * self.alphas[-1] + 1e-12)
        return [float(np.sqrt(ends[place] * ends[place + 1])) for place in few]

    def leaves_at(self, key: float) -> int:
        """Return the number of leaves of the tree at a cost."""
        return int(self._leaves[np.searchsorted(self.alphas, key, side="right") - 1])

    def nodes(self, X: np.ndarray, keys: Sequence[float]) -> np.ndarray:
        """Return the leaf of every row in each of some trees, (n_keys, n_rows)."""
        found = np.zeros((len(keys), len(X)), np.int64)
        for place, key in enumerate(keys):
            found[place] = _descend(self.tree, X, self._cut_at <= key)
        return found


def _last_before(model: DecisionTreeClassifier, X: np.ndarray, ends: Sequence[int]) -> np.ndarray:
    """Return the last node on the way of every row whose number is below an end, for several ends."""
    return np.array([_descend(model.tree_, X, model.tree_.children_left >= end) for end in ends])


def _descend(tree, X: np.ndarray, is_end: np.ndarray) -> np.ndarray:
    """Return where rows end that go down until a node is an end, or a leaf."""
    at = np.zeros(len(X), np.int64)
    is_leaf = (tree.children_left < 0) | is_end
    going = np.flatnonzero(~is_leaf[at])
    while len(going):
        node = at[going]
        passes = X[going, tree.feature[node]].astype(np.float32) <= tree.threshold[node]
        at[going] = np.where(passes, tree.children_left[node], tree.children_right[node])
        going = going[~is_leaf[at[going]]]
    return at


def _path(tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the costs of the path, the leaves from each on, and the cost at which each node is cut back."""
    left, right = tree.children_left, tree.children_right
    risk = tree.impurity * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    parent = np.full(tree.node_count, -1)
    inner = np.flatnonzero(left >= 0)
    parent[left[inner]] = parent[right[inner]] = inner
    below, n_leaves = np.where(left < 0, risk, 0.0), np.where(left < 0, 1, 0)
    for node in inner[::-1]:  # children come after their parent
        below[node] = below[left[node]] + below[right[node]]
        n_leaves[node] = n_leaves[left[node]] + n_leaves[right[node]]
    cut_at, link = np.full(tree.node_count, np.inf), np.full(tree.node_count, np.inf)
    link[inner] = (risk[inner] - below[inner]) / (n_leaves[inner] - 1)
    alphas, sizes, alpha = [0.0], [int(n_leaves[0])], 0.0
    while n_leaves[0] > 1:
        node = int(np.argmin(link))
        alpha = max(alpha, float(link[node]))
        cut_at[node], link[node] = alpha, np.inf
        _forget(node, left, right, link)
        gained, fewer = risk[node] - below[node], n_leaves[node] - 1
        while node >= 0:
            below[node] += gained
            n_leaves[node] -= fewer
            if n_leaves[node] > 1:
                link[node] = (risk[node] - below[node]) / (n_leaves[node] - 1)
            node = parent[node]
        if alpha > alphas[-1]:
            alphas.append(alpha)
            sizes.append(int(n_leaves[0]))
        else:
            sizes[-1] = int(n_leaves[0])
    return np.array(alphas), np.array(sizes), cut_at


def _forget(node: int, left: np.ndarray, right: np.ndarray, link: np.ndarray) -> None:
    """Take what is below a node out of the running."""
    below = [node]
    while below:
        node = below.pop()
        if left[node] >= 0:
            for side in (left[node], right[node]):
                link[side] = np.inf
                below.append(side)


def tune(kind, X: np.ndarray, y: np.ndarray, seed: int):
    """Return the trees of all rows, and the key whose trees have most hits in inner folds; of equals, fewer leaves."""
    whole = kind(X, y)
    keys = [key for key in whole.settings() if whole.leaves_at(key) <= MOST_LEAVES]
    hits = np.zeros(len(keys), np.int64)
    for kept, held in StratifiedKFold(N_INNER, shuffle=True, random_state=seed).split(X, y):
        trees = kind(X[kept], y[kept])
        labels = trees.tree.value[:, 0].argmax(axis=1)[trees.nodes(X[held], keys)]
        hits += (trees.model.classes_[labels] == y[held]).sum(axis=1)
    best = max(range(len(keys)), key=lambda place: (hits[place], -whole.leaves_at(keys[place])))
    return whole, keys[best]
