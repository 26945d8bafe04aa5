"""Exact cuts for users: found beyond `max_cuts`, shown, kept in files and over warm starts."""

import pickle

import numpy as np
import pytest

from heirwood import Breeding, Encoding, EvolvedTreeClassifier, Monitoring
from heirwood.journal import read
from tests.busy import fewest_seconds
from tests.estimator.some_data import quick, same_trees

OPERATORS = {"node_change": 1.0, "node_prune": 0.5, "grow_best": 2.0, "sharpen": 2.0}


def needle(n_rows=600):
    """Return a table whose classes hang on one cut that no quantile comes near, and its place."""
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(n_rows, 3)), 6)
    cut = np.sort(X[:, 1])[n_rows // 5]
    return X, (X[:, 1] > cut).astype(int), cut


X, Y, CUT = needle()


def sharp(**parameters):
    """Return an estimator with four cuts a column, which sharpens."""
    return quick(
        breeding=Breeding(operators=OPERATORS), encoding=Encoding(max_cuts=4), payoff="leaf_cost", **parameters
    )


def test_the_one_good_cut_is_found_though_the_bank_does_not_have_it():
    blunt = sharp().set_params(breeding__operators={**OPERATORS, "sharpen": 0.0}).fit(X, Y)

    sharpened = sharp().fit(X, Y)

    assert blunt.score(X, Y) < 1.0
    assert sharpened.score(X, Y) == 1.0
    [question] = [node.question for node in sharpened.tree_.nodes if node.question]
    above = X[X[:, 1] > CUT, 1].min()
    assert question.value == pytest.approx((CUT + above) / 2, rel=1e-12)
    assert len(repr(question.value)) <= 10  # the decimal midpoint of numbers with six decimals


@pytest.mark.parametrize("changes", [{"n_jobs": 2}, {"engine__backend": "slow"}, {"engine__inherit": False}], ids=str)
def test_it_is_the_same_run_however_it_is_computed(changes):
    rows = slice(0, 150)
    one = sharp(max_leaf_nodes=6).fit(X[rows], Y[rows])

    other = sharp(max_leaf_nodes=6).set_params(**changes).fit(X[rows], Y[rows])

    assert same_trees(one, other)


def noisy():
    """Return rows where many cuts pay."""
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(300, 3)), 4)
    return X, (np.sin(4 * X[:, 0]) + X[:, 1] + rng.normal(0, 0.3, 300) > 0).astype(int)


def test_two_halves_are_the_whole():
    whole = sharp(generations=30).fit(*noisy())

    halves = sharp(generations=15, warm_start=True).fit(*noisy()).fit(*noisy())

    assert same_trees(halves, whole)
    assert len(halves._state.places[0])
    assert {name: values.tolist() for name, values in halves.history_.items()} == {
        name: values.tolist() for name, values in whole.history_.items()
    }


def test_a_run_without_sharpening_goes_on_with_the_cuts_that_are_there():
    first = sharp(generations=15, warm_start=True).fit(*noisy())
    assert len(first._state.places[0])
    best = first.hall_[first.hall_.chosen].payoff

    first.set_params(breeding__operators={"node_change": 1.0, "grow_best": 1.0}).fit(*noisy())

    assert first.n_generations_ == 30
    assert first.hall_[first.hall_.chosen].payoff >= best


def test_a_pickled_run_goes_on():
    half = sharp(generations=15, warm_start=True).fit(*noisy())

    other = pickle.loads(pickle.dumps(half))

    assert same_trees(half.fit(*noisy()), other.fit(*noisy()))


def test_a_saved_model_predicts_the_same(tmp_path):
    fitted = sharp().fit(X, Y)
    fitted.save(tmp_path / "model.json")

    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

    assert loaded.tree_ == fitted.tree_
    assert loaded.predict(X).tolist() == fitted.predict(X).tolist() == Y.tolist()


def test_the_journal_tells_the_cut_in_words(tmp_path):
    path = tmp_path / "run.jsonl"
    fitted = sharp(monitoring=Monitoring(journal=path)).fit(X, Y)

    trees = [event["tree"] for event in read(path)[0] if "tree" in event]

    question = fitted.tree_.nodes[0].question
    assert trees[-1][0][0] == str(question)


def test_the_bank_that_a_run_starts_with_is_what_it_tells_of(tmp_path):
    path = tmp_path / "run.jsonl"
    sharp(monitoring=Monitoring(journal=path)).fit(X, Y)

    [start] = [event for event in read(path)[0] if event["event"] == "start"]

    assert start["tests"] == 3 * 4


@pytest.mark.usefixtures("working_time")
def test_a_time_limit_ends_a_run_that_sharpens():
    fitted = sharp(generations=10**6, time_limit=0.5, n_iter_no_change=None)

    took = fewest_seconds(0.8, lambda: fitted.fit(*noisy()))

    assert fitted.stop_reason_ == "time_limit"
    assert fitted.score(*noisy()) > 0.5
    assert took < 0.8


@pytest.mark.parametrize("encoding", [Encoding(max_cuts=1000), Encoding(cuts="integers")], ids=["all cuts", "integers"])
def test_where_there_is_nothing_to_sharpen_the_operator_is_left_out(encoding):
    with_it = sharp().set_params(encoding=encoding).fit(X, Y)

    operators = {name: weight for name, weight in OPERATORS.items() if name != "sharpen"}
    without = sharp().set_params(encoding=encoding, breeding__operators=operators).fit(X, Y)

    assert same_trees(with_it, without)


def test_missing_values_keep_their_side():
    values = X.copy()
    values[::7] = np.nan

    fitted = sharp(generations=20).fit(values, Y)

    assert fitted.score(values[~np.isnan(values[:, 1])], Y[~np.isnan(values[:, 1])]) == 1.0
