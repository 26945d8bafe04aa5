"""Leaf-Change: a leaf gets another class (the paper, Table 1)."""

from heirwood.oracle.draws import below
from heirwood.oracle.mutation.rng_slots import LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Tree, replace


def leaf_change(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree:
    """Return the tree with the class of a leaf drawn anew."""
    label = below(key, slot + LABEL, problem.n_classes)
    return replace(tree, place, lambda _: Leaf(label))
