"""The report on unseen rows: who is compared with whom, and over which sets."""

from lab.field.report_unseen import accuracy_section, common_means
from tests.lab.field.test_standing_unseen import folds


def cells_of(learner, names, accuracy=0.5, leaves=2):
    return [cell for name in names for cell in folds(learner, name, accuracy, leaves, curve=[[leaves, accuracy]])]


def test_who_has_done_few_sets_does_not_take_the_others_away():
    cells = [*cells_of("heirwood", "abcd"), *cells_of("licketysplit", "abc"), *cells_of("gatree", "ab")]

    means, common = common_means(cells)

    assert (list(means), common) == (["heirwood", "licketysplit"], ["a", "b", "c"])
    assert any(line.startswith("| gatree | 2 |") for line in accuracy_section(cells, {}))  # its duel


def test_nothing_is_said_of_sets_that_nobody_has_done():
    assert common_means([]) == ({}, [])
    assert "Not run yet." in accuracy_section([], {})
