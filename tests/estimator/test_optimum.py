"""The best tree there is, as users meet it: found, proven and said so, or not claimed."""

import numpy as np
import pytest

from heirwood import Breeding, Encoding, EvolvedTreeClassifier, Payoff, Search, monks
from heirwood.data.generated import tic_tac_toe
from tests.busy import fewest_seconds
from tests.estimator.some_data import numbers

pytestmark = pytest.mark.whole_bound

ALONE = Search(optimum=False, lookahead=False)


def test_an_interaction_that_evolution_alone_misses_is_found_and_proven():
    data = monks(2)
    cost = Payoff("leaf_cost", cost=0.01)

    estimator = EvolvedTreeClassifier(payoff=cost, random_state=0).fit(data.table, data.target)

    assert estimator.stop_reason_ == "optimal"
    assert estimator.optimal_
    assert estimator.gap_ == 0
    assert estimator.get_n_leaves() == 19
    assert round(estimator.lower_bound_, 5) == 0.29648  # what exact solvers prove


@pytest.mark.parametrize(("depth", "errors"), [(3, 216), (4, 137)])
def test_the_fewest_errors_within_a_depth_are_those_that_a_solver_proves(depth, errors):
    data = tic_tac_toe()

    estimator = EvolvedTreeClassifier(payoff="fewest_errors", max_depth=depth, random_state=1)
    estimator.fit(data.table, data.target)

    assert estimator.optimal_
    assert np.count_nonzero(estimator.predict(data.table) != np.asarray(data.target)) == errors
    assert estimator.get_depth() <= depth


def test_the_hall_has_other_sizes_too():
    data = monks(2)

    estimator = EvolvedTreeClassifier(random_state=0).fit(data.table, data.target)

    assert len(estimator.hall_) > 5


def test_where_cuts_are_left_out_nothing_is_claimed():
    X, y = numbers(n_columns=2)
    limits = {"payoff": "fewest_errors", "max_depth": 1, "max_leaf_nodes": 2, "random_state": 0}
    within_cuts = Breeding(operators={"grow_best": 1.0, "replace_best": 1.0})  # no other cut joins

    estimator = EvolvedTreeClassifier(**limits, encoding=Encoding(max_cuts=2), breeding=within_cuts).fit(X, y)

    all_cuts = EvolvedTreeClassifier(**limits).fit(X, y)
    assert all_cuts.optimal_
    assert estimator.score(X, y) < all_cuts.score(X, y)
    assert not estimator.optimal_
    assert estimator.lower_bound_ == all_cuts.lower_bound_


def test_weights_are_so_many_rows():
    X, y = numbers(n_rows=40, n_columns=2)
    X = np.round(X, 0)
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    cost = Payoff("leaf_cost", cost=0.02)

    weighted = EvolvedTreeClassifier(payoff=cost, random_state=0).fit(X, y, sample_weight=weights)
    repeated = EvolvedTreeClassifier(payoff=cost, random_state=0).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )

    assert weighted.optimal_
    assert repeated.optimal_
    assert weighted.lower_bound_ == repeated.lower_bound_
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_it_can_be_left_out():
    data = monks(2)

    estimator = EvolvedTreeClassifier(search=ALONE, generations=5, random_state=0).fit(data.table, data.target)

    assert not estimator.optimal_


@pytest.mark.usefixtures("working_time")
def test_a_time_limit_holds_while_the_search_has_a_prospect():
    data = tic_tac_toe()
    estimator = EvolvedTreeClassifier(
        payoff=Payoff("leaf_cost", cost=0.001), n_iter_no_change=None, generations=10**6, time_limit=0.5, random_state=0
    )

    took = fewest_seconds(0.8, lambda: estimator.fit(data.table, data.target))

    assert estimator.stop_reason_ == "time_limit"
    assert took < 0.8
