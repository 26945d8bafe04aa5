"""scikit-learn's random forest of 100 trees: shown beside the contest of small trees, outside it."""

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
    """Return the answer to one fit; its leaves and depth are those of all trees together, and of the deepest."""
    model = _grow(problem.X, problem.y)
    trees = [tree.tree_ for tree in model.estimators_]
    return {
        "predict": model.predict,
        "leaves": int(sum(tree.n_leaves for tree in trees)),
        "depth": int(max(tree.max_depth for tree in trees)),
        "optimal": None,
    }


def _grow(X, y):
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=100, random_state=0, n_jobs=1).fit(X, y)
