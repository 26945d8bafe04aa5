"""The tree that people read counts what the oracle counts, at every node."""

from dataclasses import replace

import numpy as np
import pytest

from heirwood.backends.cpu import spans_and_heights
from heirwood.evolve.views import Weigher, drawn
from heirwood.oracle.tree import rows_of, size, subtree
from tests.lockstep.trees import classified, genes_of, random_tree
from tests.tables import make_problem


@pytest.mark.parametrize("weights", [None, np.arange(90) % 6 + 1], ids=["rows", "weights"])
@pytest.mark.parametrize("seed", range(6))
def test_a_view_tells_the_rows_and_the_weight_of_each_class(seed, weights):
    problem = make_problem(seed, weights=weights, max_leaf_nodes=8)
    genes = random_tree(seed, problem)
    plain, tree = classified(problem, genes)

    weigher = Weigher(problem.bank, replace(problem.target, unit=0.5), ("a", "b", "c"))
    view = weigher.view(np.array(genes, np.int32))

    assert len(view.nodes) == size(tree)
    for place, node in enumerate(view.nodes):
        rows = rows_of(subtree(tree, place))
        weight = [0.5 * sum(plain.weights[row] for row in rows if plain.classes[row] == c) for c in range(3)]
        assert (node.n_rows, list(node.weights)) == (len(rows), weight)
        assert node.span == size(subtree(tree, place))
        assert node.label == (~genes[place] if genes[place] < 0 else weight.index(max(weight)))


def test_a_drawn_tree_has_words_for_every_node():
    problem = make_problem(1, missing=0.0)
    bank = problem.bank
    colour = next(test for test in range(bank.n_tests) if bank.columns[test] == 2)

    nodes = drawn(np.array([colour, ~0, ~2]), np.array([90, 40, 50]), np.array([60, 30, 30]), bank, ("a", "b", "c"))

    assert nodes == [["colour = blue", 3, 90, 60], ["a", 1, 40, 30], ["c", 1, 50, 30]]


@pytest.mark.parametrize("seed", range(10))
def test_spans_and_heights_follow_from_genes(seed):
    problem = make_problem(0, max_leaf_nodes=15)
    genes = random_tree(seed, problem)

    span, height = spans_and_heights(np.array(genes))

    _, expected_span, expected_height = genes_of(classified(problem, genes)[1])
    assert (span.tolist(), height.tolist()) == (expected_span, expected_height)
