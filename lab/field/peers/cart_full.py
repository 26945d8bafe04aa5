"""scikit-learn's tree without any limit: shown beside the contest of small trees, outside it."""

import numpy as np

REQUIREMENTS = ()  # the project's own environment
PACKAGES = ("scikit-learn", "numpy")
OUTSIDE = True


def for_leaf_cost(cost):
    """Return None: it minds no cost."""


def for_depth(depth):
    """Return None: it minds no depth."""


def for_sizes():
    """Return its one setting."""
    return [{}]


def warm_up():
    """Fit a tiny table."""
    _grow(np.eye(4), np.arange(4))


def fit(problem):
    """Return the answer to one fit."""
    model = _grow(problem.X, problem.y)
    return {
        "predict": model.predict,
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "optimal": None,
    }


def _grow(X, y):
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0).fit(X, y)
