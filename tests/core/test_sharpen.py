"""Sharpen finds the exact best cut: against every midpoint, one by one, on plain values."""

from functools import cache

import numpy as np
import pytest

from heirwood.core import mutation
from heirwood.core.bitsets import unpack
from tests.core import kernels
from tests.lockstep.trees import random_tree
from tests.tables import make_problem

KEYS = range(60)
SHARPEN = [operator.__name__ for operator in mutation.OPERATORS].index("sharpen")


@cache
def problem(variant):
    variants = (
        {"max_cuts": 3, "missing": 0.2, "min_rows": 2},
        {"max_cuts": 1, "n_rows": 200, "min_rows": 0, "weights": [1 + row % 4 for row in range(200)]},
    )
    return make_problem(variant, **{"max_leaf_nodes": 7, "n_trees": 4, "room": 2, **variants[variant]})


def hits_of(problem, genes, answers):
    """Return what a tree gets right, if every test t is answered by the row `answers[t]`."""

    def walk(node, rows):
        if genes[node] < 0:
            codes, weights = problem.target.codes[rows], problem.target.weights[rows]
            return int(weights[codes == ~genes[node]].sum()), node + 1
        passed = answers[genes[node]]
        left, after = walk(node + 1, rows & passed)
        right, after = walk(after, rows & ~passed)
        return left + right, after

    return walk(0, np.ones(problem.bank.n_rows, bool))[0]


def rows_at(problem, genes, place, answers):
    """Return which rows arrive at a node."""
    found = {}

    def walk(node, rows):
        found[node] = rows
        if genes[node] < 0:
            return node + 1
        after = walk(node + 1, rows & answers[genes[node]])
        return walk(after, rows & ~answers[genes[node]])

    walk(0, np.ones(problem.bank.n_rows, bool))
    return found[place]


def cuts_of(problem, column, missing_passes):
    """Return the answers to every midpoint of a column."""
    values = problem.values[:, column]
    missing = np.isnan(values)
    return [(values <= value) | (missing & missing_passes) for value in np.unique(values[~missing])[:-1]]


def sharpened(problem, genes, place, key, lent=-1):
    """Return the genes afterwards."""
    backend, [tree] = kernels.adopt(problem, genes)
    assert kernels.mutate(backend, SHARPEN, tree, place, key, 8, kernels.sight_of(backend, lent)) == place
    return kernels.shape_of(backend, tree)[0]


@cache
def case(key):
    """Return a problem, a tree, and a node of it that asks a cut of an exact column."""
    chosen = problem(key % 2)
    genes = random_tree(key, chosen, n_leaves=2 + key % 5)
    tests = [test for test in range(chosen.bank.n_tests) if chosen.bank.exact.column[test] >= 0]
    places = [place for place, gene in enumerate(genes) if gene >= 0]
    place = places[key % len(places)]
    genes[place] = tests[key % len(tests)]
    return chosen, genes, place


@pytest.mark.parametrize("key", KEYS)
def test_no_midpoint_is_better_than_the_one_it_finds(key):
    chosen, genes, place = case(key)
    bank = chosen.bank
    old = genes[place]
    column, passes = int(bank.columns[old]), bool(bank.missing_passes[old])
    answers = dict(enumerate(unpack(bank.bits[: bank.n_tests], bank.n_rows)))
    here = rows_at(chosen, genes, place, answers)
    fewest = max(chosen.rules.min_rows, 1)
    other = [*genes[:place], bank.n_tests, *genes[place + 1 :]]
    possible = [
        hits_of(chosen, other, answers | {bank.n_tests: cut})
        for cut in cuts_of(chosen, column, passes)
        if fewest <= (here & cut).sum() <= here.sum() - fewest
    ]
    before = hits_of(chosen, genes, answers)

    after = sharpened(chosen, genes, place, key, lent=bank.n_tests)

    answers[bank.n_tests] = unpack(bank.bits[bank.n_tests], bank.n_rows)
    assert hits_of(chosen, after, answers) == max([*possible, before])
    if before >= max(possible, default=before):
        assert after == genes
    assert after[:place] + after[place + 1 :] == genes[:place] + genes[place + 1 :]


def outcomes():
    """Yield every case, with its genes after sharpening and the same without a place."""
    for key in KEYS:
        chosen, genes, place = case(key)
        after = sharpened(chosen, genes, place, key, lent=chosen.bank.n_tests)
        yield chosen, genes, place, after, sharpened(chosen, genes, place, key)


def test_cuts_are_moved_to_tests_there_are_and_to_new_ones_and_some_stay():
    moves = set()

    for chosen, genes, place, after, without in outcomes():
        fixed = chosen.bank.n_tests
        moves.add("new" if after[place] == fixed else "stays" if after == genes else "there is one")
        assert without == (genes if after[place] == fixed else after)

    assert moves == {"new", "there is one", "stays"}


def test_a_new_cut_divides_the_rows_at_the_node_as_no_test_does():
    n_new = 0

    for chosen, genes, place, after, _ in outcomes():
        bank = chosen.bank
        if after[place] != bank.n_tests:
            continue
        n_new += 1
        answers = unpack(bank.bits, bank.n_rows)
        here = rows_at(chosen, genes, place, answers)
        rivals = np.flatnonzero(
            (bank.exact.column[: bank.n_tests] == bank.exact.column[genes[place]])
            & (bank.missing_passes[: bank.n_tests] == bank.missing_passes[genes[place]])
        )
        assert not any((answers[test][here] == answers[bank.n_tests][here]).all() for test in rivals)
    assert n_new


def test_a_new_cut_lies_in_the_middle_of_those_that_divide_the_node_alike():
    chosen = problem(1)
    bank = chosen.bank
    root_cut = next(test for test in range(bank.n_tests) if bank.exact.column[test] == 0)
    values = chosen.values[:, 0]

    for key in range(40):
        genes = random_tree(key, chosen, n_leaves=5)
        place = 1 if genes[1] >= 0 else next(i for i in range(1, 9) if genes[i] >= 0)
        genes[place] = root_cut
        after = sharpened(chosen, genes, place, key, lent=bank.n_tests)
        if after[place] != bank.n_tests:
            continue
        here = rows_at(chosen, genes, place, unpack(bank.bits, bank.n_rows)) & ~np.isnan(values)
        passed = unpack(bank.bits[bank.n_tests], bank.n_rows)
        present = np.unique(values[~np.isnan(values)])
        below, above = values[here & passed], values[here & ~passed]
        lowest = 0 if not len(below) else int(np.searchsorted(present, below.max()))
        highest = len(present) - 2 if not len(above) else int(np.searchsorted(present, above.min())) - 1
        assert bank.exact.rank[bank.n_tests] == (lowest + highest) // 2


@pytest.mark.parametrize("kind", ["nominal", "missing", "a column with all its cuts"])
def test_a_node_that_asks_something_else_stays_as_it_is(kind):
    chosen = make_problem(3, max_cuts=25, room=2, n_trees=4)
    bank = chosen.bank
    assert bank.exact.columns.tolist() == [0]
    tests = {
        "nominal": next(test for test in range(bank.n_tests) if bank.kinds[test] == 1),
        "missing": next(test for test in range(bank.n_tests) if bank.kinds[test] == 2),
        "a column with all its cuts": next(test for test in range(bank.n_tests) if bank.columns[test] == 1),
    }
    genes = [tests[kind], ~0, ~1]

    assert sharpened(chosen, genes, 0, 1, lent=bank.n_tests) == genes


def test_one_child_writes_one_test_and_leaves_no_sums_behind():
    chosen, genes, place, after, _ = next(found for found in outcomes() if found[3][found[2]] == found[0].bank.n_tests)
    backend, [tree, other] = kernels.adopt(chosen, genes, genes)
    context = kernels.sight_of(backend, lent=chosen.bank.n_tests)

    kernels.mutate(backend, SHARPEN, tree, place, 1, 8, context)
    kernels.mutate(backend, SHARPEN, other, place, 1, 8, context)

    assert kernels.shape_of(backend, tree)[0] == after
    assert kernels.shape_of(backend, other)[0] == genes
    assert not context.values.sums.any()
    assert not context.values.seen.any()
