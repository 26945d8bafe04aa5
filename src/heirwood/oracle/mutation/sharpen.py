"""Sharpen: an inner node keeps its column and subtrees, and gets the cut that sends most rows to the right side."""

import math

from heirwood.oracle.mistake_costs import stake
from heirwood.oracle.node_context import gets_right, rows_at
from heirwood.oracle.problem import Problem, Test
from heirwood.oracle.tree import Node, Tree, replace, subtree


def sharpen(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree:
    """Return the tree with the best cut at a place, of all midpoints of the column; as it is where there is none."""
    node = subtree(tree, place)
    assert isinstance(node, Node)
    test = node.test
    asked = problem.tests[test]
    if asked.kind == "<=" and asked.column in problem.room.columns:
        values = sorted({row[asked.column] for row in problem.table if not math.isnan(row[asked.column])})
        alike = best_cuts(node, rows_at(tree, place, problem), values, problem)
        test = choose(alike, values, problem, otherwise=test)
    return replace(tree, place, lambda node: Node(test, node.left, node.right))


def best_cuts(node: Node, rows: list[int], values: list[float], problem: Problem) -> list[Test]:
    """Return the best cut and all that divide some instances alike, ascending; none if that of the node is as good.

    A cut is written as the highest value that passes; the first of equals wins. One that leaves a side with too few
    instances is passed over.
    """
    asked = problem.tests[node.test]
    left = {row for row in rows if gets_right(node.left, row, problem)}
    right = {row for row in rows if gets_right(node.right, row, problem)}

    def passing(cut: Test) -> set[int]:
        answers = problem.answers(cut)
        return {row for row in rows if answers[row]}

    def hits(passed: set[int]) -> int:
        return sum(stake(row, problem) for row in (left & passed) | (right - passed))

    cuts = [Test(asked.column, "<=", value, asked.missing_passes) for value in values[:-1]]
    best, most = None, hits(passing(asked))
    for cut in cuts:
        passed = passing(cut)
        if min(len(passed), len(rows) - len(passed)) >= max(problem.min_rows, 1) and hits(passed) > most:
            best, most = passed, hits(passed)
    return [cut for cut in cuts if passing(cut) == best]


def choose(alike: list[Test], values: list[float], problem: Problem, otherwise: int) -> int:
    """Return the number of a test for one of some cuts: one that is asked already, near the middle, or a new one."""
    middle = (len(alike) - 1) // 2
    for cut in sorted(alike, key=lambda cut: abs(alike.index(cut) - middle)):
        known = number_of(cut, values, problem)
        if known is not None:
            return known
    room = problem.room
    if not alike or room.lent is None:
        return otherwise
    number, room.lent = room.lent, None
    room.fresh.add(number)
    problem.tests[number] = alike[middle]
    return number


def number_of(cut: Test, values: list[float], problem: Problem) -> int | None:
    """Return the first test that lets the same values pass as a cut does, but for those of this generation."""
    for number, test in enumerate(problem.tests):
        same_kind = (test.kind, test.column, test.missing_passes) == ("<=", cut.column, cut.missing_passes)
        if same_kind and number not in problem.room.fresh:
            passing = [value for value in values if value <= test.value]
            if passing and passing[-1] == cut.value:
                return number
    return None
