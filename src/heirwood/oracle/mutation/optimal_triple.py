"""Optimal-Triple: a leaf or a whole subtree becomes the best subtree of depth three, over all tests of the bank."""

import math

from heirwood.oracle.costs import best_hits, best_label
from heirwood.oracle.draws import draw
from heirwood.oracle.mutation.limits import has_room
from heirwood.oracle.mutation.optimal_pair import best_pair, optimal_pair
from heirwood.oracle.mutation.slots import OTHER_LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.sight import answers_needed, divide, rows_at, weigh
from heirwood.oracle.tree import Leaf, Node, Tree, n_leaves, replace

DEARER = 8  # times the answers that other operators may look at


def optimal_triple(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a subtree turned into the best of depth three, or of depth two; None beyond a limit."""
    rows = rows_at(tree, place, problem)
    tests = [test for attribute in problem.attributes for test, _ in attribute]
    needed = answers_needed(len(rows), problem)
    too_much = needed * len(tests) ** 2 > DEARER * problem.n_answers or len(tests) * len(rows) > problem.n_answers
    if too_much or not has_room(tree, place, problem, leaves=8, depth=3):
        return optimal_pair(tree, place, problem, key, slot)
    drawing = draw(key, slot + OTHER_LABEL)
    best, rank = None, (-math.inf, 0)
    for test in tests:
        passed, failed = divide(rows, test, problem)
        if min(len(passed), len(failed)) < max(problem.min_rows, 1):
            continue
        left, left_worth = pair_or_leaf(passed, problem, draw(drawing, 2 * test))
        right, right_worth = pair_or_leaf(failed, problem, draw(drawing, 2 * test + 1))
        triple, worth = Node(test, left, right), left_worth + right_worth - problem.price
        if (worth, -n_leaves(triple)) > rank:
            best, rank = triple, (worth, -n_leaves(triple))
    return None if best is None else replace(tree, place, lambda _: best)


def pair_or_leaf(rows: list[int], problem: Problem, drawing: int) -> tuple[Tree, float]:
    """Return the best subtree of depth two for some instances, or a leaf if that is no worse, and its worth."""
    weights = weigh(rows, problem)
    pair, worth = best_pair(rows, problem, drawing)
    as_leaf = best_hits(weights, problem)
    if pair is not None and worth > as_leaf:
        return pair, worth
    return Leaf(best_label(weights, problem)), float(as_leaf)
