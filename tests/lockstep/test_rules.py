"""The rules that settle corner cases hold in every backend, inherited and from scratch."""

from itertools import count, islice

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.bitsets import unpack
from heirwood.oracle.breed import N_ATTEMPTS
from heirwood.oracle.draws import below, draw_test
from heirwood.oracle.tree import from_genes, height
from tests.lockstep.children import breed_one, family, told
from tests.lockstep.trees import genes_of, random_tree
from tests.tables import PAPER_OPERATORS, make_problem

ROWS, ROWS_FULL, CHECKS, CHECKS_FULL, WORDS, WORDS_FULL = range(6)
NO_MUTATION = {"mutation_rate": 0.0, "min_rows": 0, "n_trees": 20}
CHANGES = {"operators": {"node_change": 1.0, "leaf_change": 1.0}, "mutation_rate": 1.0, "min_rows": 0, "n_trees": 20}
MUTATED_NODE = 8 + 1  # the slot of the node that the first mutation draws

pytestmark = pytest.mark.parametrize("backend", BACKENDS)
both_modes = pytest.mark.parametrize("inherit", [True, False], ids=["inherited", "from scratch"])


def grown_pair(backend, problem):
    """A backend with two random trees of seven leaves, and their handles."""
    engine = BACKENDS[backend](problem)
    rows_of_genes = [np.array(random_tree(seed, problem, n_leaves=7), np.int32) for seed in (1, 2)]
    mother, father = engine.adopt(rows_of_genes)
    return engine, mother, father


def keys_where(drawn, n=3):
    """The first keys that draw what a test needs."""
    return list(islice((key for key in count() if drawn(key)), n))


# ---- crossover ----


@both_modes
def test_a_crossover_at_the_mothers_root_examines_the_whole_table(backend, inherit):
    problem = make_problem(1, inherit=inherit, **NO_MUTATION)
    engine, mother, father = grown_pair(backend, problem)
    for key in keys_where(lambda key: below(key, 1, 13) == 0 and below(key, 2, 13) == 1):
        child, ledger = breed_one(engine, mother, father, key)

        row, rows, _ = told(engine, child)
        span = genes_of(from_genes(told(engine, father)[0]))[1][1]
        assert row == told(engine, father)[0][1 : 1 + span]
        assert rows[0] == ledger[ROWS] == ledger[ROWS_FULL] == 90
        assert ledger[CHECKS] == ledger[CHECKS_FULL]
        assert ledger[WORDS] == ledger[WORDS_FULL]


@both_modes
def test_a_crossover_with_the_fathers_root_examines_what_reaches_the_mothers_node(backend, inherit):
    problem = make_problem(1, inherit=inherit, **NO_MUTATION)
    engine, mother, father = grown_pair(backend, problem)
    for key in keys_where(lambda key: below(key, 1, 13) == 1 and below(key, 2, 13) == 0):
        child, ledger = breed_one(engine, mother, father, key)

        assert told(engine, child)[0][1:14] == told(engine, father)[0]
        assert ledger[ROWS] == told(engine, mother)[1][1] < ledger[ROWS_FULL]


@both_modes
def test_a_crossover_of_both_roots_hands_over_the_fitness_and_examines_nothing(backend, inherit):
    problem = make_problem(1, inherit=inherit, **NO_MUTATION)
    engine, mother, father = grown_pair(backend, problem)
    for key in keys_where(lambda key: below(key, 1, 13) == 0 and below(key, 2, 13) == 0):
        child, ledger = breed_one(engine, mother, father, key)

        assert told(engine, child) == told(engine, father)
        assert (ledger[ROWS], ledger[CHECKS], ledger[WORDS]) == (0, 0, 0)
        assert ledger[ROWS_FULL] == 90
        assert ledger[CHECKS_FULL] == sum(told(engine, father)[1])


@both_modes
def test_a_child_without_crossover_or_mutation_is_its_first_parent(backend, inherit):
    problem = make_problem(1, inherit=inherit, crossover_rate=0.0, **NO_MUTATION)
    engine, mother, father = grown_pair(backend, problem)

    child, ledger = breed_one(engine, mother, father, 5)

    assert told(engine, child) == told(engine, mother)
    assert (ledger[ROWS], ledger[CHECKS], ledger[WORDS]) == (0, 0, 0)


# ---- two stale nodes ----


def crossed(engine, mother, father, key):
    """The spans of the child after its crossover, and (cut, old, new): where, from how many nodes to how many."""
    row, other = told(engine, mother)[0], told(engine, father)[0]
    spans, other_spans = genes_of(from_genes(row))[1], genes_of(from_genes(other))[1]
    cut, graft = below(key, 1, len(row)), below(key, 2, len(other))
    old, new = spans[cut], other_spans[graft]
    child = row[:cut] + other[graft : graft + new] + row[cut + old :]
    return genes_of(from_genes(child))[1], (cut, old, new)


@both_modes
def test_two_stale_nodes_apart_are_examined_each_on_its_own(backend, inherit):
    problem = make_problem(1, inherit=inherit, **CHANGES)
    engine, mother, father = grown_pair(backend, problem)

    def apart(key):
        spans, (cut, _, new) = crossed(engine, mother, father, key)
        node = below(key, MUTATED_NODE, len(spans))
        return cut > 0 and (node >= cut + new or node + spans[node] <= cut)

    for key in keys_where(apart, n=8):
        spans, (cut, old, new) = crossed(engine, mother, father, key)
        node = below(key, MUTATED_NODE, len(spans))
        child, ledger = breed_one(engine, mother, father, key)

        rows = told(engine, mother)[1]
        assert ledger[ROWS] == rows[cut] + rows[node if node < cut else node - new + old]
        assert ledger[CHECKS] == sum(sum(told(engine, child)[1][place : place + spans[place]]) for place in (cut, node))


@both_modes
def test_a_mutation_below_the_crossover_is_examined_with_it(backend, inherit):
    problem = make_problem(1, inherit=inherit, **CHANGES)
    engine, mother, father = grown_pair(backend, problem)

    def inside(key):
        spans, (cut, _, new) = crossed(engine, mother, father, key)
        return cut > 0 and new > 1 and cut <= below(key, MUTATED_NODE, len(spans)) < cut + new

    for key in keys_where(inside, n=8):
        _, (cut, _, new) = crossed(engine, mother, father, key)
        child, ledger = breed_one(engine, mother, father, key)

        assert ledger[ROWS] == told(engine, mother)[1][cut]
        assert ledger[CHECKS] == sum(told(engine, child)[1][cut : cut + new])


@both_modes
def test_a_mutation_above_the_crossover_swallows_it(backend, inherit):
    problem = make_problem(1, inherit=inherit, **CHANGES)
    engine, mother, father = grown_pair(backend, problem)

    def above(key):
        spans, (cut, _, _) = crossed(engine, mother, father, key)
        node = below(key, MUTATED_NODE, len(spans))
        return 0 < node < cut < node + spans[node]

    for key in keys_where(above, n=8):
        spans, _ = crossed(engine, mother, father, key)
        node = below(key, MUTATED_NODE, len(spans))
        child, ledger = breed_one(engine, mother, father, key)

        assert ledger[ROWS] == told(engine, mother)[1][node]
        assert ledger[CHECKS] == sum(told(engine, child)[1][node : node + spans[node]])


# ---- leaves ----


@both_modes
def test_an_empty_leaf_keeps_the_label_in_its_gene(backend, inherit):
    problem = make_problem(1, majority=True, inherit=inherit, missing=0.0)
    row = np.array([0, ~0, 0, ~2, ~1], np.int32)  # who failed the test cannot pass it further down

    engine = BACKENDS[backend](problem)
    [tree] = engine.adopt([row])

    genes, rows, hits = told(engine, tree)
    assert (genes[3], rows[3], hits[3]) == (~2, 0, 0)


def test_a_majority_tie_goes_to_the_lowest_class(backend):
    problem = make_problem(1, n_rows=4, missing=0.0, majority=True)
    problem.target.codes[:] = [2, 1, 2, 1]

    engine = BACKENDS[backend](problem)
    [tree] = engine.adopt([np.array([~2], np.int32)])

    assert told(engine, tree) == ([~1], [4], [2])


@pytest.mark.parametrize("prune_root", [False, True])
def test_the_root_is_pruned_only_where_the_rules_allow_it(backend, prune_root):
    rules = {"operators": PAPER_OPERATORS, "mutation_rate": 1.0, "prune_root": prune_root, "n_trees": 20}
    engine = BACKENDS[backend](make_problem(1, crossover_rate=0.0, **rules))
    [stump] = engine.adopt([np.array([0, ~0, ~1], np.int32)])

    sizes = set()
    for key in range(60):
        child, _ = breed_one(engine, stump, stump, key)
        sizes.add(len(told(engine, child)[0]))

    assert sizes == ({1, 3} if prune_root else {3})


# ---- first trees ----


def test_a_first_tree_is_the_first_of_sixteen_draws_that_holds_the_limits(backend):
    problem = make_problem(1, n_rows=60, min_rows=22)
    bank, rules = problem.bank, problem.rules
    attributes = [[(test, 1) for test in range(bank.first[a], bank.first[a + 1])] for a in range(len(bank.first) - 1)]
    keys = np.arange(40, dtype=np.uint64)

    def first_tree(key):
        for attempt in range(N_ATTEMPTS):
            slot = 8 * attempt
            test = draw_test(key, slot, attributes)
            passed = int(unpack(bank.bits[test], 60).sum())
            if min(passed, 60 - passed) >= rules.min_rows:
                return [test, ~below(key, slot + 2, 3), ~below(key, slot + 3, 3)]
        return [~below(key, 8 * N_ATTEMPTS + 2, 3)]

    engine = BACKENDS[backend](problem)
    planted = [told(engine, tree)[0] for tree in engine.start(keys)]

    assert planted == [first_tree(key) for key in range(40)]


def test_first_trees_differ_in_how_many_draws_they_need(backend):
    problem = make_problem(1, n_rows=60, min_rows=29)

    engine = BACKENDS[backend](problem)
    sizes = {len(told(engine, tree)[0]) for tree in engine.start(np.arange(60, dtype=np.uint64))}

    assert sizes == {1, 3}


@pytest.mark.parametrize(
    "limit",
    [{"n_rows": 1}, {"max_leaf_nodes": 1}, {"max_depth": 0}, {"min_rows": 46}],
    ids=lambda limit: next(iter(limit)),
)
def test_where_no_test_may_be_asked_a_first_tree_is_a_single_leaf(backend, limit):
    engine = BACKENDS[backend](make_problem(1, **limit))

    trees = engine.start(np.arange(10, dtype=np.uint64))

    assert {len(told(engine, tree)[0]) for tree in trees} == {1}
    assert {told(engine, tree)[1][0] for tree in trees} == {limit.get("n_rows", 90)}


# ---- limits ----


@both_modes
def test_every_tree_ever_bred_holds_the_limits(backend, inherit):
    limits = {"max_leaf_nodes": 5, "max_depth": 3, "min_rows": 5}
    problem = make_problem(1, inherit=inherit, mutation_rate=0.9, n_mutations=3, n_trees=20, **limits)

    trees = [tree for tree, _ in family(BACKENDS[backend](problem), problem, 150)]

    assert max(len(genes) for genes, _, _ in trees) == 2 * 5 - 1
    assert max(height(from_genes(genes)) for genes, _, _ in trees) == 3
    assert min(n for genes, rows, _ in trees for gene, n in zip(genes, rows, strict=True) if gene < 0) == 5


@both_modes
@pytest.mark.parametrize(
    "limit", [{"max_leaf_nodes": 4}, {"max_leaf_nodes": 9, "max_depth": 3}], ids=["leaves", "depth"]
)
def test_a_child_too_large_is_its_first_parent_and_costs_nothing(backend, inherit, limit):
    problem = make_problem(1, inherit=inherit, **NO_MUTATION, **limit)
    engine = BACKENDS[backend](problem)
    mother, father = engine.adopt([np.array([0, 1, ~0, ~1, ~2], np.int32), np.array([2, 3, ~2, ~1, ~0], np.int32)])
    for key in keys_where(lambda key: below(key, 1, 5) == 2 and below(key, 2, 5) == 0):
        child, ledger = breed_one(engine, mother, father, key)

        assert told(engine, child) == told(engine, mother)
        assert (ledger[ROWS], ledger[CHECKS], ledger[WORDS]) == (0, 0, 0)
        assert (ledger[ROWS_FULL], ledger[CHECKS_FULL]) == (90, sum(told(engine, mother)[1]))


@both_modes
def test_a_child_with_too_few_rows_at_a_leaf_is_its_first_parent_but_its_cost_counts(backend, inherit):
    problem = make_problem(1, inherit=inherit, **{**NO_MUTATION, "min_rows": 30})
    engine, mother, father = grown_pair(backend, problem)  # adopted trees are not held to the limit

    copies = 0
    for key in range(40):
        child, ledger = breed_one(engine, mother, father, key)
        if told(engine, child) == told(engine, mother) and ledger[ROWS] > 0:
            copies += 1

            assert ledger[CHECKS] >= ledger[ROWS]
            assert ledger[WORDS] > 0
    assert copies > 20


@both_modes
def test_rows_per_leaf_are_rows_and_not_weight(backend, inherit):
    heavy = make_problem(1, n_rows=4, missing=0.0, weights=[50] * 4, min_rows=3, inherit=inherit, majority=True)

    engine = BACKENDS[backend](heavy)
    trees = engine.start(np.arange(10, dtype=np.uint64))

    assert {len(told(engine, tree)[0]) for tree in trees} == {1}
    assert engine.record(trees).total == 200
