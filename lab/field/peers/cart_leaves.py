"""scikit-learn's tree, grown best-first to a number of leaves: the best of `max_leaf_nodes` from 2 to 32."""

import numpy as np

REQUIREMENTS = ()  # the project's own environment
PACKAGES = ("scikit-learn", "numpy")
TIME_LIMIT = 300.0
LEAVES = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 19, 22, 25, 28, 32)


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf."""
    return {"cost": cost}


def for_depth(depth):
    """Return None: the tree with `max_depth` is in the other file."""


def for_sizes():
    """Return the settings that inner cross-validation chooses from."""
    return [{"leaves": leaves} for leaves in LEAVES]


def warm_up():
    """Fit a tiny table."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    _grow(X, (X[:, 0] > 0).astype(int), 2)


def fit(problem, cost=None, leaves=None):
    """Return the answer to one fit."""
    if cost is None:
        model = _grow(problem.X, problem.y, leaves)
    else:
        models = (_grow(problem.X, problem.y, size) for size in range(2, 33))
        model = min(
            models, key=lambda model: np.mean(model.predict(problem.X) != problem.y) + cost * model.get_n_leaves()
        )
    return {
        "predict": model.predict,
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "optimal": None,
    }


def _grow(X, y, leaves):
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X, y)
