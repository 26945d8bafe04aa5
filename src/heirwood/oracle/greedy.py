"""Growing greedily: a subtree for some instances, each test the best for those that arrive at it."""

from itertools import count

from heirwood.oracle.draws import draw
from heirwood.oracle.mistake_costs import best_label, hits_of, most_hits
from heirwood.oracle.node_context import ERRORS, divide, find_split, weigh
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Tree

MOST_LEVELS = 12  # of what is grown at once


class Growing:
    """One subtree as it grows: its nodes are numbered as they come, for their draws."""

    def __init__(self, problem: Problem, key: int, criterion: int, n_answers: int) -> None:
        self.problem = problem
        self.key = key
        self.criterion = criterion
        self.n_answers = n_answers  # that one split may look at
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
            criterion = ERRORS if levels == 1 else self.criterion  # pure sides are of no use where nothing may grow
            test = find_split(rows, problem, draw(self.key, number), criterion, self.n_answers)
        if test is None:
            return leaf, float(hits)
        passed, failed = divide(rows, test, problem)
        left, left_worth = self.grow(passed, levels - 1, None)
        right, right_worth = self.grow(failed, levels - 1, None)
        worth = left_worth + right_worth - problem.price
        return (Node(test, left, right), worth) if worth > float(hits) else (leaf, float(hits))
