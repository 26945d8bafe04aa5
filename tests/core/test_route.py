"""Raw rows reach the leaf that the oracle's questions lead to, missing values and unseen levels too."""

import numpy as np
import pytest

from heirwood.backends.slow import plain_problem
from heirwood.core.bitsets import unpack
from heirwood.core.route import LEAF, route
from heirwood.data.schema import UNSEEN
from heirwood.oracle.tree import Leaf, from_genes, size
from tests.lockstep.trees import genes_of, random_tree
from tests.tables import make_problem


def route_rows(problem, genes, values):
    """Ask core where rows fall: the arrays of one tree, built from its genes and the bank."""
    bank = problem.bank
    _, spans, _ = genes_of(from_genes(genes))
    inner = np.array(genes) >= 0
    tests = np.where(inner, genes, 0)
    kinds = np.where(inner, bank.kinds[tests], LEAF).astype(np.int8)
    rights = np.array([i + 1 + spans[i + 1] if gene >= 0 else 0 for i, gene in enumerate(genes)], np.int32)
    leaves = np.zeros(len(values), np.int64)
    route(
        np.ascontiguousarray(values.T), kinds, bank.columns[tests].astype(np.int32), bank.values[tests],
        bank.missing_passes[tests], rights, leaves,
    )  # fmt: skip
    return leaves.tolist()


def descend(tree, row, tests, place=0):
    """Follow the oracle's questions to a leaf."""
    if isinstance(tree, Leaf):
        return place
    if tests[tree.test].passes(row):
        return descend(tree.left, row, tests, place + 1)
    return descend(tree.right, row, tests, place + 1 + size(tree.left))


@pytest.mark.parametrize("seed", range(12))
def test_rows_reach_the_leaf_the_oracle_says(seed):
    problem = make_problem(seed, n_rows=60, cuts="midpoints" if seed % 3 else "integers")
    genes = random_tree(seed, problem)
    other = make_problem(seed + 100, n_rows=60, missing=0.3).values.copy()
    other[::7, 2] = UNSEEN

    leaves = route_rows(problem, genes, other)

    tests = plain_problem(problem).tests
    assert leaves == [descend(from_genes(genes), row, tests) for row in other.tolist()]


def test_every_test_answers_raw_rows_as_its_bit_row_does():
    problem = make_problem(2, n_rows=80, missing=0.2)

    for test in range(problem.bank.n_tests):
        leaves = route_rows(problem, [test, ~0, ~1], problem.values)

        passed = unpack(problem.bank.bits[test], 80)
        assert leaves == np.where(passed, 1, 2).tolist()


def test_an_unseen_level_fails_every_equality_test_and_a_missing_value_only_those_without_a_twin():
    problem = make_problem(2, n_rows=80, missing=0.2)
    row = problem.values[:1].copy()
    colour = [test for test in range(problem.bank.n_tests) if problem.bank.columns[test] == 2]

    row[0, 2] = UNSEEN
    unseen = [route_rows(problem, [test, ~0, ~1], row)[0] for test in colour]
    row[0, 2] = np.nan
    missing = [route_rows(problem, [test, ~0, ~1], row)[0] for test in colour]

    assert unseen == [2] * len(colour)
    assert missing == [1 if problem.bank.missing_passes[test] else 2 for test in colour]
    assert set(missing) == {1, 2}
