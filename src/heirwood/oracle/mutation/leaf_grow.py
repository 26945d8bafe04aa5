"""Leaf-Grow (ours): a leaf becomes a drawn test with two leaves."""

from heirwood.oracle.draws import below, draw_test
from heirwood.oracle.mutation.rng_slots import ATTRIBUTE, LABEL, OTHER_LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Tree, depth_of, n_leaves, replace


def leaf_grow(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a leaf turned into a test with two leaves; None beyond a limit."""
    too_large = n_leaves(tree) + 1 > problem.max_leaf_nodes
    too_deep = depth_of(tree, place) + 1 > problem.max_depth
    if not problem.attributes or too_large or too_deep:
        return None
    test = draw_test(key, slot + ATTRIBUTE, problem.attributes)
    left = Leaf(below(key, slot + LABEL, problem.n_classes))
    right = Leaf(below(key, slot + OTHER_LABEL, problem.n_classes))
    return replace(tree, place, lambda _: Node(test, left, right))
