"""Islands: parts of a population, and when those that explore start anew."""

import numpy as np

from heirwood.evolve.islands import Explorers, on_each, shores


def test_shores_part_the_places():
    assert list(shores(12, 3)) == [slice(0, 4), slice(4, 8), slice(8, 12)]
    assert list(shores(5, 1)) == [slice(0, 5)]


def test_each_island_chooses_by_its_own_payoffs():
    chosen = on_each(2, np.array([1.0, 3.0, 2.0, 9.0, 7.0, 8.0]), lambda payoffs: np.sort(np.argsort(-payoffs)[:2]))

    assert [places.tolist() for places in chosen] == [[1, 2], [3, 5]]


def told(explorers, *generations):
    return [explorers.tired(np.array(payoffs, float)) for payoffs in generations]


def test_an_island_is_tired_when_it_has_not_got_better_for_so_long():
    explorers = Explorers(2, renewal=2)

    assert told(explorers, [0, 0, 5, 1], [0, 0, 5, 5], [0, 0, 4, 3]) == [[], [], [1]]


def test_a_better_tree_wakes_an_island():
    explorers = Explorers(2, renewal=2)

    assert told(explorers, [0, 1], [0, 1], [0, 2], [0, 2], [0, 2]) == [[], [], [], [], [1]]


def test_home_is_never_tired():
    explorers = Explorers(3, renewal=1)

    assert told(explorers, [1, 1, 1], [1, 1, 1], [1, 1, 2]) == [[], [1, 2], []]
    assert told(Explorers(1, renewal=1), [1], [1], [1]) == [[], [], []]


def test_what_starts_anew_is_fresh():
    explorers = Explorers(2, renewal=2)
    told(explorers, [0, 9], [0, 9], [0, 9])

    assert told(explorers, [0, 1], [0, 1], [0, 1]) == [[], [], [1]]
