"""Generated data sets are complete, and the same as the files that others use."""

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from heirwood.data.generated import balance_scale, monks, multiplexer, tic_tac_toe
from heirwood.data.readers import read_file

FOLDER = os.environ.get("HEIRWOOD_DATA")

needs_data = pytest.mark.skipif(not FOLDER, reason="HEIRWOOD_DATA does not name a folder of data sets")


def rows(dataset):
    """Return the rows as tuples of levels or numbers, the target last."""
    columns = [
        [column.levels[int(code)] for code in values] if column.levels else values.tolist()
        for column, values in zip(dataset.table.schema.columns, dataset.table.values.T, strict=True)
    ]
    return list(zip(*columns, dataset.target.tolist(), strict=True))


def test_the_balance_scale_tips_to_the_larger_torque():
    dataset = balance_scale()

    assert Counter(dataset.target.tolist()) == {"L": 288, "B": 49, "R": 288}
    assert len(set(rows(dataset))) == 625
    for left, left_distance, right, right_distance, tips in rows(dataset):
        torque = left * left_distance - right * right_distance
        assert tips == ("L" if torque > 0 else "R" if torque < 0 else "B")


@pytest.mark.parametrize("address_bits", [1, 2, 3])
def test_a_multiplexer_answers_with_the_bit_at_the_address(address_bits):
    dataset = multiplexer(address_bits)

    n_columns = address_bits + 2**address_bits
    assert dataset.table.shape == (2**n_columns, n_columns)
    assert len(set(rows(dataset))) == 2**n_columns
    for *bits, answer in rows(dataset):
        address = int("".join(bits[:address_bits]), base=2)
        assert answer == bits[address_bits + address]


RULES = {
    1: lambda a: a[0] == a[1] or a[4] == "1",
    2: lambda a: a.count("1") == 2,
    3: lambda a: (a[4] == "3" and a[3] == "1") or (a[4] != "4" and a[1] != "3"),
}


@pytest.mark.parametrize(("problem", "positive"), [(1, 216), (2, 142), (3, 228)])
def test_the_monks_follow_their_rules(problem, positive):
    dataset = monks(problem)

    assert len(set(rows(dataset))) == 432
    assert Counter(dataset.target.tolist()) == {"1": positive, "0": 432 - positive}
    for *attributes, answer in rows(dataset):
        assert (answer == "1") == RULES[problem](attributes)


def test_a_game_of_tic_tac_toe_ends_on_958_boards_and_x_wins_on_626():
    dataset = tic_tac_toe()

    boards = dataset.table.values
    assert boards.shape == (958, 9)
    assert len(np.unique(boards, axis=0)) == 958
    assert (dataset.target == "positive").sum() == 626


def test_tic_tac_toe_boards_are_those_of_games_that_are_over():
    lines = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
    dataset = tic_tac_toe()

    boards = dataset.table.values
    n_x, n_o, n_blank = ((boards == code).sum(axis=1) for code in range(3))
    x_has, o_has = ((boards[:, lines] == code).all(axis=2).any(axis=1) for code in range(2))
    np.testing.assert_array_equal(dataset.target == "positive", x_has)
    assert not (x_has & o_has).any()
    assert (x_has | o_has | (n_blank == 0)).all()
    np.testing.assert_array_equal(n_x - n_o, np.where(o_has, 0, 1))  # x moves first, and nobody after the end


@pytest.mark.parametrize(("make", "wrong"), [(multiplexer, 0), (multiplexer, 4), (monks, 0), (monks, "1")])
def test_a_problem_that_does_not_exist_is_refused(make, wrong):
    with pytest.raises(ValueError, match=f"is {wrong!r}; expected"):
        make(wrong)


@needs_data
@pytest.mark.parametrize(
    ("dataset", "file"),
    [
        (balance_scale(), "balance-scale.arff"),
        (multiplexer(2), "multiplexer6-full.arff"),
        (multiplexer(3), "multiplexer11-full.arff"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_generated_data_set_is_the_same_as_its_file(dataset, file):
    read = read_file(Path(FOLDER, file))

    assert dataset.table.schema == read.table.schema
    np.testing.assert_array_equal(dataset.table.values, read.table.values)
    assert dataset.target.tolist() == read.target.tolist()
    assert (dataset.target_name, dataset.target_levels) == (read.target_name, read.target_levels)


@needs_data
def test_the_balance_scale_has_the_rows_of_the_csv_file_in_order():
    read = read_file(Path(FOLDER, "balance-scale.csv"))

    dataset = balance_scale()

    np.testing.assert_array_equal(dataset.table.values, read.table.values)
    assert dataset.target.tolist() == read.target.tolist()
