"""Regrow: a leaf or a whole subtree is grown anew, greedily, from a test of its own, a drawn one, or the best."""

from itertools import count

from heirwood.oracle.costs import best_label, hits_of, most_hits
from heirwood.oracle.draws import below, draw, draw_test
from heirwood.oracle.mutation.slots import LABEL, OTHER_LABEL
from heirwood.oracle.problem import Problem
from heirwood.oracle.sight import divide, find_split, rows_at, weigh
from heirwood.oracle.tree import Leaf, Node, Tree, depth_of, n_leaves, replace, subtree

MOST_LEVELS = 9
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
    growing = Growing(problem, draw(drawing, 2), below(drawing, 3, 2))
    grown, _ = growing.grow(rows, levels, own)
    bred = replace(tree, place, lambda _: grown)
    return bred if n_leaves(bred) <= problem.max_leaves else None


class Growing:
    """One subtree as it grows: its nodes are numbered as they come, for their draws."""

    def __init__(self, problem: Problem, key: int, criterion: int) -> None:
        self.problem = problem
        self.key = key
        self.criterion = criterion
        self.numbers = count()

    def grow(self, rows: list[int], levels: int, own: int | None) -> tuple[Tree, float]:
        """Return what grows for some instances, and what it gets right less the price of its further leaves."""
        problem, number = self.problem, next(self.numbers)
        weights = weigh(rows, problem)
        leaf = Leaf(best_label(weights, problem))
        hits = hits_of(weights, leaf.label, problem)
        if levels == 0 or float(most_hits(weights, problem) - hits) <= problem.price:
            return leaf, float(hits)
        test = own
        if test is None:
            test = find_split(rows, problem, draw(self.key, number), self.criterion, problem.n_answers // GREEDY)
        if test is None:
            return leaf, float(hits)
        passed, failed = divide(rows, test, problem)
        left, left_worth = self.grow(passed, levels - 1, None)
        right, right_worth = self.grow(failed, levels - 1, None)
        worth = left_worth + right_worth - problem.price
        return (Node(test, left, right), worth) if worth > hits else (leaf, float(hits))
