"""Whole runs, watched: the rows of every child are known before it is bred."""

import numpy as np
import pytest

from heirwood.core.settle import ROWS
from heirwood.data.generated import balance_scale, monks, multiplexer
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.settings import Breeding, Succession
from lab.paper import law_watch
from lab.paper.figure5_runs import start
from lab.paper.law_watch import WatchedBackend
from tests.tables import OUR_OPERATORS, make_problem

TABLES = {"balance-scale": balance_scale, "monks": lambda: monks(1), "multiplexer": lambda: multiplexer(2)}
MODELS = {
    "the paper's": lambda: EvolvedTreeClassifier.gatree(population_size=40, random_state=3),
    "the paper's, rarely": lambda: EvolvedTreeClassifier.gatree(0.01, population_size=40, random_state=4),
    "ours": lambda: EvolvedTreeClassifier.blind(population_size=40, random_state=5),
    "ours, at its limits": lambda: EvolvedTreeClassifier.blind(
        population_size=40, max_leaf_nodes=5, max_depth=3, random_state=6
    ),
    "rows per leaf": lambda: EvolvedTreeClassifier.blind(population_size=40, min_samples_leaf=20, random_state=7),
    "steady, some copies": lambda: EvolvedTreeClassifier.blind(
        population_size=40, max_leaf_nodes=6, random_state=8,
        succession=Succession(kind="steady", share=0.25, distinct=False, islands=1),
        breeding=Breeding(crossover_rate=0.6, mutation_rate=0.9, labels="genes", operators=OUR_OPERATORS,
                          adapt=False, graft_rate=0.0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_parents_and_drawn_nodes_decide_the_rows_of_every_generation(table, model):
    evolution = start(table(), model(), 30, WatchedBackend)
    backend, n = evolution.backend, evolution.plan.succession.n_children
    counted, ledger = [], []

    for _ in range(30):
        before = evolution.ledger[ROWS]
        evolution.step()
        counted.append(int(backend._counted[:n].sum()))
        ledger.append(int(evolution.ledger[ROWS] - before))

    assert counted == ledger
    assert backend.compared.miscounted == 0
    assert backend.compared.rows == sum(ledger)
    assert backend.compared.children == 30 * n


def test_a_watched_run_is_the_same_run():
    model = MODELS["the paper's"]()
    watched = start(balance_scale(), model, 20, WatchedBackend)
    plain = start(balance_scale(), model, 20)

    for _ in range(20):
        watched.step()
        plain.step()

    np.testing.assert_array_equal(watched.ledger, plain.ledger)
    np.testing.assert_array_equal(watched.payoffs, plain.payoffs)


def test_a_wrong_count_is_noticed(monkeypatch):
    def off_by_one(arena, mothers, fathers, keys, rules, path, rows):
        honest(arena, mothers, fathers, keys, rules, path, rows)
        rows[0] += 1

    honest = law_watch.count
    monkeypatch.setattr(law_watch, "count", off_by_one)
    evolution = start(balance_scale(), MODELS["ours"](), 5, WatchedBackend)

    for _ in range(5):
        evolution.step()

    assert evolution.backend.compared.miscounted == 5


def test_standard_errors_are_those_of_runs():
    def z(seed):
        evolution = start(
            table, EvolvedTreeClassifier.gatree(population_size=12, random_state=seed), 10, WatchedBackend
        )
        for _ in range(10):
            evolution.step()
        seen = evolution.backend.compared
        return (seen.saved - seen.law) / seen.error

    table = monks(1)
    zs = np.array([z(seed) for seed in range(400)])

    assert abs(zs.mean()) < 3 / np.sqrt(len(zs))
    assert zs.std() == pytest.approx(1, abs=3 / np.sqrt(2 * len(zs)))


def test_ways_to_breed_that_the_law_does_not_know_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"at most one mutation per child; breeding\.mutations=2"):
        WatchedBackend(make_problem(n_mutations=2))
    monkeypatch.setattr(law_watch, "KNOWN_OPERATORS", ("node_change", "node_prune", "leaf_change"))
    with pytest.raises(ValueError, match="does not know the operator 'leaf_grow'"):
        WatchedBackend(make_problem(operators=OUR_OPERATORS))


def test_children_that_are_not_drawn_apart_are_refused():
    backend = WatchedBackend(make_problem())
    trees = backend.start(np.array([1, 2], np.uint64))

    with pytest.raises(ValueError, match="two children share a key"):
        backend.breed(trees, trees[::-1], np.array([5, 5], np.uint64))
