"""Whether a new subtree would break a limit on leaves or depth."""

from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Tree, depth_of, n_leaves, subtree


def has_room(tree: Tree, place: int, problem: Problem, leaves: int, depth: int) -> bool:
    """Say whether there is a test, and room at a place for a subtree of so many leaves and that depth."""
    others = n_leaves(tree) - n_leaves(subtree(tree, place))
    small = others + leaves <= problem.max_leaf_nodes and depth_of(tree, place) + depth <= problem.max_depth
    return bool(problem.attributes) and small
