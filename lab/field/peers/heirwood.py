"""Heirwood itself, on the raw table: nominal columns and missing values as they are."""

import math
import time
from copy import copy
from functools import cache

import numpy as np

REQUIREMENTS = ()  # the project's own environment
PACKAGES = ("heirwood", "numba", "scikit-learn", "numpy")
SEEDED = True
MAX_LEAVES = None  # the peers have no limit either
SIZES_TIME_LIMIT = 300.0  # for accuracy, where it takes none; twice that ends it from outside
#: Until the time is up: peers that prove use all of theirs too.
GENERATIONS = 1_000_000


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf."""
    return {"payoff": ["leaf_cost", {"cost": cost}], "max_leaf_nodes": MAX_LEAVES}


def for_depth(depth):
    """Return the settings for fewest errors at a depth."""
    return {"payoff": ["fewest_errors", {}], "max_depth": depth, "max_leaf_nodes": 2**depth}


def for_sizes(cost=None, size="cv", root_cost=None):
    """Return the one setting: it chooses the number of leaves by cross-validation; by a cost per leaf, if given.

    A cost that is divided by the root of the rows is one for the payoff alone: no fold is held back.
    """
    setting = {"size_selection": size, "max_leaf_nodes": 32}
    if root_cost is not None:
        return [setting | {"size_selection": "payoff", "root_cost": root_cost}]
    return [setting if cost is None else setting | {"payoff": ["leaf_cost", {"cost": cost}]}]


def prepare(name):
    """Read the set before any clock runs: reading files is no part of a fit."""
    dataset_named(name)


@cache
def dataset_named(name):
    """Return the set."""
    from lab.field.sets import load_set

    return load_set(name)


def warm_up():
    """Compile the kernels, or load them from Numba's cache."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    for settings in (for_leaf_cost(0.01), for_depth(2)):
        _estimator(0, 0.5, **settings).fit(X, y)


def fit(problem, **settings):
    """Return the answer to one fit, with what was best at which second."""
    whole = dataset_named(problem.name).table
    trace, started = [], clocks()

    def watch(event):
        if event["event"] == "generation":
            best = event["best"]
            told = [len(problem.y) - best["hits"], best["leaves"]]
            if not trace or trace[-1][1:] != told:
                trace.append([round(float(min(clocks() - started)), 4), *told])

    settings = for_rows(settings, len(problem.rows))
    table = whole.take(problem.rows)
    model = _estimator(problem.seed, problem.time_limit, listeners=(watch,), **settings).fit(table, problem.y)
    return {
        "predict": lambda X: model.predict(whole),
        **(
            {"hall": lambda X: by_size(model, lambda tree: tree.predict(whole))} if "size_selection" in settings else {}
        ),
        "shares": lambda X: model.predict_proba(whole),
        "shares_by_size": lambda X: by_size(model, lambda tree: tree.predict_proba(whole)),
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "optimal": None if model.optimal_ is None else bool(model.optimal_),
        "lower_bound": model.lower_bound_,
        "stopped": model.stop_reason_,
        "trace": trace,
    }


def for_rows(settings, n_rows):
    """Return settings for so many rows: a cost that goes by their root is one per leaf."""
    others = {name: value for name, value in settings.items() if name != "root_cost"}
    if len(others) == len(settings):
        return settings
    return others | {"payoff": ["leaf_cost", {"cost": settings["root_cost"] / math.sqrt(n_rows)}]}


def by_size(model, answer_of):
    """Yield leaves and answers of every tree of the hall that beats all smaller ones on the training rows."""
    for entry in model.hall_.improving():
        yield entry.leaves, answer_of(copy(model).select(entry.leaves))


def for_chances():
    """Return the one setting: folds choose the size and the smoothing."""
    return {"payoff_name": "log_loss", "size_selection": "cv", "max_leaf_nodes": 32}


def clocks():
    """Return wall and CPU seconds; as with the peers, the smaller counts, for the machine may be busy."""
    return np.array([time.perf_counter(), time.process_time()])


def _estimator(seed, time_limit, payoff=None, payoff_name=None, listeners=(), **settings):
    from heirwood import EvolvedTreeClassifier
    from heirwood.settings import Monitoring, Payoff

    if payoff_name is not None:
        settings |= {"payoff": payoff_name}
    if payoff is not None:
        settings |= {"payoff": Payoff(payoff[0], **payoff[1])}
        if "size_selection" not in settings:
            settings |= {"generations": GENERATIONS, "n_iter_no_change": None, "time_limit": time_limit}
    return EvolvedTreeClassifier(random_state=seed, monitoring=Monitoring(listeners=tuple(listeners)), **settings)
