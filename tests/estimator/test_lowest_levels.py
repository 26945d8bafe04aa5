"""The lowest levels of good trees are searched over all tests, as users meet it."""

import numpy as np
import pytest
from sklearn.datasets import load_wine, make_classification

from heirwood import EvolvedTreeClassifier, Payoff, Search
from heirwood import time_limit as clock
from heirwood.backends import depth2_search as pairs
from heirwood.evolve import exactly
from tests.estimator.some_data import numbers, same_trees

DEEP = {"payoff": "fewest_errors", "max_depth": 3, "max_leaf_nodes": 8, "random_state": 0}


@pytest.fixture
def pairings(monkeypatch):
    """Note everyone who improves the lowest levels."""
    made = []
    make = exactly.Pairing
    monkeypatch.setattr(exactly, "Pairing", lambda *given: made.append(make(*given)) or made[-1])
    return made


def test_within_a_depth_a_table_of_numbers_is_learnt_without_an_error():
    X, y = load_wine(return_X_y=True)

    fitted = EvolvedTreeClassifier(**DEEP).fit(X, y)

    assert fitted.get_depth() == 3
    assert fitted.score(X, y) == 1.0


@pytest.mark.compiled
def test_it_makes_better_trees():
    X, y = make_classification(600, 8, n_informative=5, flip_y=0.1, random_state=1)
    rest = {"payoff": Payoff("leaf_cost", cost=0.001), "generations": 40, "n_iter_no_change": None, "random_state": 0}

    fitted = EvolvedTreeClassifier(**rest).fit(X, y)
    alone = EvolvedTreeClassifier(**rest, search=Search(optimum=False)).fit(X, y)

    assert fitted.hall_[fitted.hall_.chosen].payoff > alone.hall_[alone.hall_.chosen].payoff


@pytest.mark.parametrize("parameters", [DEEP, {"payoff": Payoff("leaf_cost", cost=0.005), "random_state": 1}])
def test_threads_and_inheritance_change_nothing(parameters):
    X, y = numbers(n_rows=200, n_columns=6)
    y[::11] = 0
    rest = {"generations": 20, "population_size": 40, **parameters}

    plain, other = (
        EvolvedTreeClassifier(**rest).set_params(engine__inherit=inherit, n_jobs=n).fit(X, y)
        for inherit, n in ((True, 1), (False, 2))
    )

    assert same_trees(plain, other)


@pytest.mark.parametrize(
    ("parameters", "is_made"),
    [
        ({}, True),
        ({"search": Search(optimum=False)}, False),
        ({"min_samples_leaf": 2}, False),
        ({"cost_matrix": [[0, 1, 2], [1, 0, 2], [1, 2, 0]]}, False),
        ({"payoff": "gatree"}, False),
        ({"size_selection": "cv"}, False),
    ],
)
def test_only_where_it_can_be_done_and_is_asked_for(parameters, is_made, pairings):
    EvolvedTreeClassifier(generations=2, population_size=20, **parameters).fit(*numbers())

    assert bool(pairings) == is_made


@pytest.mark.parametrize("table", [np.zeros((9, 2)), np.full((9, 1), np.nan), np.arange(9.0)[:, None]])
def test_a_table_with_nothing_or_little_to_ask(table):
    y = [0, 1, 1] * 3

    assert EvolvedTreeClassifier(**DEEP).fit(table, y).score(table, y) >= 6 / 9


def test_33_classes_are_too_many_for_pairs_and_fine_for_the_rest(pairings):
    X, y = numbers(n_rows=400, n_classes=33)

    assert EvolvedTreeClassifier(**DEEP, generations=3).fit(X, y).get_depth() == 3
    assert pairings == []


def test_what_is_compiled_late_does_not_count(hands, monkeypatch):
    monkeypatch.setattr(clock, "seconds_compiling", lambda: hands[0])  # as if it compiled all the time

    fitted = EvolvedTreeClassifier(generations=5, time_limit=1e-3, n_iter_no_change=None).fit(*numbers())

    assert fitted.n_generations_ == 5


def test_the_kernel_is_run_once_when_a_table_first_needs_it(monkeypatch):
    calls = []
    monkeypatch.setattr(pairs._Compilation, "seconds", 0.0)

    pairs._Compilation.ensure(lambda: calls.append(1))
    pairs._Compilation.ensure(lambda: calls.append(2))

    assert calls == [1]
    assert pairs.seconds_compiling() > 0
