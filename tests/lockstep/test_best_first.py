"""Trees grown best-first: the oracle's, CART's, within all limits, of every size from the first generation on."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from heirwood import EvolvedTreeClassifier, Monitoring
from heirwood.backends import BACKENDS
from heirwood.backends.cpu import spans_and_heights
from heirwood.core.node_context import ENTROPY, GINI
from heirwood.data.test_bank import FREE
from heirwood.evolve import best_first
from heirwood.evolve.best_first import Grower, grow_by_a_leaf, grow_from_scratch, impurity
from heirwood.stopped_error import StoppedError
from tests.lockstep.test_lookahead import COARSE, COARSE_TABLES, TABLES, lookaheads
from tests.tables import make_problem


def never():
    return False


def grower(lookahead, problem, must_end=never, hold=None):
    return Grower(lookahead, problem.rules, problem.bank.bits.shape[1], must_end, hold)


def grown(lookahead, problem):
    return [tree.tolist() for tree in grow_from_scratch(grower(lookahead, problem))]


@pytest.mark.parametrize("table", TABLES)
def test_trees_are_those_of_the_oracle_and_hold_the_limits(table):
    problem = make_problem(5, **table)
    fast, slow = lookaheads(problem)

    trees = grown(fast, problem)

    assert trees == grown(slow, problem)
    leaves = [(len(genes) + 1) // 2 for genes in trees]
    assert max(leaves) <= problem.rules.max_leaf_nodes
    assert leaves[: leaves.index(max(leaves)) + 1] == list(range(2, max(leaves) + 1))
    for genes in trees:
        assert spans_and_heights(np.array(genes, np.int32))[1][0] <= problem.rules.max_depth
    fitted = [fast.arrive(way)[0] for way in _leaf_ways(trees[-1])]
    assert min(fitted) >= problem.rules.min_rows


@pytest.mark.parametrize("table", [*COARSE_TABLES, {**COARSE, "room": 2}, {**COARSE, "room": 0}])
def test_trees_of_exact_cuts_are_those_of_the_oracle(table):
    found, asked = [], []
    for name in ("cpu", "slow"):
        problem = make_problem(5, **table)  # a bank with places belongs to one run
        backend = BACKENDS[name](problem)
        trees = list(grow_from_scratch(grower(backend.lookahead(), problem, hold=backend.hold)))
        found.append([tree.tolist() for tree in trees])
        asked.append([str(problem.bank.question(int(gene))) for gene in trees[-1] if gene >= 0])
        hits = backend.record(backend.adopt([*trees])).hits.tolist()
        found.append(hits)

    assert found[:2] == found[2:]
    assert asked[0] == asked[1]
    exact = {gene for tree in found[0] for gene in tree if gene >= problem.rules.first[-1]}
    assert min(table["room"], 2) <= len(exact) <= table["room"]


def test_cuts_stay_while_trees_grow_and_leave_when_nobody_asks_them():
    problem = make_problem(5, **COARSE)
    backend = BACKENDS["cpu"](problem)
    few = backend.adopt([np.array([-1], np.int32)])
    hold = backend.hold
    (*_, last) = grower(backend.lookahead(), problem, hold=hold).grow(int(GINI))

    backend.keep(few)
    held = (problem.bank.kinds[problem.bank.n_tests :] != FREE).sum()
    backend.release()
    backend.keep(few)

    assert held == len({gene for gene in last.tolist() if gene >= problem.bank.n_tests}) > 2
    assert (problem.bank.kinds[problem.bank.n_tests :] == FREE).all()


def _leaf_ways(genes, way=()):
    """Return the ways to the leaves of a tree."""
    left = list(genes)

    def walk(way):
        test = left.pop(0)
        return [way] if test < 0 else [*walk((*way, (test, True))), *walk((*way, (test, False)))]

    return walk(way)


def test_every_size_is_that_below_it_with_a_leaf_more():
    problem = make_problem(5, **TABLES[0])
    found = []
    for lookahead in lookaheads(problem):
        hall = {(len(genes) + 1) // 2: np.array(genes) for genes in grown(lookahead, problem)[:4]}

        trees = []
        for genes in grow_by_a_leaf(grower(lookahead, problem), hall.get, problem.rules.max_leaf_nodes):
            hall.setdefault((len(genes) + 1) // 2, genes)
            trees.append(genes.tolist())
        found.append(trees)

    assert found[0] == found[1]
    sizes = {(len(genes) + 1) // 2 for genes in found[0]}
    assert sizes == set(range(3, max(sizes) + 1))
    assert max(sizes) > 9


def test_a_split_that_was_found_is_not_looked_for_again(monkeypatch):
    problem = make_problem(5, **TABLES[0])
    fast, _ = lookaheads(problem)
    looked = []
    monkeypatch.setattr(
        Grower, "_look", lambda self, way, by, look=Grower._look: looked.append(way) or look(self, way, by)
    )

    trees = list(grower(fast, problem).grow(int(GINI)))

    assert len(looked) == len(set(looked)) == 2 * len(trees) + 1


def test_who_waits_no_longer_gets_no_tree():
    problem = make_problem(5, **TABLES[0])
    answers = iter([False] * 5 + [True] * 9)

    with pytest.raises(StoppedError):
        list(grower(lookaheads(problem)[0], problem, lambda: next(answers)).grow(int(GINI)))


def test_a_large_table_has_smaller_trees(monkeypatch):
    problem = make_problem(5, **TABLES[0])
    fast, _ = lookaheads(problem)
    whole = grown(fast, problem)

    monkeypatch.setattr(best_first, "MOST_ANSWERS", 600)

    some = grown(fast, problem)
    assert 0 < len(some) < len(whole)
    assert some[0] == whole[0]


@pytest.mark.parametrize("weights", [[], [0, 0], [5, 0], [3, 3], [1, 2, 3], [2**20, 2**19]])
def test_impurity_is_that_of_textbooks(weights):
    total = max(sum(weights), 1)
    shares = np.array([weight / total for weight in weights if weight])

    assert impurity(weights, int(GINI)) == pytest.approx(
        total * (shares.sum() - (shares**2).sum()), rel=1e-12, abs=1e-9
    )
    assert impurity(weights, int(ENTROPY)) / 2**16 == pytest.approx(
        -total * (shares * np.log2(shares)).sum(), rel=1e-9, abs=1e-3
    )


# ---- against CART ----


@pytest.mark.compiled
@pytest.mark.parametrize("criterion", [GINI, ENTROPY])
@pytest.mark.parametrize("n_rows", [200, 1000])  # with all their cuts, and with 255 of 999
def test_where_nothing_is_level_they_are_carts(criterion, n_rows):
    from heirwood.run import Order, Run
    from tests.estimator.some_data import quick

    rng = np.random.default_rng(2)
    X = rng.normal(size=(n_rows, 4))
    y = ((X[:, 0] + X[:, 1] + rng.normal(size=n_rows)) > 0).astype(int)
    from heirwood.data import read_rows

    run = Run(Order.of(quick(max_leaf_nodes=12)), read_rows(X, y, None, None, quick()), 0)
    backend = run.evolution.backend
    name = "gini" if criterion == GINI else "entropy"

    trees = list(grower(backend.lookahead(), backend.problem, hold=backend.hold).grow(int(criterion)))

    record = backend.record(backend.adopt(trees))
    expected = [
        int((DecisionTreeClassifier(criterion=name, max_leaf_nodes=k, random_state=0).fit(X, y).predict(X) == y).sum())
        for k in range(2, 13)
    ]
    assert record.hits.tolist() == expected


@pytest.mark.compiled
@pytest.mark.parametrize("decimals", [1, 9])  # with all their cuts, and with 255 of 599
def test_a_hall_answers_at_every_size_at_least_as_well_as_cart(decimals):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(600, 3)).round(decimals), rng.integers(0, 4, (600, 3))])
    y = (X[:, 0] > 0).astype(int) + (X[:, 3] == 2)
    y = np.where(rng.random(600) < 0.2, rng.integers(0, 3, 600), y)

    hall = EvolvedTreeClassifier(random_state=0).fit(X, y).hall_

    errors = {k: min(entry.errors for entry in hall if entry.leaves <= k) for k in range(1, 33)}
    for k in range(2, 33):
        for criterion in ("gini", "entropy"):
            cart = DecisionTreeClassifier(criterion=criterion, max_leaf_nodes=k, random_state=0).fit(X, y)
            assert errors[k] <= (cart.predict(X) != y).sum()


@pytest.mark.compiled
def test_a_run_that_is_proven_optimal_still_fills_the_sizes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).round(1)
    y = (X[:, 0] > 0) ^ (rng.random(200) < 0.2)

    tree = EvolvedTreeClassifier(random_state=0, leaf_cost=0.1).fit(X, y)

    assert tree.optimal_
    assert tree.get_n_leaves() == 2
    assert max(entry.leaves for entry in tree.hall_.improving()) > 20


@pytest.mark.compiled
def test_a_run_that_goes_on_does_so_as_if_it_had_not_ended():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).round(1)
    y = (X[:, 0] > 0) ^ (rng.random(200) < 0.2)
    settings = {"random_state": 0, "population_size": 20, "n_iter_no_change": None, "leaf_cost": 0.002}

    whole = EvolvedTreeClassifier(generations=12, **settings).fit(X, y)
    halves = EvolvedTreeClassifier(generations=6, warm_start=True, **settings).fit(X, y).fit(X, y)

    assert list(halves.hall_) == list(whole.hall_)


@pytest.mark.compiled
def test_what_fills_the_sizes_leaves_the_best_tree_as_it_was_told():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4)).round(1)
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(400) < 0.1)

    for generations in (0, 1, 5):
        told = []
        monitoring = Monitoring(listeners=[told.append])
        tree = EvolvedTreeClassifier(
            random_state=0, population_size=20, generations=generations, monitoring=monitoring
        ).fit(X, y)

        last = [event for event in told if event["event"] == "generation"][-1]["best"]
        assert tree.hall_[tree.hall_.chosen].payoff == pytest.approx(last["payoff"], abs=0.02)  # idle splits are gone
        assert tree.hall_[tree.hall_.chosen].accuracy == last["accuracy"]
