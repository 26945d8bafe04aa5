"""Optimal-Pair: a leaf or a whole subtree becomes the best subtree of depth two, for some drawn tests on top."""

from heirwood.oracle.draws import draw
from heirwood.oracle.mutation.limits import has_room
from heirwood.oracle.mutation.slots import OTHER_LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.sight import ERRORS, candidates, divide, find_split, heaviest, make_stump, rows_at, weigh
from heirwood.oracle.tree import Leaf, Node, Tree, n_leaves, replace


def optimal_pair(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with a subtree turned into the best of depth two; None beyond a limit.

    The fewest errors win, then the fewest leaves, then the first that was looked at.
    """
    if not has_room(tree, place, problem, leaves=4, depth=2):
        return None
    rows = rows_at(tree, place, problem)
    drawing = draw(key, slot + OTHER_LABEL)
    best, rank = None, (-1, 0)
    for i, test in enumerate(candidates(problem, drawing, exhaustive=False)):
        passed, failed = divide(rows, test, problem)
        if min(len(passed), len(failed)) < max(problem.min_rows, 1):
            continue
        inside = 2 * (problem.n_drawn + i)
        left, left_hits = best_side(passed, problem, draw(drawing, inside))
        right, right_hits = best_side(failed, problem, draw(drawing, inside + 1))
        pair = Node(test, left, right)
        if (left_hits + right_hits, -n_leaves(pair)) > rank:
            best, rank = pair, (left_hits + right_hits, -n_leaves(pair))
    return None if best is None else replace(tree, place, lambda _: best)


def best_side(rows: list[int], problem: Problem, key: int) -> tuple[Tree, int]:
    """Return the best stump for some instances, or a leaf if that is no worse, and what it gets right."""
    weights = weigh(rows, problem)
    test = find_split(rows, problem, key, ERRORS, exhaustive=True)
    if test is not None:
        hits = sum(max(weigh(side, problem)) for side in divide(rows, test, problem))
        if hits > max(weights):
            return make_stump(rows, test, problem), hits
    return Leaf(heaviest(weights)), max(weights)
