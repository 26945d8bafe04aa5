"""STreeD: any separable objective by dynamic programming, on binarised columns.

Binarised by its "tree" strategy into ten cuts a column, where its default is five quantiles: on a few sets that gave
the lowest objectives of all its strategies.
"""

REQUIREMENTS = ("pystreed==1.4.0",)
PACKAGES = ("pystreed", "scikit-learn", "numpy")
SIZES_MOST_ROWS = 20_000  # for accuracy, where a fold takes many fits
N_THRESHOLDS = 10
DEPTH = 5  # for errors + cost per leaf: the deepest that ends in time on more than a few sets
COSTS = (0.03, 0.02, 0.01, 0.005, 0.0025, 0.001)


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf; it charges branching nodes, one less than leaves."""
    return {"task": "cost-complex-accuracy", "depth": DEPTH, "cost": cost}


def for_depth(depth):
    """Return the settings for fewest errors at a depth."""
    return {"task": "accuracy", "depth": depth, "cost": 0.0}


def for_sizes():
    """Return the settings that inner cross-validation chooses from."""
    return [{"task": "cost-complex-accuracy", "depth": 4, "cost": cost} for cost in COSTS]


def warm_up():
    """Fit a tiny table."""
    import numpy as np

    X = np.random.default_rng(0).normal(size=(60, 3))
    _grow(X, (X[:, 0] > 0).astype(int), "accuracy", 2, 0.0, 5.0)


def fit(problem, task, depth, cost):
    """Return the answer to one fit."""
    model = _grow(problem.X, problem.y, task, depth, cost, problem.time_limit)
    if not model.is_fitted():
        raise RuntimeError("no tree found within the time limit")
    return {
        "predict": model.predict,
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "optimal": bool(model.fit_result.is_optimal()),  # on its own cuts, at its depth
    }


def _grow(X, y, task, depth, cost, time_limit):
    from pystreed import STreeDClassifier

    model = STreeDClassifier(
        optimization_task=task,
        max_depth=depth,
        cost_complexity=cost,
        time_limit=time_limit,
        n_thresholds=N_THRESHOLDS,
        continuous_binarize_strategy="tree",
    )
    return model.fit(X, y)
