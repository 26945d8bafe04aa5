"""Replace-Best: an inner node gets the best of some drawn tests; what is below it stays."""

from heirwood.oracle.draws import below, draw
from heirwood.oracle.mutation.rng_slots import LABEL, OTHER_LABEL
from heirwood.oracle.node_context import DRAWN, find_split, rows_at
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Node, Tree, replace


def replace_best(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with another test at a place; None where no drawn test divides its instances."""
    criterion = below(key, slot + LABEL, 2)
    rows = rows_at(tree, place, problem)
    test = find_split(rows, problem, draw(key, slot + OTHER_LABEL), criterion, DRAWN)
    return None if test is None else replace(tree, place, lambda node: Node(test, node.left, node.right))
