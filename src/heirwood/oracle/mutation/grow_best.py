"""Grow-Best: a leaf becomes the best of some drawn tests, with two leaves."""

from heirwood.oracle.draws import below, draw
from heirwood.oracle.mutation.rng_slots import LABEL, OTHER_LABEL
from heirwood.oracle.mutation.size_limits import has_room
from heirwood.oracle.node_context import DRAWN, find_split, make_stump, rows_at
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Tree, replace


def grow_best(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a leaf turned into the best drawn test, by errors or purity; None beyond a limit."""
    if not has_room(tree, place, problem, leaves=2, depth=1):
        return None
    rows = rows_at(tree, place, problem)
    criterion = below(key, slot + LABEL, 2)
    test = find_split(rows, problem, draw(key, slot + OTHER_LABEL), criterion, DRAWN)
    return None if test is None else replace(tree, place, lambda _: make_stump(rows, test, problem))
