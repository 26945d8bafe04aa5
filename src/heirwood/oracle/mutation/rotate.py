"""Rotate: a test changes places with the one below it, as in a balanced search tree."""

from heirwood.oracle.draws import below
from heirwood.oracle.mutation.rng_slots import LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Node, Tree, depth_of, height, replace, strip, subtree


def rotate(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree rotated to a drawn side, or the other where that is a leaf; None where both are."""
    node = strip(subtree(tree, place))
    assert isinstance(node, Node)
    sides = (isinstance(node.left, Node), isinstance(node.right, Node))
    if not any(sides):
        return None
    leftwards = sides[1] and (below(key, slot + LABEL, 2) == 1 or not sides[0])
    turned = turn_left(node) if leftwards else turn_right(node)
    if depth_of(tree, place) + height(turned) > problem.max_depth:
        return None
    return replace(tree, place, lambda _: turned)


def turn_left(node: Node) -> Node:
    """A(x, B(y, z)) becomes B(A(x, y), z)."""
    lower = node.right
    assert isinstance(lower, Node)
    return Node(lower.test, Node(node.test, node.left, lower.left), lower.right)


def turn_right(node: Node) -> Node:
    """A(B(x, y), z) becomes B(x, A(y, z))."""
    lower = node.left
    assert isinstance(lower, Node)
    return Node(lower.test, lower.left, Node(node.test, lower.right, node.right))
