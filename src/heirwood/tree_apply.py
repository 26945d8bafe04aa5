"""What a finished tree answers: leaves, shares of classes, ways through the tree, importances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heirwood.core.route import AT_MOST, EQUALS, LEAF, MISSING, route
from heirwood.tree_view import TreeView

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

AT_ONCE = 2**16  # cells of a table that are copied at a time: of rows that stay in the cache meanwhile
_KINDS = {"<=": AT_MOST, "=": EQUALS, "missing": MISSING}


def find_leaves(tree: TreeView, values: np.ndarray) -> np.ndarray:
    """Return the leaf of every row of a table's values: its place in preorder."""
    n = len(tree.nodes)
    kinds = np.full(n, LEAF, np.int8)
    columns = np.zeros(n, np.int32)
    cuts = np.zeros(n)
    missing_passes = np.zeros(n, bool)
    rights = np.zeros(n, np.int32)
    for i, node in enumerate(tree.nodes):
        if node.question is None:
            continue
        question = node.question
        kinds[i] = _KINDS[question.kind]
        columns[i] = question.column
        missing_passes[i] = question.missing_passes
        rights[i] = tree.right(i)
        if question.kind == "<=":
            cuts[i] = question.value
        elif question.kind == "=":
            cuts[i] = question.code
    leaves = np.zeros(len(values), np.int64)
    asked = np.unique(columns[kinds != LEAF])  # of a wide table most columns are not
    columns = np.searchsorted(asked, columns).astype(np.int32)
    step = max(AT_ONCE // max(len(asked), 1), 1)
    for start in range(0, len(values) if len(asked) else 0, step):
        # A copy: tables may be of any order, read-only.
        part = np.empty((len(asked), len(values[start : start + step])))
        for place, column in enumerate(asked.tolist()):
            part[place] = values[start : start + step, column]
        route(part, kinds, columns, cuts, missing_passes, rights, leaves[start : start + step])
    return leaves


def ways(tree: TreeView, leaves: np.ndarray) -> csr_matrix:
    """Return which nodes every row passes, given its leaf, as an indicator matrix."""
    from scipy.sparse import csr_matrix  # here: few ask for it

    used, places = np.unique(leaves, return_inverse=True)
    above = _ways_to(tree, used)
    lengths = np.array([len(way) for way in above], np.int64)
    # Each row's way stands in one flat list of the ways in use, from the first place of its leaf's way on.
    first = np.cumsum([0, *lengths])[places]
    lengths = lengths[places]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    steps = np.arange(starts[-1]) - np.repeat(starts[:-1] - first, lengths)
    indices = np.concatenate([np.empty(0, np.int64), *above])[steps]
    shape = (len(leaves), len(tree.nodes))
    return csr_matrix((np.ones(len(indices), np.int64), indices, starts), shape=shape)


def _ways_to(tree: TreeView, leaves: np.ndarray) -> list[np.ndarray]:
    """Return, for some leaves, the nodes from the root down to each."""
    parents = np.full(len(tree.nodes), -1)
    for i, node in enumerate(tree.nodes):
        if node.question is not None:
            parents[[tree.left(i), tree.right(i)]] = i
    above = []
    for leaf in leaves.tolist():
        way = [leaf]
        while parents[way[-1]] >= 0:
            way.append(int(parents[way[-1]]))
        above.append(np.array(way[::-1]))
    return above


def importances(tree: TreeView, n_columns: int) -> np.ndarray:
    """Return how much the tests of each column lower the Gini impurity, as shares of what all do."""
    gains = np.zeros(n_columns)
    impurity = [_gini(np.array(node.weights)) for node in tree.nodes]
    for i, node in enumerate(tree.nodes):
        if node.question is not None:
            gains[node.question.column] += impurity[i] - impurity[tree.left(i)] - impurity[tree.right(i)]
    gains = np.maximum(gains, 0.0)
    return gains / gains.sum() if gains.sum() > 0 else gains


def _gini(weights: np.ndarray) -> float:
    """Return the Gini impurity of a node times its weight."""
    total = weights.sum()
    return float(total - (weights**2).sum() / total) if total > 0 else 0.0
