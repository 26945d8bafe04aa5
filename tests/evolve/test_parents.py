"""Parents come from their island, and some from the hall of fame."""

import numpy as np
import pytest

from heirwood.evolve.hall import Hall
from heirwood.evolve.parents import choose_parents, from_hall
from heirwood.payoff import Trees
from heirwood.selection import SELECTIONS

PARENTS = np.arange(100, 1100)


def a_hall():
    hall = Hall(4)
    trees = Trees(np.array([5, 9, 7]), np.array([1, 2, 4]), np.array([0, 1, 3]), 10, 10, {})
    hall.welcome(np.array([11, 12, 14]), trees, np.array([0.5, 0.9, 0.7]))
    return hall


def test_a_share_of_none_calls_nobody():
    assert from_hall(PARENTS, a_hall(), 0.0, 3).tolist() == PARENTS.tolist()


def test_a_share_of_all_calls_the_hall_alone():
    called = from_hall(PARENTS, a_hall(), 1.0, 3)

    values, counts = np.unique(called, return_counts=True)
    assert values.tolist() == [11, 12, 14]
    expected = np.array([1, 5, 3]) / 9 * len(PARENTS)  # the better one of two: worst, best, middle
    assert np.abs(counts - expected).max() < 75


def test_a_share_is_about_that_share_and_the_others_stay_in_place():
    called = from_hall(PARENTS, a_hall(), 0.25, 3)

    stayed = called == PARENTS
    assert 0.70 < stayed.mean() < 0.80
    assert set(called[~stayed]) <= {11, 12, 14}


def test_the_key_decides():
    one, again, other = (from_hall(PARENTS, a_hall(), 0.5, key).tolist() for key in (3, 3, 4))

    assert one == again
    assert one != other


@pytest.mark.parametrize("n_islands", [1, 2, 3])
def test_both_parents_come_from_the_island_of_the_child(n_islands):
    handles, payoffs = np.arange(12) + 50, np.arange(12.0)
    select = SELECTIONS["tournament"]

    def choose(key):
        return choose_parents(lambda *given: select(*given, size=2), handles, payoffs, n_islands, 4, key)

    for parents in choose(7):
        islands = (parents - 50) // (12 // n_islands)
        assert islands.tolist() == np.repeat(np.arange(n_islands), 4).tolist()
    assert np.array_equal(choose(7), choose(7))
    assert not np.array_equal(choose(7), choose(8))
