"""The watchdog: random settings, each with a time limit or an interrupt, and every run ends when it should."""

import math
import os
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np

from heirwood import Breeding, Encoding, EvolvedTreeClassifier, Payoff, Succession
from tests.busy import own_seconds, tries
from tests.fuzz.mutate import generator, some

LATE, LATE_SHARE = 0.3, 0.1  # seconds, or share of a limit, by which a run may be late
ENDLESS = 10**9  # generations and patience: nothing but the limit ends these runs
TOO_LONG = 60.0  # seconds of all tries together

PAYOFFS = {
    "leaf_cost": {"cost": [0.0, 0.001, 0.01, 0.3, (0.1, 0.001)]},
    "leaf_cost by itself": {},
    "log_loss": {},
    "brier": {},
    "gatree": {"x": [1.0, 1e4, 1e300, (1e6, 10.0)]},
    "gatree_nodes": {"x": [1.0, 1e4]},
    "fewest_errors": {},
    "own": {},
}
WEIGHTS = ["none", "none", "floats", "lognormal", "integers", "wide", "tiny", "float32"]
SHAPES = [
    *[(1, 1), (2, 1), (7, 2), (64, 2), (64, 2), (300, 5), (300, 60), (2_000, 20), (20_000, 8), (100, 3_000)] * 2,
    *[(140_000, 8), (2_000, 600), (10, 5_000)],
]


class _RefusedError(Exception):
    """Weights and costs together are too much to count exactly."""


ALLOWED = (_RefusedError,)


def make_case(rng):
    """Return the shape of a table, its weights and costs, and the settings of a run on it."""
    payoff = some(rng, list(PAYOFFS))
    given = {
        "size_selection": some(rng, ["payoff"] * 4 + ["cv", "cv_1se", "cv_best"]),
        "population_size": int(some(rng, [8, 40, 200])),
        "max_leaf_nodes": some(rng, [None, None, 1, 2, 7, 100, 300]),
        "max_depth": some(rng, [None, None, 0, 2, 3, 10]),
        "min_samples_leaf": int(some(rng, [1, 1, 1, 5, 40])),
        "class_weight": some(rng, [None, None, "balanced"]),
        "initial_trees": some(rng, [None, None, None, "cart"]),
        "n_jobs": some(rng, [None, None, None, 2]),
    }
    return {
        "seed": int(rng.integers(2**31)),
        "shape": some(rng, SHAPES),
        "values": some(rng, ["normal", "normal", "few", "huge", "gaps"]),
        "n_classes": int(some(rng, [1, 2, 2, 2, 3, 12])),
        "weights": some(rng, WEIGHTS),
        "costs": some(rng, [None, None, None, "integers", "floats", "wide"]),
        "payoff": [payoff, {name: some(rng, values) for name, values in PAYOFFS[payoff].items()}],
        "given": given,
        "cuts": some(rng, ["midpoints", "midpoints", "integers"]),
        "max_cuts": int(some(rng, [1, 31, 255])),
        "genes": bool(rng.random() < 0.15),
        "islands": int(some(rng, [1, 1, 2])),
        "limit": float(some(rng, [0.05, 0.1, 0.2, 0.3])),
        "ends by": some(rng, ["limit", "limit", "limit", "interrupt"]),
    }


def run_case(case, folder):
    """Fit; the best of some tries has to end in time, and with a tree: a fault is there every time."""
    rng = generator(case)
    X, y, weights = _rows(rng, case)
    tree = _estimator(case, rng, len(np.unique(y)))
    by_interrupt = case["ends by"] == "interrupt"
    limit = case["limit"]
    may_take = limit + max(LATE, LATE_SHARE * limit)
    took = math.inf
    for _ in tries():
        try:
            seconds = _seconds(tree, X, y, weights, limit, by_interrupt)
        except ValueError as error:
            if "too much to count exactly" in str(error):
                raise _RefusedError from error
            raise
        except KeyboardInterrupt:  # it came just when a fit had ended by itself
            continue
        took = min(took, seconds)
        if took <= may_take:
            break
    assert took <= may_take, f"took {took:.2f} s; limit {limit:g} s ({case['ends by']})"
    assert tree.predict(X[:5]).shape == (len(X[:5]),)
    expected = "interrupted" if by_interrupt else "time_limit"
    assert tree.stop_reason_ in (expected, "optimal"), tree.stop_reason_


def _seconds(tree, X, y, weights, limit, by_interrupt):
    """Return how long a fit takes that is to end after some seconds; what is compiled does not count."""
    # A second thread waits for a core by a clock of its own: where there is one, what this one works is counted.
    clock = own_seconds if tree.n_jobs is None else time.thread_time
    began = clock()
    if not by_interrupt:
        tree.set_params(time_limit=limit).fit(X, y, sample_weight=weights)
        return clock() - began
    with _signal_after(limit):
        tree.set_params(time_limit=None).fit(X, y, sample_weight=weights)
        return clock() - began


@contextmanager
def _signal_after(seconds):
    """Send Ctrl-C to this process some seconds after a fit began to hear it, unless it ends before."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
    is_over = threading.Event()
    thread = threading.Thread(target=_send_after, args=(seconds, is_over))
    thread.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what comes this late is of no use to anybody
        is_over.set()
        thread.join()
        signal.signal(signal.SIGINT, before)


def _send_after(seconds, is_over):
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # the fit may wait for a core
        if is_over.wait(0.001):
            return
    if not is_over.wait(seconds):
        os.kill(os.getpid(), signal.SIGINT)


def _estimator(case, rng, n_classes):
    name, parameters = case["payoff"]
    parameters = {key: tuple(value) if isinstance(value, list) else value for key, value in parameters.items()}
    payoff = _own if name == "own" else Payoff(name.removesuffix(" by itself"), **parameters)
    given = dict(case["given"], payoff=payoff, generations=ENDLESS, n_iter_no_change=None, random_state=case["seed"])
    by_labels = name not in ("log_loss", "brier")
    if case["costs"] is not None and by_labels:
        given["cost_matrix"] = _costs(rng, case["costs"], n_classes)
    if case["genes"] and case["costs"] is None and by_labels:
        given["breeding"] = Breeding(labels="genes", operators={"node_change": 1.0, "leaf_change": 1.0})
    return EvolvedTreeClassifier(
        **given,
        succession=Succession(islands=case["islands"]),
        encoding=Encoding(cuts=case["cuts"], max_cuts=case["max_cuts"]),
    )


def _own(trees):
    return trees.hits / trees.total - 0.003 * trees.leaves


def _rows(rng, case):
    n, n_columns = case["shape"]
    X = rng.normal(size=(n, n_columns))
    if case["values"] == "few":
        X = X.round(0)
    elif case["values"] == "huge":
        X = X * 10.0 ** rng.integers(-300, 300, size=n_columns)
    elif case["values"] == "gaps":
        X[rng.random(X.shape) < 0.2] = np.nan
    if case["cuts"] == "integers":
        X = np.nan_to_num(np.clip(X, -50, 50)).round()
    y = (rng.normal(size=n) + X[:, 0] * X[:, -1] > 0).astype(int)
    y = np.where(rng.random(n) < 0.1, rng.integers(case["n_classes"], size=n), y) % case["n_classes"]
    draws = rng.random(n)
    weights = {
        "none": None,
        "floats": draws,
        "lognormal": rng.lognormal(0.0, 3.0, n),
        "integers": rng.integers(0, 1000, n) + (np.arange(n) == 0),
        "wide": 10.0 ** rng.uniform(-12, 12, n),
        "tiny": draws * 1e-200,
        "float32": draws.astype(np.float32),
    }[case["weights"]]
    return X, y, weights


def _costs(rng, kind, n):
    draws = {
        "integers": rng.integers(0, 100, (n, n)).astype(float),
        "floats": rng.random((n, n)),
        "wide": 10.0 ** rng.uniform(-6, 6, (n, n)),
    }[kind]
    np.fill_diagonal(draws, 0.0)
    return draws.tolist()
