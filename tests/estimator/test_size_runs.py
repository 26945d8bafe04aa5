"""How a fit that chooses its size goes: who hears of folds, and when it ends."""

import signal
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from heirwood import Monitoring
from heirwood import run as runs
from heirwood import run_bound as bounding
from heirwood import time_limit as clock
from heirwood.evolve import Evolution
from heirwood.journal import read
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=150)
NOISY = np.where(np.random.default_rng(0).random(150) < 0.25, (Y + 1) % 3, Y)


def sized(**parameters):
    return quick(size_selection="cv", generations=25, **parameters)


def test_listeners_hear_of_folds_and_the_journal_of_one_run(tmp_path, capsys):
    heard = []
    monitoring = Monitoring(listeners=[heard.append], journal=tmp_path / "run.jsonl")

    sized(monitoring=monitoring, verbose=1).fit(X, NOISY)

    folds = [{"event": "fold", "fold": number, "folds": 5} for number in range(5)]
    assert heard[:5] == folds
    assert heard[5]["event"] == "start"
    assert "fold" not in {event["event"] for event in read(tmp_path / "run.jsonl")[0]}
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [f"choosing the size by cross-validation: fold {number} of 5" for number in (1, 2)]
    assert lines[-2].startswith("generation 25/25")
    assert "by rows held back" in lines[-1]


@pytest.mark.parametrize(("n_rows", "n_folds"), [(3_999, 5), (4_000, 3)])
def test_many_rows_are_dealt_into_fewer_folds(n_rows, n_folds):
    told = []
    X = np.arange(n_rows, dtype=float)[:, None]

    quick(size_selection="cv", generations=1, population_size=4, monitoring=Monitoring(listeners=[told.append])).fit(
        X, X[:, 0] > 9
    )

    assert [event["folds"] for event in told if event["event"] == "fold"] == [n_folds] * n_folds


@pytest.mark.parametrize(
    ("parameters", "in_folds"),
    [
        ({"generations": 1000, "n_iter_no_change": 60}, (200, 30)),
        ({"generations": 20, "n_iter_no_change": None}, (20, None)),
        (
            {"generations": 1000, "n_iter_no_change": 60, "leaf_cost": (0.1, 0.01)},
            (1000, 30),
        ),  # the cost must come to its end
    ],
)
def test_folds_take_less_time_than_the_last_run(parameters, in_folds, monkeypatch):
    orders = []

    def go(run, listeners):
        orders.append((run.order.generations, run.order.n_iter_no_change))
        return "listener"

    monkeypatch.setattr(runs.Run, "go", go)
    quick(size_selection="cv").set_params(**parameters).fit(X, NOISY)

    assert orders == [in_folds] * 5 + [(parameters["generations"], parameters["n_iter_no_change"])]


@pytest.fixture
def hands(monkeypatch):
    """Return what the clock shows, in a list: it moves on with every generation, by a hundredth of a second."""
    shown = [0.0]
    step = Evolution.step

    def slow_step(evolution):
        is_done = step(evolution)
        shown[0] += 0.01
        return is_done

    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: shown[0]))
    monkeypatch.setattr(clock, "seconds_compiling", lambda: 0.0)
    monkeypatch.setattr(Evolution, "step", slow_step)
    return shown


def limited(hands, late=0.0, limit=1.4):
    """Return a fit within a time limit, each fold of which begins late, and when folds, the run and its end began."""
    moments = []

    def note(event):
        if event["event"] in ("fold", "start", "end"):
            moments.append(hands[0])
            hands[0] += late * (event["event"] == "fold")

    estimator = sized(time_limit=limit, monitoring=Monitoring(listeners=[note]))
    estimator.set_params(generations=10**7, n_iter_no_change=None).fit(X, NOISY)
    return estimator, moments


def test_a_time_limit_is_shared_out(hands):
    estimator, moments = limited(hands)

    spans = [after - before for before, after in pairwise(moments)]
    assert spans == pytest.approx([0.2] * 5 + [0.4], abs=0.021)  # two parts of seven for the run that makes the tree
    assert estimator.stop_reason_ == "time_limit"
    assert estimator.cv_accuracy_ is not None
    assert estimator.n_generations_ > 30


@pytest.mark.parametrize(("late", "n_folds", "message"), [
    (0.25, 2, "the time limit allowed for 2 of 5 folds; give it more time"),
    (0.6, 1, "the time limit allows for no cross-validation: the size is chosen by payoff"),
])  # fmt: skip
def test_folds_that_would_leave_the_last_run_no_time_are_not_begun(late, n_folds, message, hands):
    with pytest.warns(UserWarning, match=message):
        estimator, moments = limited(hands, late)

    assert len(moments) == n_folds + 2
    assert moments[-1] - moments[-2] > (moments[1] - moments[0]) * 0.9  # the last run has as long as a fold
    assert estimator.n_generations_ > 30
    assert (estimator.cv_accuracy_ is None) == (n_folds == 1)


def test_folds_that_would_be_over_once_they_are_prepared_are_not_begun(hands, monkeypatch):
    make_bank = runs.make_bank

    def slowly(*arguments, **settings):
        hands[0] += 0.25
        return make_bank(*arguments, **settings)

    monkeypatch.setattr(runs, "make_bank", slowly)
    with pytest.warns(UserWarning, match="allows for no cross-validation"):
        estimator, moments = limited(hands)

    # One fold, whose part was over before it could breed; the run on all rows, and its end.
    assert moments == pytest.approx([0.0, 0.51, 1.4], abs=0.011)
    assert estimator.n_generations_ > 80


@pytest.mark.filterwarnings("ignore:time_limit=1.4 was up before a generation was bred")
def test_trees_of_a_fold_that_took_all_the_time_are_not_lost(hands):
    with pytest.warns(UserWarning, match="allows for no cross-validation"):
        estimator, _ = limited(hands, late=1.395)

    assert estimator.n_generations_ <= 1
    assert max(entry.leaves for entry in estimator.hall_) > 2  # what a run begins with are stumps


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_second_ctrl_c_in_a_fold_raises():
    def press_twice(event):
        if event["event"] == "fold" and event["fold"] == 2:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    estimator = sized(monitoring=Monitoring(listeners=[press_twice]))

    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, NOISY)

    assert not hasattr(estimator, "hall_")


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.parametrize("finished", [0, 1, 3])
def test_interrupted_folds_leave_a_hall_of_the_trees_of_those_that_were_finished(finished, monkeypatch):
    halls = []
    monkeypatch.setattr(runs.Run, "hall", lambda run, hall=runs.Run.hall: halls.append(hall(run)) or halls[-1])

    def press(event):
        if event["event"] == "fold" and event["fold"] == finished:
            signal.raise_signal(signal.SIGINT)

    estimator = sized(payoff="leaf_cost", monitoring=Monitoring(listeners=[press])).fit(X, NOISY)

    assert len(halls) == max(finished, 1)  # of the first fold what there was
    shapes = {tuple(node.question for node in entry.tree.nodes) for hall in halls for entry in hall}
    assert all(tuple(node.question for node in entry.tree.nodes) in shapes for entry in estimator.hall_)
    assert {entry.leaves for entry in estimator.hall_} <= {entry.leaves for hall in halls for entry in hall}
    for entry in estimator.hall_:
        estimator.select(entry.leaves)
        right = estimator.score(X, NOISY)
        assert entry.accuracy == right
        assert entry.payoff == pytest.approx(right - estimator.leaf_cost_ * entry.leaves, abs=1e-12)
        assert sum(node.n_rows for node in entry.tree.nodes if node.is_leaf) == len(X)
    best = max(estimator.hall_, key=lambda entry: entry.payoff)
    assert (estimator.stop_reason_, estimator.cv_accuracy_, estimator.n_generations_) == ("interrupted", None, 0)
    again = sized(payoff="leaf_cost", monitoring=Monitoring(listeners=[press])).fit(X, NOISY)
    assert again.hall_[again.hall_.chosen].payoff == best.payoff


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
