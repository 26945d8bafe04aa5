"""Optimal-Stump: a leaf or a whole subtree becomes the one test that leaves the fewest errors there."""

from heirwood.oracle.draws import draw
from heirwood.oracle.mutation.rng_slots import OTHER_LABEL
from heirwood.oracle.mutation.size_limits import has_room
from heirwood.oracle.node_context import ERRORS, find_split, make_stump, rows_at
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Tree, replace


def optimal_stump(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a subtree turned into its best test with two leaves; None beyond a limit."""
    if not has_room(tree, place, problem, leaves=2, depth=1):
        return None
    rows = rows_at(tree, place, problem)
    test = find_split(rows, problem, draw(key, slot + OTHER_LABEL), ERRORS, problem.n_answers)
    return None if test is None else replace(tree, place, lambda _: make_stump(rows, test, problem))
