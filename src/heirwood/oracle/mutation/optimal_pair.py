"""Optimal-Pair: a leaf or a whole subtree becomes the best subtree of depth two."""

import math

from heirwood.oracle.draws import draw, draw_test
from heirwood.oracle.mistake_costs import best_hits, best_label
from heirwood.oracle.mutation.rng_slots import OTHER_LABEL
from heirwood.oracle.mutation.size_limits import has_room
from heirwood.oracle.node_context import DRAWN, ERRORS, divide, find_split, make_stump, rows_at, weigh
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Tree, n_leaves, replace


def optimal_pair(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a subtree turned into the best of depth two; None beyond a limit.

    What gets most right wins, less the price of its leaves; then the fewest leaves, then the first that was looked at.
    """
    if not has_room(tree, place, problem, leaves=4, depth=2):
        return None
    pair, _ = best_pair(rows_at(tree, place, problem), problem, draw(key, slot + OTHER_LABEL))
    return None if pair is None else replace(tree, place, lambda _: pair)


def best_pair(rows: list[int], problem: Problem, drawing: int) -> tuple[Tree | None, float]:
    """Return the best subtree of depth two for some instances, and its worth: less the price of its leaves but one."""
    best, rank = None, (-math.inf, 0)
    affordable = problem.n_answers // (max(len(rows), 1) * len(problem.attributes))
    tops = tests_on_top(affordable, problem, drawing)
    n_answers = problem.n_answers if affordable >= len(tops) else DRAWN
    for i, test in enumerate(tops):
        passed, failed = divide(rows, test, problem)
        if min(len(passed), len(failed)) < max(problem.min_rows, 1):
            continue
        inside = 2 * (len(tops) + i)
        left, left_worth = best_side(passed, problem, draw(drawing, inside), n_answers)
        right, right_worth = best_side(failed, problem, draw(drawing, inside + 1), n_answers)
        pair, worth = Node(test, left, right), left_worth + right_worth - problem.price
        if (worth, -n_leaves(pair)) > rank:
            best, rank = pair, (worth, -n_leaves(pair))
    return best, rank[0]


def tests_on_top(affordable: int, problem: Problem, drawing: int) -> list[int]:
    """Return all tests, or as many drawn ones as the operator may look below, but some at least."""
    tests = [test for attribute in problem.attributes for test, _ in attribute]
    n = max(affordable, problem.n_drawn)
    return tests if n >= len(tests) else [draw_test(drawing, 2 * i, problem.attributes) for i in range(n)]


def best_side(rows: list[int], problem: Problem, key: int, n_answers: int) -> tuple[Tree, float]:
    """Return the best stump for some instances, or a leaf if that is no worse, and its worth."""
    weights = weigh(rows, problem)
    test = find_split(rows, problem, key, ERRORS, n_answers)
    as_leaf = best_hits(weights, problem)
    if test is not None:
        hits = sum(best_hits(weigh(side, problem), problem) for side in divide(rows, test, problem))
        if hits - problem.price > float(as_leaf):
            return make_stump(rows, test, problem), hits - problem.price
    return Leaf(best_label(weights, problem)), float(as_leaf)
