"""Trees that a scout builds, as users meet them: a good one from the start, and none where it was not asked for."""

import pickle

import numpy as np
import pytest

from heirwood import Breeding, EvolvedTreeClassifier, Payoff, Search
from heirwood import run as runs
from heirwood.evolve import scout
from heirwood.settings import Encoding
from tests.busy import tries
from tests.estimator.some_data import numbers, same_trees

ALONE = Search(optimum=False, lookahead=False)


@pytest.fixture
def scouts(monkeypatch):
    """Note every scout that is sent."""
    sent = []
    make = runs.make_scout
    monkeypatch.setattr(runs, "make_scout", lambda *given: sent.append(make(*given)) or sent[-1])
    return sent


def many_leaves(seed=0, n_rows=400):
    """Return a table that takes a large tree: sixteen squares of a board, each of a class of its own."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.random((n_rows, 3)), 3)
    return X, (X[:, 0] * 4).astype(int) * 4 + (X[:, 1] * 4).astype(int)


def test_a_large_tree_is_there_from_the_start():
    X, y = many_leaves()
    rest = {"payoff": Payoff("leaf_cost", cost=0.002), "generations": 0, "random_state": 0}

    first = EvolvedTreeClassifier(**rest).fit(X, y)
    alone = EvolvedTreeClassifier(**rest, search=ALONE).fit(X, y)

    assert first.score(X, y) > 0.95
    assert alone.score(X, y) < 0.5


@pytest.mark.parametrize(
    "estimator",
    [
        EvolvedTreeClassifier.gatree(generations=2, population_size=20),
        EvolvedTreeClassifier.blind(generations=2, population_size=20),
        EvolvedTreeClassifier(generations=2, search=ALONE),
        EvolvedTreeClassifier(generations=2, breeding=Breeding(operators={"node_change": 1.0}, graft_rate=0.0)),
        EvolvedTreeClassifier(generations=2, breeding=Breeding(labels="genes")),
    ],
)
def test_nobody_scouts_where_it_was_not_asked_for(estimator, scouts):
    estimator.fit(*numbers())

    assert scouts == []


@pytest.mark.parametrize("cut", [7, 30])
def test_a_run_that_is_taken_up_again_has_the_same_scout(cut, monkeypatch):
    monkeypatch.setattr(scout, "FIRST", 2**16)  # so that trees are begun in one fit and done in another
    X, y = many_leaves(n_rows=200)
    y[::9] = 3  # no tree is perfect, so that no run ends early
    cost, no_proof = Payoff("leaf_cost", cost=0.002), Search(optimum=False)
    rest = {"population_size": 20, "random_state": 0, "n_iter_no_change": None, "payoff": cost, "search": no_proof}
    whole = EvolvedTreeClassifier(generations=40, **rest).fit(X, y)

    parts = EvolvedTreeClassifier(generations=cut, warm_start=True, **rest).fit(X, y)
    parts = pickle.loads(pickle.dumps(parts)).set_params(generations=40 - cut).fit(X, y)

    assert same_trees(parts, whole)
    assert parts.history_["best_payoff"].tolist() == whole.history_["best_payoff"].tolist()
    assert parts._state.scout == whole._state.scout
    assert whole._state.scout.width > 1


@pytest.mark.parametrize("parameters", [
    {"payoff": "gatree"},
    {"payoff": lambda trees: trees.hits / trees.total - 0.001 * trees.leaves**2},
    {"payoff": "fewest_errors", "max_depth": 2, "max_leaf_nodes": 4},
    {"payoff": "fewest_errors", "max_leaf_nodes": 4},
    {"class_weight": "balanced", "min_samples_leaf": 5},
    {"cost_matrix": [[0, 1, 9], [2, 0, 1], [1, 1, 0]]},
    {"encoding": Encoding(max_cuts=3)},
])  # fmt: skip
def test_whatever_is_asked_for_two_threads_have_the_same_run(parameters):
    X, y = numbers()
    X[::7, 0] = np.nan
    rest = {"generations": 12, "population_size": 40, "random_state": 0, "max_leaf_nodes": 12, **parameters}

    one, two = (EvolvedTreeClassifier(n_jobs=n, **rest).fit(X, y) for n in (1, 2))

    assert same_trees(one, two)
    assert one.get_n_leaves() <= rest["max_leaf_nodes"]
    assert one.get_depth() <= rest.get("max_depth", 99)


@pytest.mark.usefixtures("working_time")
def test_a_short_time_limit_leaves_time_to_breed():
    X, y = numbers(n_rows=20_000, n_columns=12)

    for _ in tries():
        estimator = EvolvedTreeClassifier(time_limit=0.5, generations=10**6, n_iter_no_change=None, random_state=0).fit(
            X, y
        )
        if estimator.n_generations_ >= 1:
            break

    assert estimator.n_generations_ >= 1
