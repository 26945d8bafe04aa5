"""Node-Prune: an inner node becomes a leaf, all structure below is discarded (the paper, Table 1)."""

from heirwood.oracle.draws import below
from heirwood.oracle.mutation.node_change import node_change
from heirwood.oracle.mutation.rng_slots import LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Tree, replace


def node_prune(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree:
    """Return the tree with an inner node turned into a leaf of a drawn class.

    Where the root must stay a test, its test is changed instead.
    """
    if place == 0 and not problem.prune_root:
        return node_change(tree, place, problem, key, slot)
    label = below(key, slot + LABEL, problem.n_classes)
    return replace(tree, place, lambda _: Leaf(label))
