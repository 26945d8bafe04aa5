"""Subtree crossover, the one crossover of the paper (Figure 1), one child per pair."""

from heirwood.oracle.draws import below
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Tree, depth_of, height, n_leaves, replace, size, subtree

MOTHER_NODE, FATHER_NODE = 1, 2  # slots


def cross_subtree(mother: Tree, father: Tree, problem: Problem, key: int) -> Tree | None:
    """Return the mother with a drawn subtree replaced by one of the father; None beyond a limit."""
    cut = below(key, MOTHER_NODE, size(mother))
    graft = below(key, FATHER_NODE, size(father))
    if cut == 0 and graft == 0:
        return father  # both roots: a swap of fitness, nothing is examined
    donated = subtree(father, graft)
    child = replace(mother, cut, lambda _: donated)
    too_deep = depth_of(mother, cut) + height(donated) > problem.max_depth
    if n_leaves(child) > problem.max_leaf_nodes or too_deep:
        return None
    return child
