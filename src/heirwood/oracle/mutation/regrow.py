"""Regrow: a leaf or a whole subtree is grown anew, greedily, from a test of its own, a drawn one, or the best."""

from heirwood.oracle.draws import below, draw, draw_test
from heirwood.oracle.greedy import MOST_LEVELS, Growing
from heirwood.oracle.mutation.rng_slots import LABEL, OTHER_LABEL
from heirwood.oracle.node_context import rows_at
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Node, Tree, depth_of, n_leaves, replace, subtree

GREEDY = 32  # a split may look at this part of the answers
OWN, DRAWN, BEST = range(3)  # where the first test comes from


def regrow(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a subtree that is grown anew; None beyond a limit."""
    levels = min(problem.max_depth - depth_of(tree, place), MOST_LEVELS)
    if not problem.attributes or levels < 1:
        return None
    rows = rows_at(tree, place, problem)
    here = subtree(tree, place)
    drawing = draw(key, slot + OTHER_LABEL)
    source = below(key, slot + LABEL, 3)
    own = None
    if source == OWN and isinstance(here, Node):
        own = here.test
    elif source != BEST:
        own = draw_test(drawing, 0, problem.attributes)
    growing = Growing(problem, draw(drawing, 2), below(drawing, 3, 2), problem.n_answers // GREEDY)
    grown, _ = growing.grow(rows, levels, own)
    bred = replace(tree, place, lambda _: grown)
    return bred if n_leaves(bred) <= problem.max_leaf_nodes else None
