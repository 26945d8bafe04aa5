"""How a fit that chooses its size goes: who hears of folds, and when it ends."""

import sys
import time
from contextlib import nullcontext
from itertools import pairwise

import numpy as np
import pytest

from heirwood import Engine, bounding
from heirwood.journal import read
from tests.estimator.some_data import numbers, quick
from tests.estimator.test_stopping import run_python

pytestmark = pytest.mark.usefixtures("brief_bounds")

X, Y = numbers(n_rows=150)
NOISY = np.where(np.random.default_rng(0).random(150) < 0.25, (Y + 1) % 3, Y)


def sized(**parameters):
    return quick(size="cv", generations=25, **parameters)


def test_listeners_hear_of_folds_and_the_journal_of_one_run(tmp_path, capsys):
    heard = []
    engine = Engine(listeners=[heard.append], journal=tmp_path / "run.jsonl")

    sized(engine=engine, verbose=1).fit(X, NOISY)

    folds = [{"event": "fold", "fold": number, "folds": 5} for number in range(5)]
    assert heard[:5] == folds
    assert heard[5]["event"] == "start"
    assert "fold" not in {event["event"] for event in read(tmp_path / "run.jsonl")[0]}
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [f"choosing the size by cross-validation: fold {number} of 5" for number in (1, 2)]
    assert lines[-1].startswith("generation 25/25")


def test_a_time_limit_is_shared_out():
    quick(generations=1).fit(X, NOISY)
    heard = []
    started = time.monotonic()

    estimator = sized(
        time_limit=1.4, engine=Engine(listeners=[lambda event: heard.append((event["event"], time.monotonic()))])
    ).set_params(generations=10**7, patience=None)
    estimator.fit(X, NOISY)

    moments = [moment for kind, moment in heard if kind in ("fold", "start", "end")]
    spans = [after - before for before, after in pairwise(moments)]
    assert estimator.stop_reason_ == "time_limit"
    assert estimator.cv_accuracy_ is not None
    assert len(spans) == 6
    assert all(span >= 0.15 for span in spans[:5])  # 0.2, less what others took too long
    assert spans[5] >= 0.25  # the run on all rows has two parts, less what the folds took too long
    assert estimator.n_generations_ > 0
    assert time.monotonic() - started < 1.4 + 1.0


def late(seconds):
    """Return a listener that holds every fold up."""
    return lambda event: time.sleep(seconds) if event["event"] == "fold" else None


@pytest.mark.parametrize(("seconds", "n_folds"), [(0.25, 2), (0.6, 1)])
def test_folds_that_would_leave_the_last_run_no_time_are_not_begun(seconds, n_folds):
    quick(generations=1).fit(X, NOISY)
    heard = []
    engine = Engine(listeners=[late(seconds), lambda event: heard.append(event["event"])])
    estimator = sized(time_limit=1.5, engine=engine).set_params(generations=10**7, patience=None)

    with nullcontext() if n_folds > 1 else pytest.warns(UserWarning, match="allows for no cross-validation"):
        estimator.fit(X, NOISY)

    assert heard.count("fold") == n_folds
    assert estimator.n_generations_ > 0
    assert (estimator.cv_accuracy_ is None) == (n_folds == 1)


PROGRAM = """
import os, signal
import numpy as np
from heirwood import Engine, EvolvedTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 4))
y = (X[:, 0] + X[:, 1] > 0).astype(int)

def pressed(times):
    def press(event):
        if event["event"] == "fold" and event["fold"] == 2:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)

    engine = Engine(listeners=[press])
    return EvolvedTreeClassifier(population=20, generations=50, random_state=0, size="cv", engine=engine)

est = pressed(1).fit(X, y)
print(est.stop_reason_, est.n_generations_, est.cv_accuracy_, est.score(X, y) > 0.8, est.get_n_leaves() > 2)
est = pressed(2)
try:
    est.fit(X, y)
except KeyboardInterrupt:
    print("raised", hasattr(est, "hall_"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal")
def test_ctrl_c_in_a_fold_returns_the_best_of_the_trees_found_so_far_and_a_second_raises():
    assert run_python(PROGRAM) == ["interrupted", "0", "None", "True", "True", "raised", "False"]


def test_folds_look_for_no_bound(monkeypatch):
    looked = []
    find = bounding.find_ceiling

    def note(values, *rest, **limits):
        looked.append(len(values))
        return find(values, *rest, **limits)

    monkeypatch.setattr(bounding, "find_ceiling", note)
    estimator = sized(payoff="leaf_cost").fit(X, NOISY)

    assert looked
    assert set(looked) == {len(X)}  # rows: all of them, never those of a fold
    assert estimator.lower_bound_ is not None
