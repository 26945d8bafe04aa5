"""Every operator against its namesake: same key, same child, same stale node, same inherited sums.

Joining the tuples of core and oracle is enough to be tested here.
"""

from functools import cache

import pytest

from heirwood.core import crossover, mutation
from heirwood.oracle import crossover as slow_crossover
from heirwood.oracle import mutation as slow_mutation
from heirwood.oracle.tree import stale_places
from tests.core import kernels
from tests.lockstep.trees import classified, genes_of, random_tree, settled_sums
from tests.tables import INFORMED_OPERATORS, make_problem

COSTS = [[0, 1, 7], [3, 0, 2.5], [20, 0.3, 0]]
MUTATIONS = range(len(mutation.OPERATORS))
CROSSOVERS = range(len(crossover.OPERATORS))


@cache
def problem(variant):
    """Tables of several kinds; the limits are low enough that some children break them."""
    limits = {"max_leaf_nodes": 7, "max_depth": 4, "n_rows": 70, "n_trees": 4}
    variants = (
        {"majority": True, "price": 1.5, "n_answers": 2**20, "max_cuts": 4},
        {"cuts": "integers", "prune_root": False},
        {"n_classes": 2, "weights": [1 + row % 5 for row in range(70)], "max_cuts": 3, "room": 4},
        {"majority": True, "costs": COSTS, "price": 2.5},
        {"majority": True, "costs": COSTS, "weights": [1 + row % 5 for row in range(70)], "n_answers": 150},
        {"majority": True, "loss": "log_loss", "price": 30_000.0, "max_cuts": 4},
        {"majority": True, "loss": "brier", "weights": [1 + row % 5 for row in range(70)], "n_answers": 150},
    )
    return make_problem(variant, **limits, **variants[variant])


def test_core_and_oracle_have_the_same_operators_in_the_same_order():
    assert [f.__name__ for f in mutation.OPERATORS] == [f.__name__ for f in slow_mutation.OPERATORS]
    assert [f.__name__ for f in crossover.OPERATORS] == [f.__name__ for f in slow_crossover.OPERATORS]
    assert len(mutation.WHERE) == len(mutation.OPERATORS)


def test_whole_runs_in_lock_step_have_every_operator_that_looks_at_rows():
    # `improve` calls each by a line of its own: only a run would notice that one is not there.
    assert {f.__name__ for f in mutation.INFORMED} <= INFORMED_OPERATORS.keys()


def assert_inherited(backend, tree, expected):
    """Genes, spans and heights are the oracle's, and so are all sums that nothing stale can change."""
    assert kernels.shape_of(backend, tree) == genes_of(expected)
    sums = kernels.sums_of(backend, tree)
    inherited = settled_sums(expected)
    assert {place: sums[place] for place in inherited} == inherited


@pytest.mark.parametrize("key", range(50))
@pytest.mark.parametrize("code", MUTATIONS, ids=lambda code: mutation.OPERATORS[code].__name__)
def test_a_mutation_of_one_key_gives_the_oracles_child(code, key):
    chosen = problem(key % 7)
    genes = random_tree(key, chosen, n_leaves=2 + key % 6 if mutation.WHERE[code] == mutation.INNER else 1 + key % 7)
    backend, [tree] = kernels.adopt(chosen, genes)
    plain, parent = classified(chosen, genes)
    kind = mutation.WHERE[code]
    places = [
        i for i, gene in enumerate(genes) if kind in (mutation.ANY, mutation.LEAF if gene < 0 else mutation.INNER)
    ]
    place = places[(key // 3) % len(places)]
    slot = mutation.N_SLOTS * (1 + key % 2)

    context = kernels.sight_of(backend)
    if chosen.bank.exact is not None:
        context.values.lent[0] = plain.room.lent = chosen.bank.n_tests + key % 4

    stale = kernels.mutate(backend, code, tree, place, key, slot, context)

    expected = slow_mutation.OPERATORS[code](parent, place, plain, key, slot)
    if expected is None:
        assert stale is None
    else:
        assert [stale] == [at for at, _ in stale_places(expected)]
        assert_inherited(backend, tree, expected)


@pytest.mark.parametrize("key", range(50))
@pytest.mark.parametrize("code", CROSSOVERS, ids=lambda code: crossover.OPERATORS[code].__name__)
def test_a_crossover_of_one_key_gives_the_oracles_child(code, key):
    chosen = problem(key % 7)
    rows_of_genes = [random_tree(key, chosen), random_tree(key + 1000, chosen)]
    backend, [mother, father, child] = kernels.adopt(chosen, *rows_of_genes, rows_of_genes[0])
    plain, slow_mother = classified(chosen, rows_of_genes[0])
    _, slow_father = classified(chosen, rows_of_genes[1])
    parents = [backend.genes(tree) for tree in (mother, father)]

    stale = kernels.cross(backend, code, mother, father, child, key)

    expected = slow_crossover.OPERATORS[code](slow_mother, slow_father, plain, key)
    if expected is None:
        assert stale is None
    else:
        assert stale == [at for at, _ in stale_places(expected)]
        assert_inherited(backend, child, expected)
    for tree, before in zip((mother, father), parents, strict=True):
        assert [a.tolist() for a in backend.genes(tree)] == [a.tolist() for a in before]


def test_some_of_these_children_break_a_limit_and_some_have_nothing_stale():
    outcomes = set()

    for key in range(50):
        chosen = problem(key % 3)
        rows_of_genes = [random_tree(key, chosen), random_tree(key + 1000, chosen)]
        backend, [mother, father, child] = kernels.adopt(chosen, *rows_of_genes, rows_of_genes[0])
        stale = kernels.cross(backend, 0, mother, father, child, key)
        outcomes.add("broken" if stale is None else "stale" if stale else "nothing stale")

    assert outcomes == {"broken", "stale", "nothing stale"}
