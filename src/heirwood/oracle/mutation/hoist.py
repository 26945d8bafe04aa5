"""Hoist: one of an inner node's subtrees takes its place."""

from heirwood.oracle.draws import below
from heirwood.oracle.mutation.rng_slots import LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Tree, replace


def hoist(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree:
    """Return the tree with the left or the right subtree of a node in its place."""
    to_right = below(key, slot + LABEL, 2) == 1
    return replace(tree, place, lambda node: node.right if to_right else node.left)
