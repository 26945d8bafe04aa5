"""The law of one child: the kernel against every child that its parents can have."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from heirwood.backends.slow import plain_problem
from heirwood.theory import child_saving, child_variance
from lab.paper.law_watch import WatchedBackend
from tests.lab.paper.every_draw import moments
from tests.lockstep.trees import classified, random_tree
from tests.tables import OUR_OPERATORS, PAPER_OPERATORS, make_problem

RULES = {
    "the paper's": {"operators": PAPER_OPERATORS},
    "rarely": {"operators": PAPER_OPERATORS, "mutation_rate": 0.01, "prune_root": False},
    "few leaves": {"operators": OUR_OPERATORS, "max_leaf_nodes": 5},
    "shallow": {"operators": OUR_OPERATORS, "max_leaf_nodes": 8, "max_depth": 3},
    "growing only": {"operators": {"leaf_grow": 1.0}, "max_leaf_nodes": 6, "max_depth": 4, "mutation_rate": 1.0},
    "inner nodes only": {"operators": {"node_change": 1.0}},
    "some copies": {"operators": OUR_OPERATORS, "max_leaf_nodes": 6, "crossover_rate": 0.75},
    "no crossover": {"operators": OUR_OPERATORS, "max_leaf_nodes": 6, "crossover_rate": 0.0},
    "no mutation": {"operators": PAPER_OPERATORS, "n_mutations": 0},
}


def expected(problem, mother, father):
    """Return what the kernel says of two parents given as genes: the rows of a child, and their variance."""
    backend = WatchedBackend(problem)
    handles = backend.adopt([np.array(genes, np.int32) for genes in (mother, father)])
    backend.breed(handles[:1], handles[1:], np.array([1], np.uint64))
    return backend._expected[0], backend._variance[0]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("seed", range(6))
def test_expected_rows_and_their_variance_are_those_of_all_possible_children(rules, seed):
    problem = make_problem(seed, n_rows=40, n_trees=10, **rules)
    largest = min(problem.rules.max_leaf_nodes, 6)
    mother, father = (random_tree([seed, i], problem, n_leaves=largest - (seed + i) % 3) for i in range(2))
    plain, tree = classified(problem, mother)

    mean, variance = moments(tree, classified(problem, father)[1], plain)

    assert expected(problem, mother, father) == pytest.approx((float(mean), float(variance)), rel=1e-11, abs=1e-9)


@pytest.mark.parametrize(("mother", "father"), [(1, 1), (1, 4), (4, 1), (2, 2)])
def test_single_leaves_and_stumps_obey_it_too(mother, father):
    problem = make_problem(3, n_rows=40, n_trees=10, operators=OUR_OPERATORS, max_leaf_nodes=4)
    genes = [random_tree([7, i], problem, n_leaves=n) for i, n in enumerate((mother, father))]
    plain, tree = classified(problem, genes[0])

    mean, variance = moments(tree, classified(problem, genes[1])[1], plain)

    assert expected(problem, *genes) == pytest.approx((float(mean), float(variance)), rel=1e-11, abs=1e-9)


def test_where_no_test_exists_a_leaf_that_should_grow_becomes_a_copy():
    problem = make_problem(5, n_rows=40, n_trees=10, operators=OUR_OPERATORS)
    barren = replace(problem, rules=problem.rules._replace(first=np.zeros(1, np.int64), tickets=np.zeros(0, np.int64)))
    leaf = [-1]
    plain = replace(plain_problem(problem), attributes=[])
    _, tree = classified(problem, leaf)

    mean, variance = moments(tree, tree, plain)

    assert expected(barren, leaf, leaf) == pytest.approx((float(mean), float(variance)), rel=1e-11)
    assert mean == Fraction(problem.rules.leaf_odds[2]) * 40 / 2  # half mutate, and of those only a new label costs


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 2), Fraction(1)])
def test_theory_gives_the_same_in_exact_fractions(seed, rate):
    problem = make_problem(seed, n_rows=40, n_trees=10, operators=PAPER_OPERATORS, mutation_rate=float(rate))
    plain, mother = classified(problem, random_tree([seed, 0], problem, n_leaves=2 + seed % 5))
    _, father = classified(problem, random_tree([seed, 1], problem, n_leaves=1 + seed % 4))

    mean, variance = moments(mother, father, plain)

    assert child_saving(mother, father, rate) == 1 - mean / 40
    assert child_variance(mother, father, rate) == variance / 40**2
