"""What a finished tree answers: leaves, shares of classes, ways through the tree, importances."""

import numpy as np
from scipy.sparse import csr_matrix

from heirwood.core.route import AT_MOST, EQUALS, LEAF, MISSING, route
from heirwood.view import TreeView

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
    route(np.asfortranarray(values), kinds, columns, cuts, missing_passes, rights, leaves)
    return leaves


def class_shares(tree: TreeView) -> np.ndarray:
    """Return the share of each class at every node; where no row arrives, all of it is the label's."""
    weights = np.array([node.weights for node in tree.nodes])
    totals = weights.sum(axis=1, keepdims=True)
    labels = np.eye(len(tree.classes))[[node.label for node in tree.nodes]]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), labels)


def ways(tree: TreeView, leaves: np.ndarray) -> csr_matrix:
    """Return which nodes every row passes, given its leaf, as an indicator matrix."""
    above = _ancestors(tree)
    lengths = np.array([len(way) for way in above])[leaves]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    # Each row's way stands in one flat list of all ways, from the first place of its leaf's way on.
    first = np.cumsum([0, *(len(way) for way in above)])[leaves]
    places = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths) + np.repeat(first, lengths)
    indices = np.concatenate([np.array(way) for way in above])[places]
    shape = (len(leaves), len(tree.nodes))
    return csr_matrix((np.ones(len(indices), np.int64), indices, starts), shape=shape)


def _ancestors(tree: TreeView) -> list[list[int]]:
    """Return, for every node, the nodes from the root down to it."""
    above: list[list[int]] = [[] for _ in tree.nodes]
    above[0] = [0]
    for i, node in enumerate(tree.nodes):
        if node.question is not None:
            for child in (tree.left(i), tree.right(i)):
                above[child] = [*above[i], child]
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
