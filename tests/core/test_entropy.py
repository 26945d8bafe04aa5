"""Entropy in whole numbers is entropy; purity is looked at coarsely where much of the table arrives."""

import math

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.entropy import MOST_LOGS, SCALE, make_logs, tidiness
from heirwood.core.node_context import ENTROPY, GINI
from heirwood.oracle.node_context import COARSE, LARGE, divide, find_split, judge, looked_at, weigh
from tests.tables import INFORMED_OPERATORS, make_problem


def entropy(weights):
    """Return the entropy of some classes, in bits, times how many there are."""
    total = sum(weights)
    return -sum(weight * math.log2(weight / total) for weight in weights if weight)


@pytest.mark.parametrize(("left", "right"), [([3, 4], [10, 0]), ([1, 1, 1], [7, 0, 2]), ([0, 5], [5, 0])])
def test_tidiness_is_what_the_entropy_of_both_sides_leaves(left, right):
    whole = np.array(left) + np.array(right)
    total = int(whole.sum())

    found = tidiness(np.array(left), whole, make_logs(total)) / SCALE

    assert found == pytest.approx(total * math.log2(total) - entropy(left) - entropy(right), abs=1e-3)


@pytest.mark.parametrize("total", [1, 2, MOST_LOGS - 1, MOST_LOGS, 10**12])
def test_the_table_has_a_bounded_size(total):
    logs = make_logs(int(total))

    assert len(logs) == min(total + 1, MOST_LOGS)
    assert logs[:2].tolist() == [0, 0]
    assert (np.diff(logs[1:]) > 0).all()


@pytest.mark.parametrize("unit", [1, 10**4, 2**40])
def test_a_small_node_of_a_heavy_table_is_judged_as_finely_as_any(unit):
    logs = make_logs(unit * 10**6)
    whole = np.array([6, 7]) * unit
    found = [tidiness(np.array(left) * unit, whole, logs) for left in ([3, 3], [6, 2], [6, 0])]

    assert found[0] < found[1] < found[2]


def test_twice_the_weight_is_the_same_order_of_tests():
    rng = np.random.default_rng(0)
    whole = np.array([40, 31, 9])
    lefts = rng.integers(1, whole, (30, 3))
    once = [tidiness(left, whole, make_logs(80)) for left in lefts]
    twice = [tidiness(2 * left, 2 * whole, make_logs(160)) for left in lefts]

    assert np.argsort(once, kind="stable").tolist() == np.argsort(twice, kind="stable").tolist()


NUMBERS = {"majority": True, "missing": 0.0, "n_rows": 160, "max_cuts": 100, "operators": INFORMED_OPERATORS}


@pytest.mark.parametrize("criterion", [GINI, ENTROPY])
@pytest.mark.oracle
def test_only_a_small_node_has_all_cuts_looked_at(criterion):
    problem = BACKENDS["slow"](make_problem(2, **NUMBERS)).plain
    coarse = {test for a in range(len(problem.attributes)) for test in looked_at(a, problem, is_coarse=True)}
    everyone = list(problem.everyone)

    assert max(len(tests) for tests in problem.attributes) > COARSE
    assert find_split(everyone, problem, 0, criterion, 2**30) in coarse
    found = [find_split(everyone[i : i + 160 // LARGE - 1], problem, 0, criterion, 2**30) for i in range(0, 140, 10)]
    assert None not in found
    assert not set(found) <= coarse


@pytest.mark.parametrize("criterion", [GINI, ENTROPY])
@pytest.mark.oracle
def test_within_a_depth_every_node_has_all_cuts_looked_at(criterion):
    free, bounded = (
        BACKENDS["slow"](make_problem(2, **NUMBERS, max_leaf_nodes=leaves, max_depth=4)).plain for leaves in (15, 16)
    )
    everyone = list(free.everyone)
    answers = [find_split(everyone[i:], problem, 0, criterion, 2**30) for problem in (free, bounded) for i in range(9)]

    assert answers[:9] != answers[9:]
    scores = [
        judge(*(weigh(side, free) for side in divide(everyone[i % 9 :], test, free)), criterion, free)
        for i, test in enumerate(answers)
    ]
    assert all(fine >= coarse for coarse, fine in zip(scores[:9], scores[9:], strict=True))
