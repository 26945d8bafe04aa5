import numpy as np
import pytest

from heirwood.data import Column, Dataset, Schema, Table
from lab.field.numbers import as_numbers, class_codes
from lab.field.sets import MADE, PAPER, SETS, SetMissingError, load_set, paper_folds
from lab.paper.folds import make_folds


def a_table(kind, values, levels=()):
    column = Column("a", kind, levels)
    return Table(Schema((column,)), np.asfortranarray(np.array(values, dtype=np.float64)[:, None]))


@pytest.mark.parametrize(("name", "shape"), [("iris", (150, 4)), ("digits", (1797, 64)), ("tic-tac-toe", (958, 9))])
def test_sets_that_need_no_file_are_whole(name, shape):
    dataset = load_set(name)

    assert dataset.table.values.shape == shape
    assert len(dataset.target) == shape[0]


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_goes_by_its_own_name(name):
    assert load_set(name).name == name


def test_a_file_that_is_not_there_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    with pytest.raises(SetMissingError, match="name the folder"):
        load_set("adult")

    monkeypatch.setenv("HEIRWOOD_DATA", str(tmp_path))
    with pytest.raises(SetMissingError, match=r"adult\.csv is not in the folder"):
        load_set("adult")


def test_an_unknown_set_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no set 'nope'.*iris"):
        load_set("nope")


def test_the_lost_set_of_the_paper_is_left_out():
    assert "paper/crime" not in PAPER
    assert not set(PAPER) & set(SETS)


@pytest.mark.parametrize(("deal", "seed"), [(0, 1), (5, 6)])
def test_the_first_deal_of_the_papers_folds_is_the_reproductions(deal, seed):
    expected = make_folds(625, seed, "balance-scale")

    for (train, test), fold in zip(paper_folds("paper/balance-scale", 625, deal), expected, strict=True):
        np.testing.assert_array_equal(train, fold.train)
        np.testing.assert_array_equal(test, fold.test)


def test_three_levels_are_three_columns_and_two_levels_are_one():
    three = as_numbers(a_table("nominal", [0, 1, 2, 1], ("x", "y", "z")))
    two = as_numbers(a_table("nominal", [0, 1, 1, 0], ("x", "y")))

    np.testing.assert_array_equal(three, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]])
    np.testing.assert_array_equal(two, [[0], [1], [1], [0]])


def test_a_missing_level_is_a_level_of_its_own():
    numbers = as_numbers(a_table("nominal", [0, np.nan, 1], ("x", "y")))

    np.testing.assert_array_equal(numbers, [[0, 1, 0], [1, 0, 0], [0, 0, 1]])


def test_a_missing_number_is_the_median_and_says_so():
    numbers = as_numbers(a_table("numeric", [1, np.nan, 5, 3]))

    np.testing.assert_array_equal(numbers, [[1, 0], [3, 1], [5, 0], [3, 0]])


def test_a_column_without_any_value_is_left_out():
    columns = (Column("a", "numeric"), Column("b", "numeric"))
    values = np.array([[np.nan, 1.0], [np.nan, 2.0]], order="F")

    np.testing.assert_array_equal(as_numbers(Table(Schema(columns), values)), [[1], [2]])


def test_classes_are_numbered_in_sorted_order():
    dataset = Dataset(a_table("numeric", [1, 2, 3]), np.array(["b", "a", "b"]), "class", ("b", "a"), "toy")

    np.testing.assert_array_equal(class_codes(dataset), [1, 0, 1])
