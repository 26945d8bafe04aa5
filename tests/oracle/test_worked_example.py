"""The worked example of the paper's Sec. 3.1: Table 2, the trees T1 to T4, and their fitness.

All left branches are for the value N. Counts of correct instances are squared as in that section
(Eq. 1 squares the accuracy), and x is 1. The figures are lost; these trees fit every number that is printed.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from heirwood.backends import BACKENDS, Problem, operator_odds
from heirwood.backends.slow import plain_problem
from heirwood.core.rules import Rules
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import make_bank
from heirwood.oracle.classify import Meter, classify, refresh
from heirwood.oracle.crossover import cross_subtree
from heirwood.oracle.draws import below
from heirwood.oracle.tree import Stale, from_genes, genes, hits, n_leaves, rows_of, stale_places, subtree
from tests.lockstep.children import breed_one, told

N, Y = 0, 1
TABLE_2 = [  # A1, A2, A3, class
    (N, N, Y, Y),  # I1
    (N, Y, N, N),  # I2
    (Y, N, N, N),  # I3
    (Y, Y, Y, Y),  # I4
]


@pytest.fixture(scope="module")
def problem():
    """Table 2 with crossover alone."""
    rows = np.array(TABLE_2, float)
    schema = Schema(tuple(Column(name, "nominal", ("N", "Y")) for name in ("A1", "A2", "A3")))
    bank = make_bank(Table(schema, np.asfortranarray(rows[:, :3])))
    target = ClassTarget(rows[:, 3].astype(np.int64), np.ones(4, np.int64), 2)
    inner, leaf = operator_odds({})
    rules = Rules(
        first=bank.first, tickets=bank.tickets, n_classes=2, max_leaf_nodes=8, max_depth=7, min_rows=0,
        crossover_rate=1.0, mutation_rate=0.0, n_mutations=0, inner_odds=inner, leaf_odds=leaf, prune_root=False,
    )  # fmt: skip
    return Problem(bank, target, rules, majority=False, inherit=True, n_trees=8, values=rows[:, :3])


@pytest.fixture(scope="module")
def trees(problem):
    """The genes of T1 to T4: ~N and ~Y are leaves, a1 asks whether A1 = N, and so on."""
    bank = problem.bank
    a1, a2, a3 = (
        next(t for t in range(bank.n_tests) if bank.columns[t] == column and bank.values[t] == N) for column in range(3)
    )
    return {
        "T1": [a2, a1, ~N, ~Y, a1, ~N, ~Y],
        "T2": [a1, a3, ~N, ~Y, ~Y],
        "T3": [a2, a1, ~N, ~Y, a3, ~N, ~Y],
        "T4": [a1, a1, ~N, ~Y, ~Y],
    }


CUT = {"T3": ("T1", 4, "T2", 1), "T4": ("T2", 1, "T1", 4)}  # mother, her node, father, his node


def key_for(trees, child):
    """The first key whose crossover takes the nodes of Figure 2."""
    mother, cut, father, graft = CUT[child]
    sizes = len(trees[mother]), len(trees[father])
    return next(key for key in range(10_000) if (below(key, 1, sizes[0]), below(key, 2, sizes[1])) == (cut, graft))


def fitness(n_correct, leaves, x=1):
    """Fitness as that section computes it."""
    return Fraction(n_correct**2 * x, leaves**2 + x)


FITNESS = {"T1": Fraction(4, 17), "T2": Fraction(9, 10), "T3": Fraction(4, 17), "T4": Fraction(4, 10)}
CORRECT = {"T1": 2, "T2": 3, "T3": 2, "T4": 2}


@pytest.mark.parametrize("name", ["T1", "T2"])
def test_the_oracle_finds_the_fitness_of_the_parents(problem, trees, name):
    plain = plain_problem(problem)

    tree = classify(from_genes(trees[name]), plain.everyone, plain, Meter())

    assert hits(tree) == CORRECT[name]
    assert fitness(hits(tree), n_leaves(tree)) == FITNESS[name]


def test_the_terms_of_the_parents_fitness_are_those_printed(problem, trees):
    plain = plain_problem(problem)

    first, second = (classify(from_genes(trees[name]), plain.everyone, plain, Meter()) for name in ("T1", "T2"))

    assert (hits(first.left), hits(first.right)) == (0, 2)
    assert (n_leaves(first.left), n_leaves(first.right)) == (2, 2)
    assert (hits(second.left), hits(second.right)) == (2, 1)
    assert (n_leaves(second.left), n_leaves(second.right)) == (2, 1)


@pytest.mark.parametrize(("child", "examined"), [("T3", {1, 3}), ("T4", {0, 1})], ids=["T3: I2, I4", "T4: I1, I2"])
def test_the_oracle_examines_two_of_four_instances_again(problem, trees, child, examined):
    plain = plain_problem(problem)
    mother, cut, father, _ = CUT[child]
    parents = [classify(from_genes(trees[name]), plain.everyone, plain, Meter()) for name in (mother, father)]
    meter = Meter()

    bred = cross_subtree(*parents, plain, key_for(trees, child))
    done = refresh(bred, plain, meter)

    assert genes(bred) == trees[child]
    assert [place for place, _ in stale_places(bred)] == [cut]
    stale = bred.right if child == "T3" else bred.left
    assert isinstance(stale, Stale)
    assert set(stale.rows) == examined
    assert (meter.instances, meter.checks) == (2, 4)
    assert hits(done) == CORRECT[child]
    assert fitness(hits(done), n_leaves(done)) == FITNESS[child]


def test_the_new_error_of_t4_is_the_first_instance(problem, trees):
    plain = plain_problem(problem)
    second, fourth = (classify(from_genes(trees[name]), plain.everyone, plain, Meter()) for name in ("T2", "T4"))

    def errors(tree):
        """Instances whose leaf has another class."""
        leaves = [subtree(tree, place) for place, gene in enumerate(genes(tree)) if gene < 0]
        return {row for leaf in leaves for row in rows_of(leaf) if plain.classes[row] != leaf.label}

    assert errors(fourth) - errors(second) == {0}
    assert errors(second) == {2}


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_finds_the_fitness_of_the_parents(problem, trees, backend):
    engine = BACKENDS[backend](problem)

    handles = engine.adopt([np.array(trees[name], np.int32) for name in ("T1", "T2")])

    record = engine.record(handles)
    found = [fitness(int(n), int(size)) for n, size in zip(record.hits, record.leaves, strict=True)]
    assert found == [FITNESS["T1"], FITNESS["T2"]]
    assert told(engine, handles[0])[2] == [2, 0, 0, 0, 2, 1, 1]
    assert told(engine, handles[1])[2] == [3, 2, 1, 1, 1]


@pytest.mark.parametrize("inherit", [True, False], ids=["inherited", "from scratch"])
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("child", "checks_full"), [("T3", 12), ("T4", 10)])
def test_every_backend_breeds_the_children_and_examines_half_of_the_table(
    problem, trees, backend, inherit, child, checks_full
):
    engine = BACKENDS[backend](replace(problem, inherit=inherit))
    mother, _, father, _ = CUT[child]
    handles = engine.adopt([np.array(trees[name], np.int32) for name in (mother, father)])

    born, ledger = breed_one(engine, handles[0], handles[1], key_for(trees, child))

    row, _, right = told(engine, born)
    assert row == trees[child]
    assert fitness(right[0], (len(row) + 1) // 2) == FITNESS[child]
    assert ledger[:4] == [2, 4, 4, checks_full]
