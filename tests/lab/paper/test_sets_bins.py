"""Bins as Weka makes them."""

import numpy as np
import pytest

from heirwood.data import Column, Schema, Table
from heirwood.data.arff_reader import read_arff
from lab.paper.sets_bins import cuts_by_leave_one_out, cuts_of_equal_width, into_bins, missing_as_level
from tests.lab.paper.data_folder import FOLDER, needs_folder


def make_table(values, *columns):
    return Table(Schema(tuple(columns)), np.asfortranarray(np.array(values, dtype=float)))


def test_bins_of_equal_width_are_named_by_their_cuts_and_closed_above():
    table = make_table([[0.0], [1.0], [1.1], [10.0], [np.nan]], Column("a", "numeric"))

    binned = into_bins(table, cuts_of_equal_width)

    levels = binned.schema.columns[0].levels
    assert (levels[0], levels[1], levels[9]) == ("'(-inf-1]'", "'(1-2]'", "'(9-inf)'")
    np.testing.assert_array_equal(binned.values[:, 0], [0, 0, 1, 9, np.nan])


def test_leave_one_out_takes_no_bin_with_a_single_value_and_keeps_a_tenth_as_width():
    values = np.array([0.0] * 50 + [1.0] * 50 + [10.0] * 2)

    cuts = cuts_by_leave_one_out(values)

    # Three bins of a third each would leave the middle one empty; two are the most that hold two values each.
    np.testing.assert_array_equal(cuts, [1.0])


def test_a_column_that_wants_one_bin_is_all_one_level():
    table = make_table([[0.0], [5.0], [10.0]], Column("a", "numeric"))

    binned = into_bins(table, cuts_by_leave_one_out)

    assert binned.schema.columns[0].levels == ("'All'",)
    assert binned.values[:, 0].tolist() == [0, 0, 0]


def test_a_missing_level_becomes_the_first_one_where_there_is_any():
    both = (Column("a", "nominal", ("x", "y")), Column("b", "nominal", ("x", "y")))
    table = make_table([[0, 0], [np.nan, 1], [1, 1]], *both)

    filled = missing_as_level(table)

    assert [column.levels for column in filled.schema.columns] == [("?", "x", "y"), ("x", "y")]
    assert filled.values.tolist() == [[1, 0], [0, 1], [2, 1]]


@needs_folder
@pytest.mark.parametrize(
    ("raw", "binned", "prepare"),
    [
        ("glass", "glass-disc10", lambda table: into_bins(table, cuts_of_equal_width)),
        ("anneal-orig", "anneal-discO", lambda table: into_bins(missing_as_level(table), cuts_by_leave_one_out)),
    ],
)
def test_what_is_made_here_is_what_weka_wrote(raw, binned, prepare):
    made, written = prepare(read_arff(f"{FOLDER}/{raw}.arff").table), read_arff(f"{FOLDER}/{binned}.arff").table

    assert made.schema == written.schema
    np.testing.assert_array_equal(made.values, written.values)
