"""A run ends by its generations, its time limit, a listener, or Ctrl-C."""

import signal
import subprocess
import sys
import textwrap

import pytest

from heirwood import Monitoring
from tests.busy import HUNG, own_seconds, tries
from tests.estimator.some_data import numbers, quick

X, Y = numbers()
LATE = 0.3  # seconds


def run_python(code):
    """Run a program in a process of its own, which hears Ctrl-C also where the tests do not; return what it printed."""
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=HUNG, check=False
    )
    signal.signal(signal.SIGINT, heard)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_run_ends_after_its_generations():
    estimator = quick(generations=7).fit(X, Y)

    assert estimator.stop_reason_ == "generations"
    assert estimator.n_generations_ == 7


def test_no_generation_at_all_gives_the_best_first_tree():
    estimator = quick(generations=0).fit(X, Y)

    assert estimator.n_generations_ == 0
    assert 1 <= estimator.get_n_leaves() <= 2
    assert estimator.savings_["rows"] == 0.0


# ---- time_limit ----


@pytest.mark.usefixtures("working_time")
def test_a_time_limit_is_honoured_to_within_one_generation():
    quick(generations=1).fit(X, Y)  # what is compiled or loaded once does not count
    for _ in tries():
        clock = []
        listener = [lambda event, clock=clock: clock.append(event["seconds"]) if event["event"] == "clock" else None]
        estimator = quick(
            generations=10**6, n_iter_no_change=None, time_limit=0.5, monitoring=Monitoring(listeners=listener)
        )
        began = own_seconds()

        estimator.fit(X, Y)

        seconds = own_seconds() - began
        if estimator.n_generations_ > 0 and seconds < 0.5 + LATE:
            break

    assert estimator.stop_reason_ == "time_limit"
    assert 0 < estimator.n_generations_ < 10**6
    assert clock[-2] <= 0.5  # the last generation began in time
    assert seconds < 0.5 + LATE


def test_building_the_bank_counts(hands, monkeypatch):
    import heirwood.run

    def slowly(*arguments, **settings):
        hands[0] += 0.3
        return make_bank(*arguments, **settings)

    make_bank = heirwood.run.make_bank
    monkeypatch.setattr(heirwood.run, "make_bank", slowly)

    with pytest.warns(UserWarning, match=r"time_limit=0.1 was up before a generation was bred"):
        estimator = quick(time_limit=0.1).fit(X, Y)

    assert estimator.stop_reason_ == "time_limit"
    assert estimator.n_generations_ == 0
    assert estimator.predict(X).shape == Y.shape


def test_compiling_does_not_count(hands, monkeypatch):
    import heirwood.fitting

    def compile_slowly(*_):
        hands[0] += 0.3
        return True

    monkeypatch.setattr(heirwood.fitting, "warm_up", compile_slowly)

    estimator = quick(generations=1, time_limit=0.25).fit(X, Y)

    assert estimator.stop_reason_ == "generations"


def test_a_time_limit_that_is_not_reached_changes_nothing():
    limited = quick(time_limit=600.0).fit(X, Y)

    assert limited.tree_ == quick().fit(X, Y).tree_
    assert limited.stop_reason_ == "generations"


# ---- no better tree ----


@pytest.mark.parametrize("n_generations", [1, 4])
def test_a_run_ends_when_nothing_was_gained_for_so_long(n_generations):
    improved = []

    def note(event):
        if event["event"] == "generation":
            improved.append("tree" in event)

    estimator = quick(
        payoff="gatree", generations=500, n_iter_no_change=n_generations, monitoring=Monitoring(listeners=[note])
    ).fit(X, Y)

    assert estimator.stop_reason_ == "no_change"
    assert estimator.n_generations_ == len(improved) - 1
    assert not any(improved[-n_generations:])
    assert improved[-n_generations - 1]
    told = "".join("x" if better else "." for better in improved[:-1])
    assert "." * n_generations not in told


def test_without_n_iter_no_change_all_generations_are_bred():
    estimator = quick(payoff="gatree", generations=40, n_iter_no_change=None, max_leaf_nodes=2).fit(X, Y)

    assert (estimator.stop_reason_, estimator.n_generations_) == ("generations", 40)


def test_a_run_that_goes_on_counts_generations_without_a_better_tree_anew():
    estimator = quick(payoff="gatree", generations=500, n_iter_no_change=3, warm_start=True).fit(X, Y)
    first = estimator.n_generations_

    estimator.fit(X, Y)

    assert estimator.n_generations_ >= first + 3


# ---- listeners ----


@pytest.mark.whole_bound
def test_a_listener_hears_of_every_generation():
    events = []

    quick(monitoring=Monitoring(listeners=[events.append])).fit(X, Y)

    told = [event["event"] for event in events]
    assert told == ["start", *["generation", "clock"] * 13, "bound", "end"]  # over before a better bound was due
    assert events[-1] == {"event": "end", "reason": "generations", "generation": 12}


def test_a_listener_that_returns_true_stops_the_run():
    estimator = quick(monitoring=Monitoring(listeners=[lambda event: event.get("generation") == 5])).fit(X, Y)

    assert estimator.stop_reason_ == "listener"
    assert estimator.n_generations_ == 5
    assert estimator.tree_ == quick(generations=5).fit(X, Y).tree_


def test_every_listener_hears_of_the_last_generation():
    heard = []
    listeners = [lambda event: event.get("generation") == 3, lambda event: heard.append(event["event"])]

    quick(monitoring=Monitoring(listeners=listeners)).fit(X, Y)

    assert heard.count("generation") == 4
    assert heard[-1] == "end"


@pytest.mark.parametrize("answer", [None, False, 1, "yes"])
def test_only_true_stops_a_run(answer):
    estimator = quick(monitoring=Monitoring(listeners=[lambda event: answer])).fit(X, Y)

    assert estimator.n_generations_ == 12


def test_the_tree_is_told_whenever_it_changed():
    events = []

    estimator = quick(monitoring=Monitoring(listeners=[events.append]), generations=40).fit(X, Y)

    told = [event for event in events if "tree" in event]
    assert told[0]["generation"] == 0
    assert 1 < len(told) < 41
    last = told[-1]["tree"]
    assert [text for text, *_ in last] == [
        str(node.question) if node.question else str(estimator.tree_.classes[node.label])
        for node in estimator.tree_.nodes
    ]
    assert [rows for _, _, rows, _ in last] == [node.n_rows for node in estimator.tree_.nodes]


# ---- Ctrl-C, for real ----

PROGRAM = """
import os, signal
import joblib
import numpy as np
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from heirwood import EvolvedTreeClassifier, Monitoring

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 4))
y = (X[:, 0] > 0).astype(int)

def pressed_at(generation, times=1):
    def press(event):
        if event["event"] == "generation" and event["generation"] == generation:
            heard.append(generation)
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)

    monitoring = Monitoring(listeners=[press])
    return EvolvedTreeClassifier.blind(population_size=20, generations=500, random_state=0, monitoring=monitoring)

def is_as_before():
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler

heard = []
est = pressed_at(5).fit(X, y)
print(est.stop_reason_, est.n_generations_, est.score(X, y) > 0.6)
short = EvolvedTreeClassifier.blind(population_size=20, generations=est.n_generations_, random_state=0).fit(X, y)
print(short.tree_ == est.tree_, is_as_before())

heard.clear()
est = pressed_at(5, times=2)
try:
    est.fit(X, y)
except KeyboardInterrupt:
    print("raised", heard, hasattr(est, "hall_"))
print(is_as_before())

est = pressed_at(3)
for call in [
    lambda: GridSearchCV(est, {"max_leaf_nodes": [2, 3]}, cv=2, error_score="raise").fit(X, y),
    lambda: cross_val_score(est, X, y, cv=2, error_score="raise"),
    lambda: make_pipeline(est).fit(X, y),
    lambda: joblib.Parallel(n_jobs=1)([joblib.delayed(est.fit)(X, y)]),
]:
    try:
        call()
        print("returned")
    except KeyboardInterrupt:
        print("raised")
"""


@pytest.fixture(scope="module")
def told():
    """Return what the program says, in a process of its own, which takes seconds to start."""
    if sys.platform == "win32":
        pytest.skip("signals of a terminal")
    return run_python(PROGRAM)


def test_ctrl_c_returns_the_best_tree_so_far_as_a_fitted_estimator(told):
    assert told[:5] == ["interrupted", "5", "True", "True", "True"]


def test_a_second_ctrl_c_raises(told):
    assert told[5:9] == ["raised", "[5]", "False", "True"]


def test_inside_a_meta_estimator_the_first_ctrl_c_raises(told):
    assert told[9:] == ["raised"] * 4


def test_a_handler_of_the_users_own_is_left_alone():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        listener = [lambda event: signal.raise_signal(signal.SIGINT) if event.get("generation") == 2 else None]
        estimator = quick(monitoring=Monitoring(listeners=listener)).fit(X, Y)
    finally:
        signal.signal(signal.SIGINT, before)

    assert len(heard) >= 1
    assert estimator.stop_reason_ == "generations"
