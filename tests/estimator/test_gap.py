"""The gap: what `leaf_cost` says of the best tree there could be."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from heirwood import EvolvedTreeClassifier, Monitoring, Payoff, Search, fitting
from heirwood import run_bound as bounding
from tests.estimator.some_data import numbers, quick

pytestmark = pytest.mark.whole_bound

X, Y = numbers(n_rows=40)
COST = Payoff("leaf_cost", cost=0.02)


@pytest.fixture
def efforts(monkeypatch):
    """Note the effort of every bound that is looked for, and make none."""
    made = []
    find = bounding.find_ceiling
    monkeypatch.setattr(
        bounding,
        "find_ceiling",
        lambda *given, effort, **named: made.append(effort) or find(*given, effort=0, **named),
    )
    return made


def objective(estimator):
    return 1 - estimator.hall_[estimator.hall_.chosen].payoff


def test_no_tree_of_the_hall_is_below_the_bound():
    estimator = quick(payoff=COST).fit(X, Y)

    assert all(1 - entry.payoff >= estimator.lower_bound_ for entry in estimator.hall_)
    assert estimator.gap_ == objective(estimator) - estimator.lower_bound_


def test_two_classes_that_one_question_tells_apart_are_proven_optimal():
    x = np.arange(20)[:, None]

    estimator = quick(generations=30, payoff=COST).fit(x, x[:, 0] > 8)

    assert estimator.get_n_leaves() == 2
    assert estimator.gap_ == 0
    assert estimator.optimal_


def test_the_gap_is_that_of_the_tree_in_use():
    estimator = quick(payoff=COST).fit(X, Y)
    best = estimator.gap_

    estimator.select(estimator.hall_[0].leaves)

    assert estimator.gap_ == objective(estimator) - estimator.lower_bound_
    assert estimator.gap_ >= best


def test_a_cost_that_moves_ends_where_the_run_does():
    moving = quick(payoff=Payoff("leaf_cost", cost=(0.5, 1 / 64))).fit(X, Y)

    assert moving.lower_bound_ == quick(payoff=Payoff("leaf_cost", cost=1 / 64)).fit(X, Y).lower_bound_


def test_weights_count():
    weights = np.where(Y[0] == Y, 3.0, 1.0)
    doubled = quick(payoff=COST).fit(np.repeat(X, weights.astype(int), axis=0), np.repeat(Y, weights.astype(int)))

    assert quick(payoff=COST).fit(X, Y, weights).lower_bound_ == doubled.lower_bound_


def test_a_run_ends_when_no_better_tree_can_be():
    x = np.arange(20)[:, None]

    estimator = quick(generations=500, payoff=COST).fit(x, x[:, 0] > 8)

    assert estimator.stop_reason_ == "optimal"
    assert estimator.optimal_
    assert estimator.n_generations_ < 500


def test_a_run_whose_cost_moves_does_not_end_early():
    x = np.arange(20)[:, None]

    estimator = quick(generations=9, payoff=Payoff("leaf_cost", cost=(0.01, 0.02))).fit(x, x[:, 0] > 8)

    assert (estimator.stop_reason_, estimator.n_generations_) == ("generations", 9)
    assert estimator.optimal_


def test_the_end_for_lack_of_better_trees_waits_until_the_cost_has_come_to_its_end():
    moving = {"payoff": Payoff("leaf_cost", cost=(0.5, 1 / 64)), "n_iter_no_change": 3, "warm_start": True}

    estimator = quick(generations=40, **moving).fit(X, Y)

    assert (estimator.stop_reason_, estimator.n_generations_) == ("generations", 40)
    assert estimator.leaf_cost_ == 1 / 64
    later = estimator.fit(X, Y)  # the cost moves no more
    assert later.stop_reason_ in ("no_change", "optimal")
    assert later.n_generations_ < 80
    still = Payoff("leaf_cost", cost=(0.5, 0.5))  # nor does this one
    assert quick(generations=40, n_iter_no_change=3, payoff=still).fit(X, Y).n_generations_ < 40


def test_fewest_errors_within_the_limits_have_a_bound_too():
    estimator = quick(payoff="fewest_errors", max_leaf_nodes=3, generations=5).fit(X, Y)
    wrong = 1 - estimator.hall_[estimator.hall_.chosen].accuracy

    assert 0 < estimator.lower_bound_ <= wrong  # 40 rows, three leaves
    assert estimator.gap_ == wrong - estimator.lower_bound_
    assert quick(payoff="fewest_errors", max_depth=1, generations=0).fit(X, Y).lower_bound_ > estimator.lower_bound_


def test_listeners_are_told_the_bound_before_the_run():
    told = []

    estimator = quick(payoff=COST, monitoring=Monitoring(listeners=[told.append])).fit(X, Y)

    assert told[0]["event"] == "start"
    bounds = [event["lower_bound"] for event in told if "lower_bound" in event]
    assert bounds[0] == told[0]["lower_bound"]
    assert bounds[-1] == estimator.lower_bound_
    assert (np.diff(bounds) > 0).all()
    moving = Payoff("leaf_cost", cost=(0.5, 0.02))
    for payoff in (moving, "gatree"):
        told.clear()
        quick(payoff=payoff, monitoring=Monitoring(listeners=[told.append])).fit(X, Y)
        assert "lower_bound" not in told[0]


@pytest.mark.parametrize(("generations", "told_at"), [(bounding.LATER + 10, bounding.LATER), (7, 7)])
def test_a_better_bound_is_told_once_the_run_is_under_way(generations, told_at):
    told = []
    settings = {"n_iter_no_change": None, "search": Search(optimum=False), "generations": generations}

    estimator = quick(payoff=COST, monitoring=Monitoring(listeners=[told.append]), **settings).fit(X, Y)

    better = [event for event in told if event["event"] == "bound"]
    assert [event["generation"] for event in better] == [told_at]
    assert told[0]["lower_bound"] < better[0]["lower_bound"] == estimator.lower_bound_


def test_a_proof_is_told_as_a_bound():
    told = []

    estimator = quick(payoff=COST, monitoring=Monitoring(listeners=[told.append]), generations=60).fit(X, Y)

    assert estimator.optimal_
    bounds = [event["lower_bound"] for event in told if event["event"] == "bound"]
    assert bounds.count(estimator.lower_bound_) == 1  # nothing is left to tell at the end
    assert bounds == sorted(bounds)


def test_the_time_of_the_bound_is_part_of_the_time_limit(hands, monkeypatch):
    """A bound that takes longer than the limit leaves time for no generation."""
    find = bounding.find_ceiling

    def slow(*given, **limits):
        hands[0] += 0.3
        return find(*given, **limits)

    monkeypatch.setattr(bounding, "find_ceiling", slow)

    with pytest.warns(UserWarning, match="before a generation was bred"):
        estimator = quick(payoff=COST, time_limit=0.1, generations=50).fit(X, Y)

    assert (estimator.stop_reason_, estimator.n_generations_) == ("time_limit", 0)


def test_where_no_time_is_left_classes_alone_bound_it(hands, monkeypatch):
    read_rows = fitting.read_rows

    def slow(*given):
        hands[0] += 0.3
        return read_rows(*given)

    monkeypatch.setattr(fitting, "read_rows", slow)

    with pytest.warns(UserWarning, match="before a generation was bred"):
        estimator = quick(payoff=COST, time_limit=0.1).fit(X, Y)

    second, third = sorted(np.bincount(Y))[-2], sorted(np.bincount(Y))[-3]
    by_leaves = [(second + third) / 40 + 0.02, third / 40 + 0.04, 0.06]  # a label each
    assert estimator.lower_bound_ == pytest.approx(min(by_leaves), abs=1e-15)
    assert estimator.gap_ == objective(estimator) - estimator.lower_bound_
    assert "objective" in repr(estimator.hall_)
    assert estimator.predict(X).shape == Y.shape


@pytest.mark.parametrize("limit", [None, 600.0])
def test_a_large_table_is_looked_at_when_a_run_could_end_with_the_best_tree(limit, monkeypatch):
    monkeypatch.setattr(bounding, "AT_ONCE", X.size * 3 - 1)  # cells times classes
    told = []
    monitoring = Monitoring(listeners=[told.append])

    quick(payoff=COST, time_limit=limit, generations=30, n_iter_no_change=None, monitoring=monitoring).fit(X, Y)

    by_classes, *better = [event for event in told if "lower_bound" in event]
    assert by_classes["event"] == "start"
    assert better[0]["generation"] == bounding.SOON
    assert better[0]["lower_bound"] > by_classes["lower_bound"]


def test_a_large_table_ends_its_run_when_a_small_one_does(monkeypatch):
    x = np.arange(40)[:, None]
    given = {"payoff": COST, "search": Search(optimum=False), "generations": 60}

    usual = quick(**given).fit(x, x[:, 0] > 8)
    monkeypatch.setattr(bounding, "AT_ONCE", 0)
    large = quick(**given).fit(x, x[:, 0] > 8)

    assert usual.stop_reason_ == large.stop_reason_ == "optimal"
    assert bounding.SOON <= usual.n_generations_ == large.n_generations_ < 60
    assert usual.lower_bound_ == large.lower_bound_


def test_a_run_whose_time_is_up_looks_for_no_better_bound(hands, efforts):
    def linger(event):
        if event["event"] == "generation" and event["generation"] == 2:
            hands[0] += 1.0

    monitoring = Monitoring(listeners=[linger])
    estimator = quick(payoff=COST, time_limit=1.0, generations=2, monitoring=monitoring).fit(X, Y)

    assert estimator.stop_reason_ == "generations"
    assert efforts == [bounding.QUICK]


def test_a_run_whose_size_is_chosen_otherwise_does_not_end_at_the_best_payoff():
    x = np.arange(20)[:, None]

    estimator = quick(generations=9, payoff=COST, size_selection="cv").fit(x, x[:, 0] > 8)

    assert (estimator.stop_reason_, estimator.n_generations_) == ("generations", 9)


def test_every_size_has_its_gap_to_the_best_of_its_size():
    estimator = quick(payoff=COST).fit(X, Y)

    smallest = estimator.hall_[0]
    assert (smallest.leaves, smallest.gap) == (1, 0.0)
    assert all(entry.gap >= 0 for entry in estimator.hall_)
    assert [entry.objective for entry in estimator.hall_] == [1 - entry.payoff for entry in estimator.hall_]
    assert all(entry.gap is None and entry.objective is None for entry in quick(payoff="gatree").fit(X, Y).hall_)


def test_other_payoffs_have_no_bound():
    estimator = quick(payoff="gatree").fit(X, Y)

    assert (estimator.lower_bound_, estimator.gap_, estimator.optimal_) == (None, None, None)


def test_an_estimator_that_is_not_fitted_has_no_gap():
    with pytest.raises(NotFittedError):
        _ = EvolvedTreeClassifier().gap_


def test_a_model_file_keeps_it(tmp_path):
    estimator = quick(payoff=COST).fit(X, Y)
    estimator.save(tmp_path / "model.json")

    again = EvolvedTreeClassifier.load(tmp_path / "model.json")

    assert list(again.hall_) == list(estimator.hall_)  # with the gap of each size

    assert (again.lower_bound_, again.gap_, again.optimal_) == (
        estimator.lower_bound_,
        estimator.gap_,
        estimator.optimal_,
    )


@pytest.mark.parametrize("limit", [None, 60.0, 0.5])
@pytest.mark.usefixtures("hands")
def test_a_limit_changes_nothing_of_what_a_bound_takes(limit, efforts):
    quick(payoff=COST, time_limit=limit).fit(X, Y)

    assert efforts == [bounding.QUICK, bounding.EFFORT]
