"""Trees as rows of integers: paths, copies, and spans and heights that always fit the genes."""

import pytest

from heirwood.core.mutation import ANY, INNER, LEAF, N_SLOTS, OPERATORS, WHERE
from heirwood.oracle.tree import Node, from_genes, size
from tests.core import kernels
from tests.lockstep.trees import genes_of, random_tree
from tests.tables import make_problem

PROBLEM = make_problem(1, n_rows=70, max_leaf_nodes=12, n_trees=8)


def ancestors(tree, place):
    """The places above a node, root first, by recursion."""
    if place == 0:
        return []
    assert isinstance(tree, Node)
    n_left = size(tree.left)
    if place <= n_left:
        return [0, *(1 + above for above in ancestors(tree.left, place - 1))]
    return [0, *(1 + n_left + above for above in ancestors(tree.right, place - 1 - n_left))]


@pytest.mark.parametrize("seed", range(10))
def test_a_path_lists_the_ancestors_of_a_node(seed):
    genes = random_tree(seed, PROBLEM)
    backend, [tree] = kernels.adopt(PROBLEM, genes)

    paths = [kernels.path_to(backend, tree, node) for node in range(len(genes))]

    assert paths == [ancestors(from_genes(genes), node) for node in range(len(genes))]


@pytest.mark.parametrize("seed", range(10))
def test_an_adopted_tree_has_the_spans_and_heights_of_its_genes(seed):
    genes = random_tree(seed, PROBLEM)

    backend, [tree] = kernels.adopt(PROBLEM, genes)

    assert kernels.shape_of(backend, tree) == genes_of(from_genes(genes))


@pytest.mark.parametrize("seed", range(5))
def test_a_copy_is_the_tree_with_its_sums_and_nothing_of_what_was_there(seed):
    small, large = random_tree(seed, PROBLEM, n_leaves=3), random_tree(seed, PROBLEM, n_leaves=9)
    backend, [source, other, target] = kernels.adopt(PROBLEM, small, large, large)
    before = [array.tolist() for array in backend.genes(other)]

    kernels.copy_whole(backend, source, target)

    assert kernels.shape_of(backend, target) == kernels.shape_of(backend, source)
    assert kernels.sums_of(backend, target) == kernels.sums_of(backend, source)
    assert [array.tolist() for array in backend.genes(other)] == before


@pytest.mark.parametrize("seed", range(20))
def test_spans_and_heights_fit_the_genes_after_any_sequence_of_mutations(seed):
    backend, [tree] = kernels.adopt(PROBLEM, random_tree(seed, PROBLEM, n_leaves=6))

    for step in range(12):
        genes, _, _ = kernels.shape_of(backend, tree)
        node = (7 * seed + 5 * step) % len(genes)
        here = LEAF if genes[node] < 0 else INNER
        codes = [code for code in range(len(OPERATORS)) if WHERE[code] in (ANY, here)]
        kernels.mutate(backend, codes[(seed + step) % len(codes)], tree, node, 100 * seed + step, N_SLOTS)
        shape = kernels.shape_of(backend, tree)

        assert shape == genes_of(from_genes(shape[0]))
