"""What is kept says nothing twice, and predicts what it did."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heirwood import Breeding, EvolvedTreeClassifier, Payoff
from heirwood.backends.cpu import CpuBackend, spans_and_heights
from heirwood.evolve.tidy import tidy
from tests.estimator.some_data import mixed, numbers, quick
from tests.lockstep.trees import random_tree
from tests.tables import make_problem


def answered(problem):
    """Return which rows pass each test, (n_tests, n_rows)."""
    bits = problem.bank.bits.view(np.uint8)
    return np.unpackbits(bits, axis=1, bitorder="little")[:, : problem.bank.n_rows].astype(bool)


def reached(problem, genes):
    """Return which rows reach each node, by going down from the root."""
    passes = answered(problem)
    span, _ = spans_and_heights(genes)
    reach = np.zeros((len(genes), problem.bank.n_rows), bool)
    reach[0] = True
    for node, gene in enumerate(genes):
        if gene >= 0:
            left = node + 1
            reach[left] = reach[node] & passes[gene]
            reach[left + span[left]] = reach[node] & ~passes[gene]
    return reach


def labels(problem, genes):
    """Return the label that each row gets."""
    given_to = np.full(problem.bank.n_rows, -1)
    for gene, rows in zip(genes.tolist(), reached(problem, genes), strict=True):
        if gene < 0:
            given_to[rows] = ~gene
    return given_to


@given(st.integers(0, 10_000), st.booleans(), st.booleans())
@settings(max_examples=120, deadline=None)
def test_every_row_keeps_its_label_and_nothing_redundant_is_left(seed, majority, weighted):
    weights = np.arange(90) % 4 + 1 if weighted else None
    problem = make_problem(seed % 5, majority=majority, weights=weights, min_rows=0, max_cuts=5)
    backend = CpuBackend(problem)
    (handle,) = backend.adopt([np.array(random_tree(seed, problem), np.int32)])
    genes, rows, _ = backend.genes(int(handle))

    shorter = tidy(genes, rows)

    assert labels(problem, shorter).tolist() == labels(problem, genes).tolist()
    reach = reached(problem, shorter).sum(axis=1)
    span, height = spans_and_heights(shorter)
    assert span[0] == len(shorter) <= len(genes)
    assert height[0] <= spans_and_heights(genes)[1][0]
    for node in np.flatnonzero(shorter >= 0):
        left = node + 1
        right = left + span[left]
        assert reach[left] > 0
        assert reach[right] > 0
        assert not shorter[left] == shorter[right] < 0
    assert tidy(shorter, reach).tolist() == shorter.tolist()


@pytest.mark.parametrize(
    ("genes", "rows", "expected"),
    [
        ([~1], [9], [~1]),
        ([4, ~0, ~1], [9, 4, 5], [4, ~0, ~1]),
        ([4, ~0, ~0], [9, 4, 5], [~0]),
        ([4, ~0, ~1], [9, 0, 9], [~1]),
        ([4, ~0, ~1], [9, 9, 0], [~0]),
        ([4, 1, ~0, ~0, ~2], [9, 5, 2, 3, 4], [4, ~0, ~2]),
        ([4, 1, ~0, ~0, ~0], [9, 5, 2, 3, 4], [~0]),
        ([4, 1, ~0, 2, ~1, ~0, ~0], [9, 5, 2, 3, 0, 3, 4], [~0]),
        ([4, 1, ~0, ~1, 1, ~0, ~1], [9, 5, 2, 3, 4, 2, 2], [4, 1, ~0, ~1, 1, ~0, ~1]),
    ],
)
def test_by_hand(genes, rows, expected):
    assert tidy(np.array(genes, np.int32), np.array(rows)).tolist() == expected


def redundant(view):
    """Return the splits of a tree that say nothing."""
    return [
        place
        for place, node in enumerate(view.nodes)
        if not node.is_leaf
        for left, right in [(view.nodes[view.left(place)], view.nodes[view.right(place)])]
        if (left.is_leaf and right.is_leaf and left.label == right.label) or 0 in (left.n_rows, right.n_rows)
    ]


@pytest.mark.parametrize("payoff", ["gatree", "leaf_cost", "fewest_errors"])
@pytest.mark.parametrize("data", [numbers(), (pd.DataFrame(mixed()[0]), mixed()[1])], ids=["numbers", "mixed"])
def test_no_tree_of_a_hall_has_a_redundant_split(data, payoff):
    estimator = quick(payoff=payoff, min_samples_leaf=0).fit(*data)

    assert [redundant(entry.tree) for entry in estimator.hall_] == [[]] * len(estimator.hall_)
    sizes = [entry.leaves for entry in estimator.hall_]
    assert sizes == sorted(set(sizes))
    assert sizes == [entry.tree.n_leaves for entry in estimator.hall_]
    assert estimator.hall_[estimator.hall_.chosen].payoff == max(entry.payoff for entry in estimator.hall_)


def test_the_payoff_of_a_tree_that_got_smaller_is_that_of_its_size():
    estimator = quick(payoff=Payoff("leaf_cost", cost=0.002)).fit(*numbers())

    for entry in estimator.hall_:
        hits = round(entry.accuracy * 120)
        assert entry.payoff == hits / 120 - 0.002 * entry.leaves


def test_a_payoff_that_likes_large_trees_keeps_them():
    likes_large = {"payoff": lambda trees: trees.leaves + trees.accuracy, "max_leaf_nodes": 9}
    estimator = EvolvedTreeClassifier.blind(population_size=24, generations=12, random_state=0, **likes_large)
    estimator.fit(*numbers())

    assert estimator.get_n_leaves() == 9
    assert any(redundant(entry.tree) for entry in estimator.hall_)


def test_the_papers_trees_are_shown_as_they_were_bred():
    estimator = EvolvedTreeClassifier.gatree(population_size=30, generations=5, random_state=0).fit(*numbers())

    assert any(redundant(entry.tree) for entry in estimator.hall_)
    majority = Breeding(labels="majority")
    assert not any(redundant(entry.tree) for entry in estimator.set_params(breeding=majority).fit(*numbers()).hall_)
