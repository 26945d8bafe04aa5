"""Entropy in whole numbers is entropy, and a purity that is looked at coarsely misses no more than cuts between."""

import math

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.entropy import MOST_BITS, SCALE, make_logs, order
from heirwood.core.sight import ENTROPY, GINI
from heirwood.oracle.sight import COARSE, LARGE, find_split, looked_at
from tests.tables import INFORMED_OPERATORS, make_problem


def entropy(weights):
    """Return the entropy of some classes, in bits, times how many there are."""
    total = sum(weights)
    return -sum(weight * math.log2(weight / total) for weight in weights if weight)


@pytest.mark.parametrize(("left", "right"), [([3, 4], [10, 0]), ([1, 1, 1], [7, 0, 2]), ([0, 5], [5, 0])])
def test_order_is_what_the_entropy_of_both_sides_leaves(left, right):
    whole = np.array(left) + np.array(right)
    total = int(whole.sum())

    found = order(np.array(left), whole, make_logs(total)) / SCALE

    assert found == pytest.approx(total * math.log2(total) - entropy(left) - entropy(right), abs=1e-3)


@pytest.mark.parametrize("total", [1, 2**MOST_BITS - 1, 2**MOST_BITS, 10**12])
def test_the_table_has_a_bounded_size_and_a_place_for_all_weights(total):
    logs = make_logs(total)

    assert len(logs.table) <= 2**MOST_BITS
    assert (total >> int(logs.shift)) == len(logs.table) - 1
    assert logs.table[:2].tolist() == [0, 0]
    assert (np.diff(logs.table[1:]) > 0).all()


def test_twice_the_weight_is_the_same_order_of_tests():
    rng = np.random.default_rng(0)
    whole = np.array([40, 31, 9])
    lefts = rng.integers(1, whole, (30, 3))
    once = [order(left, whole, make_logs(80)) for left in lefts]
    twice = [order(2 * left, 2 * whole, make_logs(160)) for left in lefts]

    assert np.argsort(once, kind="stable").tolist() == np.argsort(twice, kind="stable").tolist()


@pytest.mark.parametrize("criterion", [GINI, ENTROPY])
@pytest.mark.oracle
def test_only_a_small_node_has_all_cuts_looked_at(criterion):
    made = make_problem(2, majority=True, missing=0.0, n_rows=160, max_cuts=100, operators=INFORMED_OPERATORS)
    problem = BACKENDS["slow"](made).plain
    coarse = {test for a in range(len(problem.attributes)) for test in looked_at(a, problem, is_coarse=True)}
    everyone = list(problem.everyone)

    assert max(len(tests) for tests in problem.attributes) > COARSE
    assert find_split(everyone, problem, 0, criterion, 2**30) in coarse
    few = [find_split(everyone[i : i + 160 // LARGE - 1], problem, 0, criterion, 2**30) for i in range(0, 140, 10)]
    assert not set(few) <= coarse
