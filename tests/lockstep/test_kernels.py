"""Kernel by kernel against the oracle: path and tally, then settle, at every node of a tree."""

import numpy as np
import pytest

from heirwood.core.bitsets import unpack
from heirwood.core.mutation import N_SLOTS
from heirwood.oracle import mutation as slow_mutation
from heirwood.oracle.classify import Meter, leaf_sizes, refresh
from heirwood.oracle.tree import height, hits, rows_of, size, subtree
from tests.core import kernels
from tests.lockstep.trees import classified, genes_of, leaves_of, random_tree
from tests.tables import make_problem

KINDS = {
    "genes": {},
    "majority": {"majority": True},
    "majority of two": {"majority": True, "n_classes": 2},
    "genes, weights": {"weights": np.arange(150) % 7 + 1},
    "costs": {"majority": True, "costs": [[0, 1, 7], [3, 0, 2], [9, 1, 0]]},
    "majority, weights": {"majority": True, "weights": np.arange(150) % 7 + 1},
}


def expected_counts(problem, plain, leaf):
    """A leaf's tallies, counted one row at a time."""
    weight = [0] * problem.rules.n_classes
    for row in leaf.rows:
        weight[plain.classes[row]] += plain.weights[row]
    if problem.majority:
        return [*weight, len(leaf.rows)]
    return [weight[leaf.label], len(leaf.rows)]


@pytest.mark.parametrize("block", [None, 1, 2], ids=["one block", "blocks of one word", "blocks of two"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_tally_counts_the_classes_that_reach_each_leaf_below_a_node(kind, seed, block):
    problem = make_problem(seed, n_rows=150, max_leaf_nodes=9, n_trees=2, **KINDS[kind])
    genes = random_tree(seed, problem, n_leaves=9)
    backend, [tree] = kernels.adopt(problem, genes)
    plain, parent = classified(problem, genes)

    for node in range(len(genes)):
        counts = kernels.tally(backend, tree, node, block)

        below = {node + place: leaf for place, leaf in leaves_of(subtree(parent, node))}
        assert counts == {leaf: expected_counts(problem, plain, below[leaf]) for leaf in below}


@pytest.mark.parametrize("block", [None, 1], ids=["one block", "blocks of one word"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_leaf_at_any_depth_is_tallied_by_the_tests_above_it(kind, block):
    problem = make_problem(5, n_rows=150, max_leaf_nodes=12, n_trees=2, **KINDS[kind])
    backend, [tree] = kernels.adopt(problem, genes := chain(problem, n_tests=11))
    plain, parent = classified(problem, genes)

    for node, leaf in leaves_of(parent):
        counts = kernels.tally(backend, tree, node, block)

        assert counts == {node: expected_counts(problem, plain, leaf)}


def chain(problem, n_tests):
    """A tree whose tests hang below one another; each sends a few of the rows that are left aside."""
    passes = unpack(problem.bank.bits, 150)
    left, above, below = np.ones(150, bool), [], []
    for i in range(n_tests):
        n_passing, n_left = (passes & left).sum(axis=1), left.sum()
        aside = np.minimum(n_passing, n_left - n_passing)
        test = int(np.where(aside == 0, 150, aside).argmin())
        leaf = ~(i % problem.rules.n_classes)
        goes_left = bool(2 * n_passing[test] >= n_left)
        above += [test] if goes_left else [test, leaf]
        below += [leaf] if goes_left else []
        left &= passes[test] == goes_left
    assert left.sum() > 60
    return [*above, ~0, *reversed(below)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", range(12))
def test_settle_brings_labels_and_sums_up_to_date(kind, key):
    problem = make_problem(3, n_rows=150, max_leaf_nodes=12, n_trees=2, **KINDS[kind])
    genes = random_tree(key, problem, n_leaves=8)
    backend, [tree] = kernels.adopt(problem, genes)
    plain, parent = classified(problem, genes)
    place = (5 * key) % len(genes)
    codes = (2, 3) if genes[place] < 0 else (0, 1)
    code = codes[key % 2]
    stale = kernels.mutate(backend, code, tree, place, key, N_SLOTS)

    smallest = kernels.settle(backend, tree, stale)

    done = refresh(slow_mutation.OPERATORS[code](parent, place, plain, key, N_SLOTS), plain, Meter())
    assert kernels.shape_of(backend, tree) == genes_of(done)
    assert kernels.sums_of(backend, tree) == [
        (len(rows_of(subtree(done, i))), hits(subtree(done, i))) for i in range(size(done))
    ]
    assert smallest == min(leaf_sizes(subtree(done, place)))


def test_settling_what_did_not_change_changes_nothing():
    problem = make_problem(4, n_rows=150, max_leaf_nodes=9, n_trees=2, majority=True)
    backend, [tree] = kernels.adopt(problem, random_tree(4, problem, n_leaves=9))
    before = kernels.shape_of(backend, tree), kernels.sums_of(backend, tree)

    for node in range(17):
        kernels.settle(backend, tree, node)

        assert (kernels.shape_of(backend, tree), kernels.sums_of(backend, tree)) == before


def test_a_record_tells_hits_leaves_and_depth():
    problem = make_problem(5, max_leaf_nodes=9, n_trees=4)
    rows_of_genes = [random_tree(seed, problem) for seed in range(4)]
    backend, handles = kernels.adopt(problem, *rows_of_genes)

    record = backend.record(np.array(handles))

    trees = [classified(problem, row)[1] for row in rows_of_genes]
    assert record.hits.tolist() == [hits(tree) for tree in trees]
    assert record.leaves.tolist() == [(len(row) + 1) // 2 for row in rows_of_genes]
    assert record.depth.tolist() == [height(tree) for tree in trees]
    assert (record.total, record.n_rows) == (90, 90)
