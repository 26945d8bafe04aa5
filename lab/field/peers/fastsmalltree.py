"""imodels' FastSmallTreeClassifier: errors plus a cost per leaf over every cut of every column, certified.

`regularization` is its only hyperparameter, as its page says; the time limit is its default, 60 s.
"""

REQUIREMENTS = ("imodels==3.0.4", "numba>=0.60", "six")  # six: imported by mlxtend or dateutil, required by neither
PACKAGES = ("imodels", "numba", "scikit-learn", "numpy")
SIZES_MOST_ROWS = 10_000  # for accuracy, where a fold takes many fits
SIZES_LONGER_LIMITS = {"breast_cancer": 20.0}  # seconds a fit: the usual 5 end before it has any tree there
COSTS = (0.03, 0.01, 0.005, 0.0025)


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf."""
    return {"cost": cost}


def for_depth(depth):
    """Return None: it knows no depth."""


def for_sizes():
    """Return the settings that inner cross-validation chooses from."""
    return [{"cost": cost} for cost in COSTS]


def warm_up():
    """Compile the search, or load it from numba's cache."""
    import numpy as np

    X = np.random.default_rng(0).normal(size=(60, 3))
    for n_classes in (2, 3):
        _grow(X, np.digitize(X[:, 0] * X[:, 1], np.arange(n_classes - 1)), 0.01, 5.0)


def fit(problem, cost):
    """Return the answer to one fit."""
    model = _grow(problem.X, problem.y, cost, problem.time_limit)
    return {
        "predict": model.predict,
        "leaves": int(model.n_leaves_),
        "depth": int(model.estimator_.tree_.max_depth),
        "optimal": bool(model.optimal_),
        "lower_bound": float(model.lowerbound_),
    }


def _grow(X, y, cost, time_limit):
    from imodels import FastSmallTreeClassifier

    return FastSmallTreeClassifier(regularization=cost, time_limit=time_limit).fit(X, y)
