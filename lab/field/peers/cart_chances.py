"""scikit-learn's tree, grown best-first to at most 32 leaves: the size of least log loss in five inner folds.

Its shares are plain, or smoothed as ours are: with "auto" the folds choose the smoothing together with the size.
"""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from heirwood.probabilities import SMOOTHINGS
from lab.field.cart_trees import BestFirst

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
    _tune(X, (X[:, 0] > 0).astype(int), "gini", (0.0,))


def fit(problem, criterion, smoothing):
    """Return the answer to one fit."""
    trees, leaves, chosen = _tune(problem.X, problem.y, criterion, SMOOTHINGS if smoothing == "auto" else (smoothing,))
    shares = _shares(trees, chosen)
    return {
        "predict": lambda X: trees.model.classes_[shares[trees.nodes(X, [leaves])[0]].argmax(axis=1)],
        "shares": lambda X: shares[trees.nodes(X, [leaves])[0]],
        "leaves": trees.leaves_at(leaves),
        "depth": None,
        "optimal": None,
    }


def _tune(X, y, criterion, smoothings):
    """Return the trees of all rows, and the size and the smoothing that lose least in inner folds."""
    whole = BestFirst(X, y, criterion)
    sizes = whole.settings()
    lost = np.zeros((len(smoothings), len(sizes)))
    for kept, held in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        trees = BestFirst(X[kept], y[kept], criterion)
        places = np.searchsorted(trees.model.classes_, y[held])
        known, nodes = np.isin(y[held], trees.model.classes_), trees.nodes(X[held], sizes)
        for number, smoothing in enumerate(smoothings):
            given = _shares(trees, smoothing)[nodes, np.where(known, places, 0)]
            lost[number] -= np.log(np.maximum(np.where(known, given, 0.0), LEAST)).sum(axis=1)
    smoothing, size = np.unravel_index(lost.argmin(), lost.shape)
    return whole, sizes[size], smoothings[smoothing]


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
