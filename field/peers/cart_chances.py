"""scikit-learn's tree, grown best-first to at most 32 leaves: the size of least log loss in five inner folds."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from field.cart_trees import BestFirst

REQUIREMENTS = ()  # the project's own environment
PACKAGES = ("scikit-learn", "numpy")
CHANCES_TIME_LIMIT = 3600.0  # it knows no limit
LEAST = 1e-15


def for_chances(criterion="gini", smoothing=0.0):
    """Return the one setting: it chooses by inner folds of its own."""
    return {"criterion": criterion, "smoothing": smoothing}


def warm_up():
    """Fit a tiny table."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    _tune(X, (X[:, 0] > 0).astype(int), "gini", 0.0)


def fit(problem, criterion, smoothing):
    """Return the answer to one fit."""
    trees, leaves = _tune(problem.X, problem.y, criterion, smoothing)
    shares = _shares(trees, smoothing)
    return {
        "predict": lambda X: trees.model.classes_[shares[trees.nodes(X, [leaves])[0]].argmax(axis=1)],
        "shares": lambda X: shares[trees.nodes(X, [leaves])[0]],
        "shares_by_size": lambda X: [(key, shares[trees.nodes(X, [key])[0]]) for key in trees.settings()],
        "leaves": trees.leaves_at(leaves),
        "depth": None,
        "optimal": None,
    }


def _tune(X, y, criterion, smoothing):
    whole = BestFirst(X, y, criterion)
    sizes = whole.settings()
    lost = np.zeros(len(sizes))
    for kept, held in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        trees = BestFirst(X[kept], y[kept], criterion)
        places = np.searchsorted(trees.model.classes_, y[held])
        known = np.isin(y[held], trees.model.classes_)
        given = _shares(trees, smoothing)[trees.nodes(X[held], sizes), np.where(known, places, 0)]
        lost -= np.log(np.maximum(np.where(known, given, 0.0), LEAST)).sum(axis=1)
    return whole, sizes[int(lost.argmin())]


def _shares(trees, smoothing):
    """Return the probability of each class at every node: plain shares, or with rows borrowed from the node above."""
    tree = trees.tree
    weights = tree.value[:, 0] * tree.weighted_n_node_samples[:, None]
    totals = weights.sum(axis=1, keepdims=True)
    if smoothing == 0:
        return weights / totals
    smooth = np.full(weights.shape, 1.0 / weights.shape[1])
    for node in range(tree.node_count):  # a node comes before those below it
        smooth[node] = (weights[node] + smoothing * smooth[node]) / (totals[node] + smoothing)
        for side in (tree.children_left[node], tree.children_right[node]):
            if side >= 0:
                smooth[side] = smooth[node]
    return smooth
