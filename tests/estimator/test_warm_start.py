"""warm_start goes on evolving: two halves are the same run as the whole."""

import pickle

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, Monitoring, Payoff, Succession
from heirwood.evolve.loop import Evolution
from heirwood.journal import read
from tests.estimator.some_data import numbers, quick, same_trees

X, Y = numbers(n_rows=70)
SCHEMES = {
    "default": {},
    "leaf cost": {"payoff": "leaf_cost"},
    "paper": EvolvedTreeClassifier.gatree().get_params(deep=False) | {"max_leaf_nodes": 20},
    "worst leave outright": {"succession__kind": "steady", "succession__leave": "before"},
    "tight": {"max_leaf_nodes": 5, "max_depth": 3, "min_samples_leaf": 6},
    "slow": {"engine__backend": "slow", "encoding__max_cuts": 9},  # it tries every pair of tests
}


def scheme(name, **parameters):
    return quick().set_params(**SCHEMES[name]).set_params(population_size=24, random_state=0, **parameters)


def same_history(one, other):
    return {name: values.tolist() for name, values in one.history_.items()} == {
        name: values.tolist() for name, values in other.history_.items()
    }


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.oracle if name == "slow" else ()) for name in SCHEMES]
)
def test_two_halves_are_the_whole(name):
    some = (X[:40], Y[:40]) if name == "slow" else (X, Y)
    whole = scheme(name, generations=20).fit(*some)

    halves = scheme(name, generations=10, warm_start=True).fit(*some).fit(*some)

    assert same_trees(halves, whole)
    assert same_history(halves, whole)
    assert halves.savings_ == whole.savings_
    assert halves.n_generations_ == 20
    assert halves.seed_ == whole.seed_


@pytest.mark.parametrize("cut", [4, 13])
def test_what_was_learnt_and_who_explores_come_along(monkeypatch, cut):
    renewed = []
    renew = Evolution._renew

    def note(evolution, island):
        renewed.append(evolution.generation)
        renew(evolution, island)

    monkeypatch.setattr(Evolution, "_renew", note)
    scheme = {"succession": Succession(islands=3, renewal=3), "payoff": "gatree"}
    whole = quick(generations=25, **scheme).fit(X, Y)
    at_once = renewed.copy()
    renewed.clear()

    parts = quick(generations=cut, warm_start=True, **scheme).fit(X, Y)
    parts = pickle.loads(pickle.dumps(parts)).set_params(generations=25 - cut).fit(X, Y)

    assert same_trees(parts, whole)
    assert same_history(parts, whole)
    assert renewed == at_once
    assert any(generation <= cut for generation in at_once) or cut == 4
    assert any(generation > cut for generation in at_once)
    assert parts._state.learning.factors.tolist() == whole._state.learning.factors.tolist()
    assert set(whole._state.learning.factors.tolist()) != {1.0}
    assert parts._state.explorers.since.tolist() == whole._state.explorers.since.tolist()


def test_weights_come_along():
    weights = np.random.default_rng(0).integers(1, 5, len(Y))
    whole = quick(generations=20).fit(X, Y, sample_weight=weights)

    halves = quick(generations=10, warm_start=True).fit(X, Y, weights).fit(X, Y, weights)

    assert same_trees(halves, whole)


def test_halves_without_a_seed_go_on_with_the_one_that_was_drawn():
    halves = quick(random_state=None, generations=10, warm_start=True).fit(X, Y).fit(X, Y)

    whole = quick(random_state=halves.seed_, generations=20).fit(X, Y)

    assert same_trees(halves, whole)


def test_without_warm_start_a_fit_begins_anew():
    estimator = quick().fit(X, Y)
    first = estimator.tree_

    estimator.fit(X, Y)

    assert estimator.tree_ == first
    assert estimator.n_generations_ == 12
    assert len(estimator.history_["generation"]) == 13


def test_a_fit_can_be_continued_that_did_not_know_it_would_be():
    estimator = quick(generations=10).fit(X, Y)

    estimator.set_params(warm_start=True).fit(X, Y)

    assert same_trees(estimator, quick(generations=20).fit(X, Y))


def test_a_run_that_was_stopped_goes_on_where_it_stopped():
    stop_at_four = Monitoring(listeners=[lambda event: event.get("generation") == 4])
    estimator = quick(generations=30, monitoring=stop_at_four, warm_start=True).fit(X, Y)

    estimator.set_params(monitoring=None, generations=16).fit(X, Y)

    assert same_trees(estimator, quick(generations=20).fit(X, Y))


# ---- the schedule of x ----


def xs(estimator_parameters, fits):
    """Return the x that the payoff saw at each generation of several fits."""
    seen = []

    def payoff(trees, *, x):
        seen.append(x)
        return trees.hits / trees.total

    estimator = quick(**estimator_parameters, warm_start=True)
    for generations, given in fits:
        if given is not None:
            estimator.set_params(leaf_cost="auto", payoff=Payoff(payoff, x=given))
        estimator.set_params(generations=generations).fit(X, Y)
    return [x for i, x in enumerate(seen) if i == 0 or x != seen[i - 1]]


def test_the_end_of_the_schedule_is_fixed_at_the_first_fit():
    seen = xs({}, [(4, (0.0, 4.0)), (4, None)])

    assert seen == [0.0, 1.0, 2.0, 3.0, 4.0]  # and it stays there


def test_a_schedule_given_anew_starts_where_the_run_stands():
    seen = xs({}, [(4, (0.0, 4.0)), (2, (10.0, 12.0))])

    assert seen == [0.0, 1.0, 2.0, 3.0, 4.0, 10.0, 11.0, 12.0]


def test_stopped_early_the_schedule_goes_on_to_the_end_it_had():
    seen = []

    def payoff(trees, *, x):
        seen.append(x)
        return trees.hits / trees.total

    stop = Monitoring(listeners=[lambda event: event.get("generation") == 2])
    estimator = quick(generations=4, payoff=Payoff(payoff, x=(0.0, 4.0)), warm_start=True, monitoring=stop).fit(X, Y)

    estimator.set_params(monitoring=None, generations=2).fit(X, Y)

    assert max(seen) == 4.0
    assert sorted(set(seen)) == [0.0, 1.0, 2.0, 3.0, 4.0]


# ---- what no longer fits ----


@pytest.mark.parametrize(
    ("changes", "table"),
    [
        ({}, (X + 1.0, Y)),
        ({}, (X[:, :2], Y)),
        ({}, (X, np.where(Y == 2, 7, Y))),
        ({}, (X, np.minimum(Y, 1))),
        ({"population_size": 30}, (X, Y)),
        ({"max_leaf_nodes": 2}, (X, Y)),
        ({"max_depth": 1}, (X, Y)),
        ({"min_samples_leaf": 59}, (X, Y)),
        ({"encoding__max_cuts": 7}, (X, Y)),
    ],
)
def test_trees_that_no_longer_fit_are_refused_and_the_former_fit_stays(changes, table):
    estimator = quick(generations=30, warm_start=True).fit(X, Y)
    before = estimator.tree_

    with pytest.raises(ValueError, match=r"warm_start goes on with the trees of the last fit, .* set warm_start=False"):
        estimator.set_params(**changes).fit(*table)

    assert estimator.tree_ == before
    assert estimator.predict(X).shape == Y.shape


def test_a_refused_table_is_welcome_without_warm_start():
    estimator = quick(warm_start=True).fit(X, Y)

    estimator.set_params(warm_start=False).fit(X[:, :2], Y)

    assert estimator.n_features_in_ == 2


# ---- the journal ----


def test_the_journal_is_continued(tmp_path):
    halves = quick(generations=10, warm_start=True).set_params(monitoring__journal=tmp_path / "halves.jsonl")
    halves.fit(X, Y).fit(X, Y)
    quick(generations=20).set_params(monitoring__journal=tmp_path / "whole.jsonl").fit(X, Y)

    continued, whole = (
        [event for event in read(tmp_path / f"{name}.jsonl")[0] if event["event"] == "generation"]
        for name in ("halves", "whole")
    )

    def without_tree(event):
        return {name: value for name, value in event.items() if name != "tree"}

    assert [event["generation"] for event in continued] == list(range(21))
    assert list(map(without_tree, continued)) == list(map(without_tree, whole))
    assert "tree" in continued[11]  # whoever starts to listen here learns what the best tree is


def test_without_warm_start_the_journal_begins_anew(tmp_path):
    estimator = quick().set_params(monitoring__journal=tmp_path / "run.jsonl").fit(X, Y)
    first = (tmp_path / "run.jsonl").read_text().count("\n")

    estimator.fit(X, Y)

    assert (tmp_path / "run.jsonl").read_text().count("\n") == first


def test_a_loaded_model_warns_that_it_starts_anew(tmp_path):
    X, y = np.arange(20.0)[:, None], np.arange(20) // 7
    fitted = EvolvedTreeClassifier(
        population_size=20, generations=3, payoff="gatree", warm_start=True, random_state=0
    ).fit(X, y)
    fitted.save(tmp_path / "model.json")
    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

    with pytest.warns(UserWarning, match="holds no population to go on with"):
        loaded.fit(X, y)

    assert loaded.n_generations_ == 3
