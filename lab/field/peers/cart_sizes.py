"""scikit-learn's tree, grown best-first: the number of leaves, to 32, by five inner folds."""

import numpy as np

from lab.field.cart_trees import BestFirst, tune

REQUIREMENTS = ()  # the project's own environment
PACKAGES = ("scikit-learn", "numpy")
SIZES_TIME_LIMIT = 3600.0  # it knows no limit


def for_sizes():
    """Return the one setting: it chooses by inner folds of its own."""
    return [{}]


def warm_up():
    """Fit a tiny table."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    tune(BestFirst, X, (X[:, 0] > 0).astype(int), 0)


def fit(problem, kind=BestFirst):
    """Return the answer to one fit."""
    found, key = tune(kind, problem.X, problem.y, 0)

    def predict(X):
        return found.model.classes_[found.tree.value[:, 0].argmax(axis=1)[found.nodes(X, [key])[0]]]

    return {"predict": predict, "leaves": found.leaves_at(key), "depth": None, "optimal": None}
