"""What is printed is copied rightly: Table 3 judges the tables it was computed from."""

from statistics import fmean

import pytest

from lab.paper.printed import (
    COPIED,
    LOST,
    SETTINGS,
    SIZES,
    TABLE_3,
    as_printed,
    mean_saved,
    printed_cell,
    read_tables,
)
from lab.paper.sets import SETS

ROUNDING = 0.005 + 1e-9


def mean_of_print(name, table):
    return fmean(cell.rows_saved for cell in as_printed(name, table))


@pytest.mark.parametrize("table", [4, 5, 7])
@pytest.mark.parametrize("name", TABLE_3)
def test_table_3_holds_the_means_of_tables_4_5_and_7(name, table):
    assert abs(mean_of_print(name, table) - mean_saved(name, table)) <= ROUNDING


@pytest.mark.parametrize("name", TABLE_3)
def test_table_3_never_holds_the_mean_of_what_is_printed_as_table_6(name):
    assert abs(mean_of_print(name, LOST) - mean_saved(name, LOST)) > ROUNDING


def test_what_is_printed_as_table_6_is_table_4():
    assert all(as_printed(name, LOST) == as_printed(name, COPIED) for name in TABLE_3)


def test_no_cell_of_the_lost_table_is_passed_off_as_printed():
    assert all(printed_cell(name, LOST, size) is None for name in TABLE_3 for size in SIZES)


def test_every_set_has_every_size_in_the_three_tables():
    expected = {(table, name, size) for table in (4, 5, 7) for name in TABLE_3 for size in SIZES}

    assert set(read_tables()) == expected


def test_tables_and_sets_are_named_alike_and_in_the_same_order():
    assert list(TABLE_3) == list(SETS)
    assert [setting.table for setting in SETTINGS.values()] == list(SETTINGS)
