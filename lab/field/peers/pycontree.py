"""ConTree: fewest errors at a depth over every cut of every numeric column, certified where time allows."""

REQUIREMENTS = ("pycontree==1.0.8",)
PACKAGES = ("pycontree", "scikit-learn", "numpy")
SIZES_MOST_ROWS = 10_000  # for accuracy, where a fold takes many fits
SIZES = (
    *({"depth": depth, "cost": 0.0} for depth in (1, 2, 3, 4)),
    *({"depth": 4, "cost": cost} for cost in (0.02, 0.005)),
)


def for_leaf_cost(cost):
    """Return None: with a cost for a branching node it still needs a depth, and five are too deep for it."""


def for_depth(depth):
    """Return the settings for fewest errors at a depth."""
    return {"depth": depth, "cost": 0.0}


def for_sizes():
    """Return the settings that inner cross-validation chooses from."""
    return list(SIZES)


def warm_up():
    """Fit a tiny table."""
    import numpy as np

    X = np.random.default_rng(0).normal(size=(60, 3))
    _grow(X, (X[:, 0] > 0).astype(int), 2, 0.0, 5.0)


def fit(problem, depth, cost):
    """Return the answer to one fit."""
    model = _grow(problem.X, problem.y, depth, cost, problem.time_limit)
    return {
        "predict": model.predict,
        "leaves": int(model.get_num_leaf_nodes()),
        "depth": int(model.get_depth()),
        "optimal": bool(model._config.is_within_time_limit()),  # what its own warning goes by
    }


def _grow(X, y, depth, cost, time_limit):
    from pycontree import ConTree

    return ConTree(max_depth=depth, complexity_cost=cost, time_limit=time_limit).fit(X, y)
