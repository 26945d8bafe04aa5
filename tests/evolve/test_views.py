"""From genes to a readable tree: rows and weights at every node, counted by brute force."""

from dataclasses import replace

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.bitsets import unpack
from heirwood.core.draws import child_keys
from heirwood.evolve.views import Weigher, drawn
from tests.tables import make_problem

CLASSES = ("a", "b", "c")


@pytest.fixture(params=[None, "weights"])
def problem(request):
    weights = np.random.default_rng(1).integers(1, 9, 90) if request.param else None
    return make_problem(2, weights=weights, majority=True, mutation_rate=1.0)


def some_genes(problem, generations=6):
    """Breed a few generations of whoever comes next, and return a population."""
    backend = BACKENDS["cpu"](problem)
    handles = backend.start(child_keys(0, 0, 20))
    for generation in range(1, generations):
        children = backend.breed(handles, np.roll(handles, 1), child_keys(0, generation, 20))
        backend.refresh(children)
        handles = children.copy()
        backend.keep(handles)
    return [backend.genes(int(handle)) for handle in handles]


def rows_at(node, genes, problem, here=0, rows=None):
    """Yield the rows at every node of a tree in preorder, recursively."""
    rows = np.ones(90, bool) if rows is None else rows
    yield rows
    if not node.is_leaf(here):
        passed = unpack(problem.bank.bits[genes[here]], 90)
        yield from rows_at(node, genes, problem, node.left(here), rows & passed)
        yield from rows_at(node, genes, problem, node.right(here), rows & ~passed)


def test_every_node_says_which_weight_arrives(problem):
    target = problem.target
    weigher = Weigher(problem.bank, replace(target, unit=0.5), CLASSES)

    for genes, _, _ in some_genes(problem):
        view = weigher.view(genes).validate()

        for node, rows in zip(view.nodes, rows_at(view, genes, problem), strict=True):
            assert node.n_rows == rows.sum()
            expected = [int(target.weights[rows & (target.codes == c)].sum()) * 0.5 for c in range(3)]
            assert list(node.weights) == expected


def test_an_event_draws_the_same_tree(problem):
    weigher = Weigher(problem.bank, problem.target, CLASSES)

    for genes, rows, hits in some_genes(problem):
        view = weigher.view(genes)

        told = drawn(genes, rows, hits, problem.bank, CLASSES)

        assert [text for text, *_ in told] == [
            str(node.question) if node.question else CLASSES[node.label] for node in view.nodes
        ]
        assert [span for _, span, _, _ in told] == [node.span for node in view.nodes]
        assert [n for _, _, n, _ in told] == [node.n_rows for node in view.nodes]
        assert told[0][3] == sum(node.weights[node.label] for node in view.nodes if node.is_leaf)
