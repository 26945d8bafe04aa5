"""What an informed operator sees, in plain Python: who arrives at a node, and what a test would make of them."""

import math

from heirwood.oracle.draws import below, draw_test
from heirwood.oracle.mistake_costs import best_hits, best_label
from heirwood.oracle.problem import Problem, Test
from heirwood.oracle.tree import Leaf, Node, Stale, Tree, rows_of, size

DRAWN = 0  # answers of an operator that looks at a few drawn tests
ERRORS, GINI, ENTROPY = range(3)  # what a good split is: few errors, or pure sides
COARSE = 16  # cuts of a column at which purity is looked at, or fewer,
LARGE = 8  # part of the table that must arrive for that
SCALE = 2**16  # whole numbers to a bit of entropy
MOST_LOGS = 2**17  # at a node that weighs as much or more, weights are counted in larger units


def rows_at(tree: Tree, place: int, problem: Problem) -> list[int]:
    """Return the instances that arrive at a place, also inside what is stale: then they are sent down to it."""
    if isinstance(tree, Stale):
        return descend(tree.tree, place, list(tree.rows), problem)
    if place == 0:
        if tree.stale:  # what arrives here was never lost, only what happens below
            return sorted(rows_at(tree.left, 0, problem) + rows_at(tree.right, 0, problem))
        return list(rows_of(tree))
    assert isinstance(tree, Node)
    left_size = size(tree.left)
    if place <= left_size:
        return rows_at(tree.left, place - 1, problem)
    return rows_at(tree.right, place - 1 - left_size, problem)


def descend(tree: Tree, place: int, rows: list[int], problem: Problem) -> list[int]:
    """Send instances down to a place and return those that arrive."""
    if place == 0:
        return rows
    assert isinstance(tree, Node)
    left_size = size(tree.left)
    passed, failed = divide(rows, tree.test, problem)
    if place <= left_size:
        return descend(tree.left, place - 1, passed, problem)
    return descend(tree.right, place - 1 - left_size, failed, problem)


def divide(rows: list[int], test: int, problem: Problem) -> tuple[list[int], list[int]]:
    """Return the instances that pass a test and those that fail it."""
    return divide_by(rows, problem.tests[test], problem)


def divide_by(rows: list[int], question: Test, problem: Problem) -> tuple[list[int], list[int]]:
    """Return the instances that pass a question and those that fail it."""
    answers = problem.answers(question)
    passed = [row for row in rows if answers[row]]
    failed = [row for row in rows if not answers[row]]
    return passed, failed


def weigh(rows: list[int], problem: Problem) -> list[int]:
    """Return the weight of each class among some instances."""
    classes, weight_of = problem.classes, problem.weights
    weights = [0] * problem.n_classes
    for row in rows:
        weights[classes[row]] += weight_of[row]
    return weights


def judge(left: list[int], right: list[int], criterion: int, problem: Problem) -> float:
    """Return how good a split is: the hits that two leaves would have, or how pure they would be."""
    if criterion == ERRORS:
        return float(best_hits(left, problem) + best_hits(right, problem))
    if criterion == ENTROPY:
        return float(tidiness(left, right))
    score = []
    for side in (left, right):
        total = squares = 0.0
        for weight in side:
            total += float(weight)
            squares += float(weight) * float(weight)
        score.append(squares / total)
    return score[0] + score[1]


def tidiness(left: list[int], right: list[int]) -> int:
    """Return N log N of the whole less the entropy of both sides of a split, in whole numbers."""
    shift = 0
    while sum(left + right) >> shift >= MOST_LOGS:
        shift += 1

    def n_log_n(weight: int) -> int:
        n = weight >> shift
        return round(n * math.log2(n) * SCALE) if n > 0 else 0

    tidy = sum(n_log_n(weight) for weight in left + right)
    return tidy - n_log_n(sum(left)) - n_log_n(sum(right)) + n_log_n(sum(left + right))


def is_purer(left: list[int], right: list[int], score: float) -> bool:
    """Say whether Gini's measure of a split is more than a score: by products."""
    sums, squares = [], []
    for side in (left, right):
        sums.append(0.0)
        squares.append(0.0)
        for weight in side:  # one by one: a sum of floats may be rounded on its way
            sums[-1] += float(weight)
            squares[-1] += float(weight) * float(weight)
    return squares[0] * sums[1] + squares[1] * sums[0] > score * (sums[0] * sums[1])


def answers_needed(n_rows: int, problem: Problem) -> int:
    """Return the answers that looking at all attributes takes: from rows, or words of bit rows if those are fewer."""
    return sum(min(n_rows, problem.n_words * len(tests)) for tests in problem.attributes)


def looked_at(attribute: int, problem: Problem, *, is_coarse: bool) -> list[int]:
    """Return the tests of an attribute: all, or every second cut until they are few, if a missing value passes none."""
    tests = [test for test, _ in problem.attributes[attribute]]
    is_plain = all(problem.tests[test].kind == "<=" and not problem.tests[test].missing_passes for test in tests)
    while is_coarse and is_plain and len(tests) > COARSE:
        tests = tests[1::2]
    return tests


def candidates(n_rows: int, problem: Problem, key: int, n_answers: int, *, is_coarse: bool = False) -> list[int]:
    """Return the tests that an operator looks at: a few drawn ones, or all of as many attributes as it may.

    As many as it may have answers, but no fewer than the square root of all.
    """
    attributes = problem.attributes
    if n_answers == DRAWN:
        return [draw_test(key, 2 * i, attributes) for i in range(problem.n_drawn)]
    looked = range(len(attributes))
    needed = answers_needed(n_rows, problem)
    if needed > n_answers:
        n = max(n_answers * len(attributes) // needed, math.isqrt(len(attributes)))
        looked = [below(key, i, len(attributes)) for i in range(n)]
    return [test for attribute in looked for test in looked_at(attribute, problem, is_coarse=is_coarse)]


def find_split(rows: list[int], problem: Problem, key: int, criterion: int, n_answers: int) -> int | None:
    """Return the best test for some instances; ties go to the first that is looked at."""
    fewest = max(problem.min_rows, 1)
    best, score = None, -1.0
    ends_by_depth = 2**problem.max_depth <= problem.max_leaf_nodes
    is_large = sum(weigh(rows, problem)) >= -(-sum(problem.weights) // LARGE)
    is_coarse = criterion != ERRORS and is_large and not ends_by_depth
    for test in candidates(len(rows), problem, key, n_answers, is_coarse=is_coarse):
        passed, failed = divide(rows, test, problem)
        if len(passed) < fewest or len(failed) < fewest:
            continue
        left, right = weigh(passed, problem), weigh(failed, problem)
        if criterion == GINI and not is_purer(left, right, score):
            continue
        found = judge(left, right, criterion, problem)
        if found > score:  # products of equals may be rounded to more
            best, score = test, found
    return best


def make_stump(rows: list[int], test: int, problem: Problem) -> Node:
    """Return a test with two leaves of the best labels."""
    left, right = (Leaf(best_label(weigh(side, problem), problem)) for side in divide(rows, test, problem))
    return Node(test, left, right)


def gets_right(tree: Tree, row: int, problem: Problem) -> bool:
    """Say whether a tree, as its leaves are labelled, has the class of an instance."""
    while not isinstance(tree, Leaf):
        if isinstance(tree, Stale):
            tree = tree.tree
        else:
            tree = tree.left if problem.answers(problem.tests[tree.test])[row] else tree.right
    return tree.label == problem.classes[row]
