"""Refit: an inner node keeps both subtrees and gets the test that sends most rows to the side that is right."""

from heirwood.oracle.draws import draw
from heirwood.oracle.mistake_costs import stake
from heirwood.oracle.mutation.rng_slots import OTHER_LABEL
from heirwood.oracle.node_context import candidates, gets_right, rows_at
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Node, Tree, replace, subtree


def refit(tree: Tree, place: int, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree with the best test at a place for the two subtrees below it; None where there is no test."""
    node = subtree(tree, place)
    assert isinstance(node, Node)
    rows = rows_at(tree, place, problem)
    left = [gets_right(node.left, row, problem) for row in rows]
    right = [gets_right(node.right, row, problem) for row in rows]
    best, most = None, -1
    n_differing = sum(is_left != is_right for is_left, is_right in zip(left, right, strict=True))
    for test in candidates(n_differing, problem, draw(key, slot + OTHER_LABEL), problem.n_answers):
        answers = problem.answers(problem.tests[test])
        hits = 0
        for row, is_left, is_right in zip(rows, left, right, strict=True):
            if is_left if answers[row] else is_right:
                hits += stake(row, problem)
        if hits > most:
            best, most = test, hits
    return None if best is None else replace(tree, place, lambda node: Node(best, node.left, node.right))
