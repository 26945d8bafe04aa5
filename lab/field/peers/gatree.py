"""gatree 0.2.0: trees bred row by row in pandas.

Population and iterations are those of its README, 100 and 100; its defaults, 150 and 2000, would take half an hour on
iris. The fitness is its own parameter, so it is told the contest's. It has no time limit, so it takes part only on
sets of few rows. Columns of one value are left out: it would ask for a cut there, have none, and end.
"""

REQUIREMENTS = ("gatree==0.2.0",)
PACKAGES = ("gatree", "pandas", "scikit-learn", "numpy")
SIZES_MOST_ROWS = 220
TIME_LIMIT = 300.0
MOST_ROWS = 450
POPULATION, ITERATIONS = 100, 100


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf."""
    return {"cost": cost}


def for_depth(depth):
    """Return the settings for fewest errors at a depth."""
    return {"cost": 0.0, "max_depth": depth}


def for_sizes():
    """Return its one setting: a fit takes minutes, so nothing is tuned; the cost of a leaf is its own default's."""
    return [{"cost": 0.004}]  # its default is 0.002 a node


def warm_up():
    """Fit a tiny table."""
    import numpy as np

    X = np.random.default_rng(0).normal(size=(10, 3))
    _grow(X, (X[:, 0] > 0).astype(int), 0.01, None, 4, 2, 0)


def fit(problem, cost, max_depth=None):
    """Return the answer to one fit."""
    import pandas as pd

    varied = problem.X.min(axis=0) < problem.X.max(axis=0)
    model = _grow(problem.X[:, varied], problem.y, cost, max_depth, POPULATION, ITERATIONS, problem.seed)
    leaves, depth = _measure(model._tree)
    return {
        "predict": lambda X: model.predict(pd.DataFrame(X[:, varied])),
        "leaves": leaves,
        "depth": depth,
        "optimal": None,
    }


def _grow(X, y, cost, max_depth, population, iterations, seed):
    import pandas as pd
    from gatree.methods.gatreeclassifier import GATreeClassifier
    from sklearn.metrics import accuracy_score

    def fitness(root):
        return 1.0 - accuracy_score(root.y_true, root.y_pred) + cost * (root.size() + 1) / 2

    model = GATreeClassifier(max_depth=max_depth, fitness_function=fitness, n_jobs=1, random_state=seed)
    model.fit(X=pd.DataFrame(X), y=pd.Series(y), population_size=population, max_iter=iterations)
    return model


def _measure(node):
    """Return leaves and depth of a tree."""
    if node.left is None and node.right is None:
        return 1, 0
    (left, left_depth), (right, right_depth) = _measure(node.left), _measure(node.right)
    return left + right, 1 + max(left_depth, right_depth)
