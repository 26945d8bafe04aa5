"""The hall of fame as a table: the same figures as text, as HTML, and for programs."""

import re
from dataclasses import replace

import numpy as np
import pytest

from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.export.hall_table import hall_table
from tests.export.some_trees import at_most, grow

LEAF = grow([6.0, 4.0], ["a", "b"])
SPLIT = grow((at_most("size", 1.5), [6.0, 1.0], [0.0, 3.0]), ["a", "b"])
ENTRIES = [HallEntry(1, 0, 0.6, 0.59, LEAF), HallEntry(2, 1, 0.9, 0.88, SPLIT)]
BOUNDED = [replace(ENTRIES[0], gap=0.0), replace(ENTRIES[1], gap=0.1)]
VALIDATED = [replace(BOUNDED[0], cv_accuracy=0.6, cv_error=0.05), replace(BOUNDED[1], cv_accuracy=0.8, cv_error=0.1)]


def test_a_payoff_without_a_bound():
    assert repr(HallOfFame(ENTRIES, 1)).splitlines() == [
        "  leaves  depth  errors   right   payoff",
        "       1      0       4  60.00%  0.59000",
        "*      2      1       1  90.00%  0.88000",
    ]


def test_where_there_is_a_bound_the_payoff_is_an_objective_and_each_size_has_its_gap():
    assert repr(HallOfFame(BOUNDED, 0)).splitlines() == [
        "  leaves  depth  errors   right  objective      gap",
        "*      1      0       4  60.00%    0.41000        0",
        "       2      1       1  90.00%    0.12000  0.10000",
    ]


def test_what_was_cross_validated_has_a_column():
    assert repr(HallOfFame(VALIDATED, 1)).splitlines() == [
        "  leaves  depth  errors   right  objective        held-out      gap",
        "       1      0       4  60.00%    0.41000   60.00% ± 5.00        0",
        "*      2      1       1  90.00%    0.12000  80.00% ± 10.00  0.10000",
    ]
    assert "80.00%\n" in repr(HallOfFame([replace(ENTRIES[0], cv_accuracy=0.8), ENTRIES[1]], 1))


def test_costs_have_a_column_and_are_what_was_validated():
    costly = [
        replace(BOUNDED[0], cost=1234.5, cv_cost=1300.25, cv_error=10.0),
        replace(BOUNDED[1], cost=0.25, cv_cost=0.5, cv_error=0.125),
    ]

    assert repr(HallOfFame(costly, 1)).splitlines() == [
        "  leaves  depth  errors   right      cost  objective            held-out      gap",
        "       1      0       4  60.00%  1,234.50    0.41000  1,300.25 ± 10.0000        0",
        "*      2      1       1  90.00%    0.2500    0.12000     0.5000 ± 0.1250  0.10000",
    ]
    assert costly[1].to_dict() == {
        "leaves": 2, "depth": 1, "errors": 1.0, "accuracy": 0.9, "payoff": 0.88, "cost": 0.25, "objective": 0.12,
        "gap": 0.1, "cv_cost": 0.5, "cv_error": 0.125,
    }  # fmt: skip
    assert HallOfFame(costly, 1).cross_validated


def test_errors_are_weight_and_say_so_only_where_they_are_no_whole_number():
    halves = grow((at_most("size", 1.5), [6.0, 0.5], [0.0, 3.0]), ["a", "b"])
    many = grow([60_000.0, 40_000.0], ["a", "b"])

    assert HallEntry(2, 1, 0.9, 0.9, halves).errors == 0.5
    assert " 0.50 " in repr(HallOfFame([HallEntry(2, 1, 0.9, 0.9, halves)], 0))
    assert " 40,000 " in repr(HallOfFame([HallEntry(1, 0, 0.6, 0.6, many)], 0))


def test_where_room_is_short_columns_leave_and_the_rest_fits():
    table = hall_table(VALIDATED, VALIDATED[1])
    full = max(map(len, table.lines()))

    assert table.within(full) == table
    assert table.within(full - 1).header == ("leaves", "errors", "right", "objective", "held-out", "gap")
    assert table.within(52).header == ("leaves", "errors", "objective", "held-out", "gap")
    assert table.within(45).header == ("leaves", "errors", "objective", "held-out")
    for width in range(35, 90):
        assert max(map(len, table.within(width).lines())) <= width
    assert table.within(1).header == ("leaves", "objective", "held-out")


def test_a_notebook_shows_the_same():
    page = HallOfFame(VALIDATED, 1)._repr_html_()

    cells = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in page.split("</tr>")[:-1]]
    assert cells == [
        ["", "leaves", "depth", "errors", "right", "objective", "held-out", "gap"],
        ["", "1", "0", "4", "60.00%", "0.41000", "60.00% ± 5.00", "0"],
        ["★", "2", "1", "1", "90.00%", "0.12000", "80.00% ± 10.00", "0.10000"],
    ]


def test_programs_get_what_is_known():
    plain, bounded, validated = (HallOfFame(entries, 1).to_dicts()[1] for entries in (ENTRIES, BOUNDED, VALIDATED))

    assert plain == {"leaves": 2, "depth": 1, "errors": 1.0, "accuracy": 0.9, "payoff": 0.88}
    assert bounded == {**plain, "objective": 1 - 0.88, "gap": 0.1}
    assert validated == {**bounded, "cv_accuracy": 0.8, "cv_error": 0.1}


@pytest.mark.parametrize("leaves", ["2", True, 2.0, None])
def test_a_size_is_a_whole_number(leaves):
    with pytest.raises(TypeError, match=r"leaves=.* is not valid; expected a whole number"):
        HallOfFame(ENTRIES, 0).place_within(leaves)


def test_a_size_of_numpy_is_one_too():
    assert HallOfFame(ENTRIES, 0).place_within(np.int64(2)) == 1
