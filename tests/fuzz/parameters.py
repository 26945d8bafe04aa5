"""Parameters that make no sense, or just so: refused with a ValueError or TypeError, or a run that keeps its limits."""

import math
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import polars as pl

from heirwood import (
    Breeding,
    Encoding,
    Engine,
    EvolvedTreeClassifier,
    ModelFileError,
    Monitoring,
    Payoff,
    Search,
    Selection,
    Succession,
)
from heirwood.data.test_bank import BankTooLargeError
from tests.fuzz.mutate import generator, some

ALLOWED = (ValueError, TypeError, BankTooLargeError)

HOLDS_ITSELF: list = []
HOLDS_ITSELF.append(HOLDS_ITSELF)
DEEP: list = []
for _ in range(3_000):
    DEEP = [DEEP]

# By name, so that a case says what it was.
VALUES = {
    "None": None, "True": True, "zero": 0, "minus one": -1, "one": 1, "two": 2, "three": 3, "seven": 7, "forty": 40,
    "2**31": 2**31, "2**63": 2**63, "2**64": 2**64, "10**400": 10**400, "half": 0.5, "one float": 1.0,
    "minus half": -0.5, "tiny": 1e-300, "1e308": 1e308, "inf": math.inf, "-inf": -math.inf, "nan": math.nan,
    "empty text": "", "text": "a", "balanced": "balanced", "cart": "cart", "cv": "cv", "cv_best": "cv_best",
    "cv_1se": "cv_1se", "gatree": "gatree", "gatree_nodes": "gatree_nodes", "fewest_errors": "fewest_errors",
    "leaf_cost": "leaf_cost", "log_loss": "log_loss", "brier": "brier", "auto": "auto",
    "NUL": "a\0b", "list": [1], "empty list": [], "dict": {"a": 1}, "empty dict": {},
    "tuple": (1, 2), "object": object(), "class": int, "numpy int": np.int8(3), "numpy float": np.float16(0.5),
    "numpy bool": np.bool_(True), "array": np.array([1, 2]), "array of one": np.array(5), "Decimal": Decimal("0.5"),
    "Fraction": Fraction(1, 2), "huge Fraction": Fraction(10**400), "longdouble": np.longdouble("0.5"),
    "bytes": b"a", "complex": 1j, "set": {1}, "costs": [[0, 5], [1, 0]],
    "costs by pair": {(0, 1): 3.0}, "wrong costs": [[0, 1]], "weights": {0: 1.0, 1: 2.5}, "negative weights": {0: -1},
    "huge weights": {0: 10**400}, "fraction weights": {0: Fraction(1, 3), 1: Decimal("0.5")},
    "huge costs": [[0, 10**400], [1, 0]], "fraction costs": {(0, 1): Fraction(1, 3), (1, 0): Decimal(2)},
    "costs of polars": pl.DataFrame({"a": [0, 1], "b": [5, 0]}, schema={"a": pl.Int128, "b": pl.Int128}),
    "like a frame": SimpleNamespace(index=1, columns=2), "holds itself": HOLDS_ITSELF,
    "rng": np.random.RandomState(0), "function": lambda trees: trees.hits - trees.leaves,
    "function of nothing": lambda: 0, "NaN function": lambda trees: trees.hits * math.nan,
    "function of one number": lambda trees: 1.0,
    "operators": {"node_change": 1.0, "node_prune": 1.0, "leaf_change": 1.0}, "no operators": {},
    "odd operators": {"node_change": -1}, "generational": "generational", "roulette": "roulette", "genes": "genes",
    "quantiles": "quantiles", "slow": "slow", "listeners": [lambda event: True], "odd listeners": [1],
}  # fmt: skip
TO_SAVE = {**VALUES, "deep": DEEP}  # whose repr fails, so that no message about it can be made
COSTS = [
    "zero",
    "one",
    "half",
    "minus half",
    "inf",
    "nan",
    "10**400",
    "tiny",
    "tuple",
    "text",
    "None",
    "numpy float",
    "Fraction",
]
PLAUSIBLE = {
    "population_size": ["two", "three", "seven", "forty"],
    "generations": ["zero", "one", "three", "seven"],
    "payoff": [
        "gatree",
        "gatree_nodes",
        "fewest_errors",
        "leaf_cost",
        "log_loss",
        "brier",
        "function",
        "NaN function",
        "function of one number",
    ],
    "leaf_cost": ["auto", *COSTS],
    "smoothing": ["auto", "zero", "half", "seven", "inf", "minus one", "text"],
    "max_leaf_nodes": ["None", "one", "two", "seven"],
    "max_depth": ["None", "zero", "one", "three"],
    "min_samples_leaf": ["zero", "one", "seven", "forty"],
    "class_weight": ["None", "balanced", "weights", "negative weights", "huge weights", "fraction weights"],
    "cost_matrix": [
        "None",
        "costs",
        "costs by pair",
        "wrong costs",
        "huge costs",
        "fraction costs",
        "costs of polars",
        "like a frame",
    ],
    "time_limit": ["None", "half", "tiny", "inf"],
    "n_jobs": ["None", "one", "two", "minus one"],
    "random_state": ["None", "seven", "rng", "2**64"],
    "verbose": ["zero"],
    "warm_start": ["True"],
    "size_selection": ["cv", "cv_best", "cv_1se"],
    "initial_trees": ["None", "cart", "empty list"],
    "n_iter_no_change": ["None", "one", "three"],
}
SETTINGS = {
    "breeding": (Breeding, {"operators": ["operators", "no operators", "odd operators"], "labels": ["genes"]}),
    "selection": (Selection, {"method": ["roulette"], "tournament_size": ["seven"]}),
    "succession": (Succession, {"kind": ["generational"], "share": ["half"], "islands": ["one", "three"]}),
    "encoding": (Encoding, {"cuts": ["quantiles"], "max_cuts": ["two", "seven"]}),
    "search": (Search, {"optimum": ["zero"], "lookahead": ["zero"]}),
    "engine": (Engine, {"backend": ["slow"]}),
    "monitoring": (Monitoring, {"listeners": ["listeners", "odd listeners"]}),
}
SMALL = {"population_size": "seven", "generations": "three", "random_state": "seven", "time_limit": "two"}


def make_case(rng):
    """Return some parameters, by the names of their values."""
    given = dict(SMALL)
    for _ in range(int(rng.integers(1, 5))):
        name = some(rng, [*PLAUSIBLE, *SETTINGS])
        if name in SETTINGS and rng.random() < 0.9:
            kind, plausible = SETTINGS[name]
            field = some(rng, list(kind().get_params(deep=False)))
            likely = plausible.get(field, list(VALUES))
            given[f"{name}__{field}"] = some(rng, likely if rng.random() < 0.5 else list(VALUES))
        elif name == "payoff" and rng.random() < 0.5:
            given[some(rng, ["payoff cost", "payoff x", "payoff both"])] = some(rng, COSTS)
        else:
            given[name] = some(rng, PLAUSIBLE.get(name, list(VALUES)) if rng.random() < 0.6 else list(VALUES))
    return {
        "seed": int(rng.integers(2**31)),
        "given": given,
        "n_rows": int(some(rng, [1, 2, 5, 40, 40, 200])),
        "before it is saved": [some(rng, list(PLAUSIBLE)), some(rng, list(TO_SAVE))],
    }


def run_case(case, folder):
    """Fit, check that limits are kept, and save and load."""
    given = {name: VALUES[value] for name, value in case["given"].items()}
    for name, extra in (("cost", ["cost"]), ("x", ["x"]), ("both", ["cost", "x"])):
        if f"payoff {name}" in given:
            value = given.pop(f"payoff {name}")
            given["payoff"] = Payoff("gatree" if name == "x" else "leaf_cost", **dict.fromkeys(extra, value))
    if isinstance(given.get("monitoring__journal"), str):  # files where the tests have no business
        given["monitoring__journal"] = str(folder / f"{given['monitoring__journal']}.jsonl")
    if type(given.get("monitoring__journal")) in (int, bool):
        del given["monitoring__journal"]
    for number in ("population_size", "generations"):  # as far as they go, but not for days
        if type(given.get(number)) is int and given[number] > 1000:
            del given[number]
    rng = generator(case)
    X = rng.normal(size=(case["n_rows"], 3)).round(1)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    tree = EvolvedTreeClassifier()
    tree.set_params(**{name: value for name, value in given.items() if "__" not in name})
    for name in SETTINGS:
        if any(key.startswith(f"{name}__") for key in given) and getattr(tree, name) is None:
            tree.set_params(**{name: SETTINGS[name][0]()})
    tree.set_params(**{name: value for name, value in given.items() if "__" in name})
    tree.fit(X, y)
    assert set(tree.predict(X).tolist()) <= {0, 1}
    assert tree.max_leaf_nodes is None or tree.get_n_leaves() <= tree.max_leaf_nodes
    assert tree.max_depth is None or tree.get_depth() <= tree.max_depth
    path = folder / "model.json"
    answers = tree.predict(X)
    _save_and_load(tree, path, X, answers)
    if "before it is saved" in case:  # cases that were kept before there was this are older
        name, value = case["before it is saved"]
        _save_and_load(tree.set_params(**{name: TO_SAVE[value]}), path, X, answers)


def _save_and_load(tree, path, X, answers):
    """Save a tree that can be loaded, or be told with the right kind of error that it cannot be saved."""
    try:
        tree.save(path)
    except ModelFileError:
        pass
    except ValueError as error:
        raise AssertionError("not what save refuses") from error
    else:
        assert np.array_equal(EvolvedTreeClassifier.load(path).predict(X), answers)
