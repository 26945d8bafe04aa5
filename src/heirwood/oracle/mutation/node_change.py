"""Node-Change: an inner node gets another attribute-value test (the paper, Table 1)."""

from heirwood.oracle.draws import draw_test
from heirwood.oracle.mutation.rng_slots import ATTRIBUTE
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Node, Tree, replace


def node_change(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree:
    """Return the tree with the test at a place drawn anew."""
    test = draw_test(key, slot + ATTRIBUTE, problem.attributes)
    return replace(tree, place, lambda node: Node(test, node.left, node.right))
