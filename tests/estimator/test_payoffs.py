"""A payoff of one's own is a plain NumPy function."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, Payoff
from tests.estimator.some_data import numbers, quick

X, Y = numbers()


def frugal(trees, *, cost=0.05):
    return trees.accuracy - cost * trees.leaves


def test_a_lambda_fits_and_predicts():
    estimator = quick(payoff=lambda trees: trees.hits / trees.total - 0.02 * trees.leaves).fit(X, Y)

    named = quick(payoff=Payoff("leaf_cost", cost=0.02)).fit(X, Y)
    assert [(entry.payoff, entry.tree) for entry in estimator.hall_.improving()] == [
        (entry.payoff, entry.tree) for entry in named.hall_
    ]
    assert estimator.predict(X).tolist() == named.predict(X).tolist()


@pytest.mark.parametrize("limits", [{"max_leaf_nodes": 8}, {"max_depth": 3, "max_leaf_nodes": None}])
def test_fewest_errors_takes_the_smallest_tree_with_the_fewest(limits):
    rows = X[:, 0] > 0.2  # one split is enough, and nothing larger is better

    estimator = quick(payoff="fewest_errors", generations=30, **limits).fit(X, rows)

    assert estimator.tree_.accuracy == max(entry.accuracy for entry in estimator.hall_) == 1.0
    assert estimator.get_n_leaves() == 2


def test_fewest_errors_finds_a_pair_of_splits_of_which_one_alone_gains_nothing():
    sides = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 10, axis=0)
    either = sides[:, 0] ^ sides[:, 1]

    estimator = quick(payoff="fewest_errors", max_depth=2).fit(sides, either)

    assert estimator.score(sides, either) == 1.0
    assert (estimator.get_n_leaves(), estimator.get_depth()) == (4, 2)


def test_a_function_takes_parameters_and_they_may_move():
    estimator = quick(payoff=Payoff(frugal, cost=(0.5, 0.0)), generations=40).fit(X, Y)

    best = estimator.hall_[estimator.hall_.chosen]
    assert best.payoff == best.accuracy == max(entry.accuracy for entry in estimator.hall_)
    assert estimator.history_["best_payoff"][0] < 0 < estimator.history_["best_payoff"][-1]


def test_a_function_sees_depth_and_leaves_of_every_tree():
    seen = []

    def shallow(trees):
        seen.append((trees.leaves.copy(), trees.depth.copy()))
        return trees.hits / trees.total - 10.0 * (trees.depth > 2)

    estimator = quick(payoff=shallow, generations=30).fit(X, Y)

    assert estimator.get_depth() <= 2
    assert all((depth < leaves).all() for leaves, depth in seen)


def test_whole_numbers_are_a_payoff_too():
    estimator = quick(payoff=lambda trees: trees.hits).fit(X, Y)

    assert estimator.hall_[estimator.hall_.chosen].payoff == estimator.score(X, Y) * len(Y)


def test_a_payoff_may_be_minus_infinity():
    estimator = quick(payoff=lambda trees: np.where(trees.leaves > 3, -np.inf, trees.hits / trees.total)).fit(X, Y)

    assert estimator.get_n_leaves() <= 3


@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        (lambda trees: trees.hits * np.nan, "hits and . leaves is NaN; a payoff must be a number for every tree"),
        (lambda trees: 1.0, r"shape \(\) for 24 trees; expected one number for each tree, shape \(24,\)"),
        (lambda trees: trees.hits[:3], r"shape \(3,\) for 24 trees; expected one number for each tree"),
        (lambda trees: trees.hits[:, None], r"shape \(24, 1\) for 24 trees"),
        (lambda trees: ["a"] * len(trees), "the payoff returned .*; expected one number for each tree"),
        (lambda trees: None, "the payoff returned .*; expected one number for each tree"),
    ],
)
def test_a_payoff_that_is_no_number_for_each_tree_is_refused(payoff, message):
    with pytest.raises(ValueError, match=message):
        quick(payoff=payoff).fit(X, Y)


def test_an_unknown_parameter_of_a_function_is_refused():
    with pytest.raises(ValueError, match="payoff 'frugal' has no parameter 'price'"):
        quick(payoff=Payoff(frugal, price=1.0)).fit(X, Y)


def test_a_parameter_of_another_payoff_is_a_hint():
    with pytest.raises(ValueError, match=r"Did you mean Payoff\(\"leaf_cost\", cost=...\)\?"):
        quick(payoff=Payoff(cost=0.01)).fit(X, Y)


def test_a_lambda_cannot_be_saved_and_says_what_to_do(tmp_path):
    estimator = quick(payoff=lambda trees: trees.hits).fit(X, Y)

    with pytest.raises(ValueError, match=r"payoff=<lambda> cannot be written to a model file; set payoff to"):
        estimator.save(tmp_path / "model.json")

    assert list(tmp_path.iterdir()) == []


def test_what_it_says_works(tmp_path):
    estimator = quick(payoff=lambda trees: np.where(trees.leaves > 4, -np.inf, trees.hits)).fit(X, Y)
    before = estimator.predict(X)

    estimator.set_params(payoff="gatree").save(tmp_path / "model.json")

    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")
    assert loaded.predict(X).tolist() == before.tolist()
    assert [entry.payoff for entry in loaded.hall_] == [entry.payoff for entry in estimator.hall_]


def test_a_lambda_cannot_be_pickled_and_pickle_names_it():
    estimator = quick(payoff=lambda trees: trees.hits).fit(X, Y)

    with pytest.raises((pickle.PicklingError, AttributeError), match="<lambda>"):
        pickle.dumps(estimator)


def test_a_function_of_a_module_can_be_pickled():
    estimator = quick(payoff=frugal).fit(X, Y)

    copied = pickle.loads(pickle.dumps(estimator))

    assert copied.payoff is frugal
    assert copied.predict(X).tolist() == estimator.predict(X).tolist()


@pytest.mark.parametrize("size", ["payoff", "cv"])
def test_a_payoff_that_cannot_be_hashed_is_a_payoff(size):
    @dataclass
    class Mine:
        cost: float = 0.02

        def __call__(self, trees):
            return trees.hits / trees.total - self.cost * trees.leaves

    assert quick(payoff=Mine(), size_selection=size).fit(X, Y).get_n_leaves() > 1
