"""Depth2Search: the best tree of two levels for some instances, by trying every test on top with every test below."""

import math

from heirwood.oracle.mistake_costs import best_hits
from heirwood.oracle.node_context import divide, weigh
from heirwood.oracle.problem import Problem

Found = tuple[float, list[int]]


class Depth2Search:
    """Finds the best tree of two levels for some instances."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.tests = in_lanes(problem)

    def stump(self, rows: list[int], price: float) -> Found:
        """Return what the best tree of up to one level is worth: its hits, less the price of its leaves but one."""
        leaf = best_hits(weigh(rows, self.problem), self.problem)
        best, test = leaf, None
        for each in self.tests:
            hits = sum(best_hits(weigh(side, self.problem), self.problem) for side in self._divide(rows, each))
            if hits > best:
                best, test = hits, each
        if test is None or best - price <= leaf:
            return float(leaf), [~0]
        return best - price, [test, ~0, ~0]

    def pair(self, rows: list[int], price: float, least: float = -math.inf) -> Found:
        """Return the same of the best tree of up to two levels; or the least and no tree, if it is worth no more."""
        worth, genes = self.stump(rows, price)
        for top in self.tests:
            passed, failed = self._divide(rows, top)
            if passed and failed:
                (left, below), (right, beside) = self.stump(passed, price), self.stump(failed, price)
                if left + right - price > worth:
                    worth, genes = left + right - price, [top, *below, *beside]
        return (worth, genes) if worth > least else (least, [])

    def _divide(self, rows: list[int], test: int) -> tuple[list[int], list[int]]:
        return divide(rows, test, self.problem)


def in_lanes(problem: Problem) -> list[int]:
    """Return all tests in the order they are tried: those of a numeric column that a missing value passes come last.

    Before these, whether the value is missing; it comes after those of a nominal column.
    """
    ordered = []
    for attribute in problem.attributes:
        tests = [test for test, _ in attribute]
        plain = [test for test in tests if not problem.tests[test].missing_passes]
        twins = tests[len(plain) :]
        if twins and plain and problem.tests[plain[0]].kind == "<=":
            twins = [twins[-1], *twins[:-1]]
        ordered += plain + twins
    return ordered
