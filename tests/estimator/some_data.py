"""Small tables and quick estimators for the tests of the estimator."""

import numpy as np

from heirwood import EvolvedTreeClassifier, Search


def quick(**parameters):
    """Return an estimator that fits in milliseconds, by evolution alone; where nothing says else, a leaf costs 0.01."""
    small = {
        "population_size": 24,
        "generations": 12,
        "random_state": 0,
        "search": Search(optimum=False, lookahead=False),
    }
    plain = parameters.get("size_selection", "payoff") == "payoff"
    if plain and parameters.get("payoff", "leaf_cost") in ("leaf_cost", "log_loss", "brier"):
        small["leaf_cost"] = 0.01
    return EvolvedTreeClassifier(**{**small, **parameters})


def numbers(seed=0, n_rows=120, n_columns=4, n_classes=3):
    """Return columns of numbers, and classes that depend on two of them."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_rows, n_columns)), 2)
    y = np.digitize(X[:, 0] + X[:, 1 % n_columns], np.linspace(-1, 1, n_classes - 1))
    return X, y


def mixed(seed=0, n_rows=120):
    """Return columns by name (numbers, integers, text, booleans, some missing), and classes."""
    rng = np.random.default_rng(seed)
    length = np.round(rng.normal(size=n_rows), 1)
    colour = rng.choice(["red", "green", "blue"], n_rows)
    flag = rng.random(n_rows) < 0.5
    count = rng.integers(0, 9, n_rows)
    y = np.where((colour == "red") | (length > 0.7), "yes", np.where(flag & (count > 3), "maybe", "no"))
    length[rng.random(n_rows) < 0.1] = np.nan
    text = [None if missing else str(value) for value, missing in zip(colour, rng.random(n_rows) < 0.1, strict=True)]
    columns = {"length": length.tolist(), "count": count.tolist(), "colour": text, "flag": flag.tolist()}
    return columns, y


def same_trees(one, other):
    """Say whether two fitted estimators have the same hall, figure by figure and tree by tree."""
    return list(one.hall_) == list(other.hall_) and one.hall_.chosen == other.hall_.chosen


def answer(question, value):
    """Answer a question of a tree for one raw value, in plain words."""
    if value is None or value != value:
        return question.missing_passes
    if question.kind == "missing":
        return False
    return value <= question.value if question.kind == "<=" else value == question.value


def leaf_of(tree, row):
    """Walk one row of raw values down a tree; return the places it passes."""
    way = [0]
    while not tree.is_leaf(way[-1]):
        question = tree.nodes[way[-1]].question
        passed = answer(question, row[question.column])
        way.append(tree.left(way[-1]) if passed else tree.right(way[-1]))
    return way
