"""Sweeps and pairing: three levels over all tests, and parts of trees that become the best there are."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.evolve.pairing import Pairing, Sapling, Subtree
from heirwood.evolve.sweep import Sweep
from tests.tables import INFORMED_OPERATORS, make_problem

TABLE = {"majority": True, "n_rows": 60, "max_cuts": 6, "operators": INFORMED_OPERATORS}
EVERYONE = 2**60  # answers that last for all


def backend_of(**table):
    return BACKENDS["cpu"](make_problem(8, **{**TABLE, **table}))


def sweep_of(backend, price=0.0):
    problem = backend.problem
    target = problem.target.planes(True)
    return Sweep(target.everyone, target, problem.bank.bits, problem.rules.first, price)


def best_of_three_levels(backend, price):
    """Return what the best tree of three levels is worth, by trying every test on top."""
    pairs, target, bits = backend.pairs(), backend.problem.target.planes(True), backend.problem.bank.bits
    rows = target.everyone
    sides = [(rows & test, rows & ~test) for test in bits[: backend.problem.rules.first[-1]]]
    return max(pairs.pair(left, price)[0] + pairs.pair(right, price)[0] - price for left, right in sides)


def value(backend, genes, price):
    """Return what a tree is worth as the backend counts it."""
    record = backend.record(backend.adopt([np.array(genes, np.int32)]))
    return float(record.hits[0]) - price * (int(record.leaves[0]) - 1)


def all_of(sweep, backend, answers=EVERYONE):
    """Return the trees that a sweep finds, each better than the one before."""
    found, need = [], -1.0
    while not sweep.is_done:
        _, genes = sweep.go_on(answers, need, backend.pairs())
        if genes is not None:
            found.append(genes)
            need = value(backend, genes, sweep._price)
    return found


@pytest.mark.parametrize("limits", [{}, {"missing": 0.0, "max_cuts": 255}, {"max_cuts": 1}])
def test_every_test_comes_once_between_its_neighbours(limits, monkeypatch):
    backend = backend_of(**limits)
    first, seen, bounds = backend.problem.rules.first, [], Sweep._bounds

    def watch(sweep, test, tried):
        attribute = np.searchsorted(first, test, side="right") - 1
        own = [other for other in seen if first[attribute] <= other < first[attribute + 1]]
        nearest = [max((o for o in own if o < test), default=None), min((o for o in own if o > test), default=None)]
        assert [*tried] == [other for other in nearest if other is not None]
        seen.append(test)
        return bounds(sweep, test, tried)

    monkeypatch.setattr(Sweep, "_bounds", watch)
    all_of(sweep_of(backend), backend)

    assert sorted(seen) == list(range(first[-1]))


@pytest.mark.parametrize("first", [[0], [0, 0], [0, 0, 3]])
def test_attributes_without_tests_are_passed_over(first):
    backend = backend_of()
    target = backend.problem.target.planes(True)
    sweep = Sweep(target.everyone, target, backend.problem.bank.bits, np.array(first), 0.0)

    found = all_of(sweep, backend)

    assert {genes[0] for genes in found} <= {*range(first[-1])}
    assert bool(found) == (first[-1] > 0)


@pytest.mark.parametrize("price", [0.0, 0.75])
@pytest.mark.parametrize("weights", [None, np.random.default_rng(1).integers(1, 5, 60)])
def test_a_sweep_ends_with_the_best_tree_of_three_levels(price, weights):
    backend = backend_of(weights=weights)

    found = all_of(sweep_of(backend, price), backend)

    worths = [value(backend, genes, price) for genes in found]
    assert worths == sorted(worths)
    assert worths[-1] == best_of_three_levels(backend, price)


@pytest.mark.parametrize("weights", [None, np.random.default_rng(1).integers(1, 5, 60)])
def test_what_a_side_may_be_worth_is_no_less_than_what_it_is_worth(weights):
    backend = backend_of(weights=weights)
    sweep, pairs, rows = sweep_of(backend, 0.75), backend.pairs(), backend.problem.target.planes(True).everyone
    all_of(sweep, backend)

    n_bounds = 0
    for test, bits in enumerate(backend.problem.bank.bits[: backend.problem.rules.first[-1]]):
        for side, own in enumerate((rows & bits, rows & ~bits)):
            worth, _ = pairs.pair(own, 0.75)
            assert sweep._most[side, test] >= worth
            n_bounds += sweep._most[side, test] > worth
    assert n_bounds > 10


def test_a_sweep_goes_on_where_it_stopped():
    backend = backend_of()

    assert all_of(sweep_of(backend), backend, answers=1) == all_of(sweep_of(backend), backend)


def test_a_sweep_passes_over_what_cannot_be_better():
    backend = backend_of(n_rows=300, max_cuts=255, missing=0.0)
    sweep = sweep_of(backend)
    best = all_of(sweep, backend)[-1]
    again = sweep_of(backend)

    spent, genes = again.go_on(EVERYONE, value(backend, best, 0.0), backend.pairs())

    assert genes is None
    assert again.is_done
    assert spent < again._cost * backend.problem.bank.n_tests / 2


def sapling(backend, genes):
    (handle,) = backend.adopt([np.array(genes, np.int32)])
    return Sapling(*backend.genes(int(handle)))


def test_the_lowest_parts_are_in_preorder_and_none_is_a_part_of_another():
    backend = backend_of()
    tree = sapling(backend, [0, 1, 2, ~0, ~0, 3, 4, ~0, ~0, ~0, ~0])
    bits, everyone = backend.problem.bank.bits, backend.problem.target.planes(True).everyone

    def where(levels):
        return [(part.node, part.span, part.depth, part.height) for part in tree.low_parts(levels, bits, everyone)]

    assert where(2) == [(2, 3, 2, 1), (5, 5, 2, 2), (10, 1, 1, 0)]
    assert where(3) == [(1, 9, 1, 3), (10, 1, 1, 0)]
    assert where(4) == [(0, 11, 0, 4)]
    for part in tree.low_parts(2, bits, everyone):
        assert part.n_rows == int(np.bitwise_count(part.rows).sum()) == tree.rows[part.node]


def test_a_tree_with_other_parts():
    tree = Sapling(np.array([0, 1, ~0, ~0, 2, ~0, ~0]), np.zeros(7), np.zeros(7))
    first, last = Subtree(1, 3, 1, 1, np.zeros(1), 0, 0), Subtree(6, 1, 0, 2, np.zeros(1), 0, 0)

    assert tree.with_parts([(first, [~0]), (last, [5, ~0, ~0])]).tolist() == [0, ~0, 2, ~0, 5, ~0, ~0]


@pytest.mark.parametrize("limits", [{"max_depth": 3, "max_leaf_nodes": 8}, {"max_leaf_nodes": 9}])
def test_pairing_makes_trees_better_until_nothing_is_left_to_do(limits):
    backend = backend_of(**limits)
    handles = backend.start(np.arange(1, 7, dtype=np.uint64))
    pairing = Pairing(backend.problem.target.planes(True), 0.5, 2**40)
    worths = []
    for _ in range(12):
        record = backend.record(handles)
        payoffs = record.hits - 0.5 * record.leaves
        worths.append(payoffs.tolist())
        offers = [(place, genes) for place, genes in pairing.improve(payoffs, handles, backend) if len(genes) < 18]
        if offers:
            handles = handles.copy()
            handles[[place for place, _ in offers]] = backend.adopt([genes for _, genes in offers])
            backend.keep(handles)
            assert (backend.record(handles).depth <= backend.problem.rules.max_depth).all()
    assert worths[-1] == worths[-2]
    assert (np.diff(worths, axis=0) >= 0).all()
    assert max(worths[-1]) + 0.5 >= best_of_three_levels(backend, 0.5)


def test_no_credit_no_search():
    backend = backend_of()
    handles = backend.start(np.arange(1, 4, dtype=np.uint64))

    assert Pairing(backend.problem.target.planes(True), 0.5, 0).improve(np.zeros(3), handles, backend) == []
