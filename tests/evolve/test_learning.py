"""Rates of operators follow what pays, within bounds."""

import numpy as np
import pytest

from heirwood.evolve.learning import MEMORY, MOST, Learning

INNER = np.array([0.5, 0.75, 0.75, 1.0])  # the third operator has no share at inner nodes
LEAF = np.array([0.0, 0.0, 1.0, 1.0])


def shares(running):
    return np.diff(running, prepend=0.0)


def taught(*gains, n=100):
    """Return a learning that saw each operator `n` times, with so many gains."""
    learning = Learning(INNER, LEAF)
    operators = np.repeat(np.arange(4, dtype=np.int32), n)
    learning.note(operators, np.concatenate([np.arange(n) < gained for gained in gains]))
    learning.change()
    return learning


def test_at_first_the_shares_are_those_given():
    odds = Learning(INNER, LEAF).odds()

    assert odds["inner_odds"].tolist() == INNER.tolist()
    assert odds["leaf_odds"].tolist() == LEAF.tolist()


def test_what_gains_more_often_is_drawn_more_often():
    learning = taught(10, 30, 20, 20)

    one, other, _, last = shares(learning.odds()["inner_odds"])
    assert one < 0.5
    assert other > 0.25
    assert one / last < 2.0 < 2 * other / last
    assert (np.argsort(learning.factors[[0, 2, 1]]) == [0, 1, 2]).all()


@pytest.mark.parametrize("gains", [(100, 0, 0, 0), (0, 100, 100, 100), (0, 0, 0, 1), (0, 0, 0, 0)])
def test_no_share_changes_beyond_the_bounds(gains):
    learning = taught(*gains, n=1000)

    assert learning.factors.min() >= 1 / MOST
    assert learning.factors.max() <= MOST


def test_one_that_always_gains_reaches_the_bound():
    assert taught(100, 0, 0, 0).factors.tolist() == [MOST, 1 / MOST, 1 / MOST, 1 / MOST]


def test_a_share_of_zero_stays_zero():
    odds = taught(0, 0, 100, 0).odds()

    assert shares(odds["inner_odds"])[2] == 0
    assert odds["leaf_odds"].tolist() == LEAF.tolist()


def test_shares_end_at_one_and_none_at_all_stay_none():
    learning = Learning(INNER, np.zeros(4))
    learning.note(np.array([0, 1, 3], np.int32), np.array([True, False, False]))
    learning.change()

    assert learning.odds()["inner_odds"][-1] == 1.0
    assert learning.odds()["leaf_odds"].tolist() == [0.0] * 4


def test_children_without_a_mutation_do_not_count():
    learning = Learning(INNER, LEAF)

    learning.note(np.array([-1, -1, 2], np.int32), np.array([True, False, True]))

    assert learning.tried.tolist() == [0, 0, 1, 0]
    assert learning.gained.tolist() == [0, 0, 1, 0]


def test_what_was_counted_fades():
    learning = taught(10, 30, 20, 20)

    assert learning.tried.tolist() == [100 * MEMORY] * 4
    assert learning.gained.tolist() == [10 * MEMORY, 30 * MEMORY, 20 * MEMORY, 20 * MEMORY]


def test_an_operator_that_was_never_tried_keeps_its_share():
    learning = Learning(INNER, LEAF)
    learning.note(np.zeros(50, np.int32), np.arange(50) < 10)
    learning.change()

    assert learning.factors[1:].tolist() == [1.0] * 3
