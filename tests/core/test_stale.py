"""Which nodes are stale, against a definition by sets.

Every node that must be tallied again is in a set; a change drops the nodes it replaced, moves those
behind them, and adds the nodes it put there. The stale nodes are the topmost ones of that set.
"""

import numpy as np
import pytest

from tests.core import kernels
from tests.lockstep.trees import random_genes


def spans_of(genes):
    spans = [1] * len(genes)
    for node in range(len(genes) - 1, -1, -1):
        if genes[node] >= 0:
            left = node + 1
            spans[node] = 1 + spans[left] + spans[left + spans[left]]
    return spans


def topmost(covered, spans):
    """The nodes of a set that lie below no other node of it."""
    below = {node for top in covered for node in range(top + 1, top + spans[top])}
    return sorted(covered - below)


@pytest.mark.parametrize("seed", range(60))
def test_stale_nodes_are_the_topmost_nodes_to_tally_again(seed):
    rng = np.random.default_rng(seed)
    genes = random_genes(rng, int(rng.integers(1, 9)), 5, 2)
    covered, stale = set(), []

    for _ in range(4):
        spans = spans_of(genes)
        node = int(rng.integers(len(genes)))
        grafted = random_genes(rng, int(rng.integers(1, 4)), 5, 2)
        old, new = spans[node], len(grafted)
        genes = genes[:node] + grafted + genes[node + old :]
        moved = {other if other < node else other + new - old for other in covered if not node <= other < node + old}
        covered = moved | set(range(node, node + new))
        stale = kernels.mark_stale(spans_of(genes), stale, node, old, new)

        assert sorted(stale) == topmost(covered, spans_of(genes))


def test_a_change_above_a_stale_node_swallows_it():
    spans = [5, 3, 1, 1, 1]

    assert kernels.mark_stale(spans, [2], 1, 3, 3) == [1]


def test_a_change_inside_a_stale_node_adds_nothing():
    spans = [5, 3, 1, 1, 1]

    assert kernels.mark_stale(spans, [1], 2, 1, 1) == [1]


def test_a_change_before_a_stale_node_moves_it():
    spans = [5, 3, 1, 1, 1]  # node 1 was a leaf and node 2 stale: now they are nodes 1 to 3 and node 4

    assert sorted(kernels.mark_stale(spans, [2], 1, 1, 3)) == [1, 4]


def test_a_change_that_shrinks_the_tree_moves_a_stale_node_back():
    spans = [3, 1, 1]

    assert sorted(kernels.mark_stale(spans, [4], 1, 3, 1)) == [1, 2]
