"""LicketySPLIT: errors plus a cost per leaf, one split of lookahead and greedy below, on guessed thresholds.

Settings follow its README and example notebook: the ThresholdGuessBinarizer with 100 boosted trees of depth 3, without
column elimination; a column that is 0 or 1 already goes in as it is. The depth budget is 10 where they have 5 or 6:
from about 6 on it costs next to nothing and only helps.
"""

import numpy as np

REQUIREMENTS = ("licketysplit==0.2.1",)
PACKAGES = ("licketysplit", "scikit-learn", "numpy")
TIME_LIMIT = 300.0  # it takes none; twice that ends it from outside
DEPTH = 10
MOST_LEAVES = 32
LEAST = 1e-15  # probability that a class is taken to have at least
COSTS = (0.05, 0.03, 0.02, 0.014, 0.01, 0.007, 0.005, 0.0035, 0.0025, 0.0015, 0.001)


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf."""
    return {"cost": cost}


def for_depth(depth):
    """Return None: fewest errors at a depth is not its objective."""


def for_sizes():
    """Return the settings that inner cross-validation chooses from."""
    return [{"cost": cost} for cost in COSTS]


def for_chances():
    """Return the one setting: the cost of a leaf is that of least log loss in five inner folds."""
    return {"cost": None}


def warm_up():
    """Fit a tiny table."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(np.int64)
    _grow(Bits(X, y)(X), y, 0.01)


def fit(problem, cost):
    """Return the answer to one fit."""
    to_bits, bits = problem.once("bits", lambda: _binarize(problem.X, problem.y))
    model = _grow(bits, problem.y, _tuned_by_log_loss(problem.X, problem.y) if cost is None else cost)
    paths = model.leaf_paths()
    return {
        "predict": lambda X: model.predict(to_bits(X)),
        "shares": lambda X: model.predict_proba(to_bits(X)),
        "leaves": len(paths),
        "depth": max(map(len, paths)),
        "optimal": None,  # it proves nothing
    }


class Bits:
    """Columns of 0 and 1 as they are, and of the others whether they are at most a threshold that was guessed."""

    def __init__(self, X, y):
        from licketysplit import ThresholdGuessBinarizer

        self._binary = np.array([np.isin(column, (0.0, 1.0)).all() for column in X.T])
        self._cuts = []
        if not self._binary.all():
            guess = ThresholdGuessBinarizer(
                learning_rate=0.1, n_estimators=100, max_depth=3, random_state=0, column_elimination=False
            )
            self._cuts = [(j, cut) for j, cut in guess.fit(X, y).thresholds_ if not self._binary[j]]

    def __call__(self, X):
        """Return the columns of 0 and 1, as uint8."""
        cuts = [X[:, j] <= cut for j, cut in self._cuts]
        return np.column_stack([X[:, self._binary] != 0, *cuts]).astype(np.uint8)


def _binarize(X, y):
    to_bits = Bits(X, y)
    return to_bits, to_bits(X)


def _tuned_by_log_loss(X, y):
    """Return the cost whose trees, of at most 32 leaves, have the least log loss in five inner folds."""
    from sklearn.model_selection import StratifiedKFold

    lost = np.zeros(len(COSTS))
    for kept, held in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        to_bits, bits = _binarize(X[kept], y[kept])
        classes, codes = np.unique(y[kept], return_inverse=True)
        places = np.minimum(np.searchsorted(classes, y[held]), len(classes) - 1)
        for number, cost in enumerate(COSTS):
            model = _grow(bits, codes, cost)
            given = model.predict_proba(to_bits(X[held]))[np.arange(len(held)), places]
            lost[number] -= np.log(np.maximum(np.where(classes[places] == y[held], given, 0.0), LEAST)).sum()
            if len(model.leaf_paths()) > MOST_LEAVES:
                lost[number] = np.inf
    return COSTS[int(lost.argmin())]


def _grow(bits, y, cost):
    from licketysplit import LicketySPLITClassifier

    return LicketySPLITClassifier(lambda_leaf=cost, depth_budget=DEPTH).fit(bits, y)
