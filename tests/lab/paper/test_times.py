"""Old and new seconds: bars, sums, Tables 4 to 7 as a file, and timing side by side."""

import pytest

from lab.paper import times_side_by_side
from lab.paper.printed import SETTINGS, mean_saved, printed_cell
from lab.paper.savings import Cell, Grid, run_grid
from lab.paper.sets import SETS, load_set
from lab.paper.table6 import Table6, sheet, table6, table6_part
from lab.paper.table6 import text_lines as table6_lines
from lab.paper.times import CELL_COLUMNS, cells_sheet, text_lines, time_grid, times_part


@pytest.fixture(autouse=True)
def hushed(monkeypatch):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")


def some_cell(name="zoo", size=100, table=4, **changed):
    figures = {
        "set": name, "size": size, "table": table, "seed": 1, "seconds_old": 2.0, "seconds_new": 1.0,
        "evaluating_old": 1.5, "evaluating_new": 0.5, "measured": 1, "rows_saved": 50.0, "checks_saved": 60.0,
        "words_saved": 40.0, "accuracy": 0.9, "leaves": 4, "mean_leaves": 3.5,
    }  # fmt: skip
    return Cell(**{**figures, **changed})


def some_grid():
    cells = [
        some_cell(),
        some_cell(size=200, seconds_old=0.96, evaluating_old=0.49),
        some_cell("vote", table=6, seconds_old=0.98, evaluating_old=0.5),
    ]
    return Grid((100, 200), (4, 6), {}, cells, {"crime": "crime is lost"})


def test_a_cell_fails_a_bar_only_below_it():
    times = time_grid(some_grid())

    assert times.evaluating.failing == [("zoo", 200, 4, 0.98)]
    assert times.whole.failing == [("zoo", 200, 4, 0.96)]
    assert (times.whole.least, times.whole.middle, times.whole.most) == (0.96, 0.98, 2.0)


def test_sums_are_over_the_cells_in_print():
    times = time_grid(some_grid())

    printed = [printed_cell("zoo", 4, size).seconds_new for size in (100, 200)]
    assert times.n_printed == 2
    assert times.ours_new == 2.0
    assert times.faster == sum(printed) / 2.0


def test_text_and_part_name_the_cells_that_fail_and_count_them():
    times = time_grid(some_grid())
    text, part = "\n".join(text_lines(times)), times_part(times, some_grid())

    assert "1 of 3 cells below 0.97\n  whole run zoo, 200, m = 0.5, x = 10^4: 0.960" in text
    assert [finding.met for finding in part.findings] == [False, False, False]
    assert "Below: zoo 200 (m = 0.5, x = 10^4) 0.980" in part.text


def test_tables_4_to_7_hold_ours_and_theirs_and_say_what_is_missing():
    rows = [dict(zip(CELL_COLUMNS, row, strict=True)) for row in cells_sheet(some_grid()).rows]

    first, lost, missing = rows[0], rows[2], rows[3]
    assert first["printed_rows_saved"] == printed_cell("zoo", 4, 100).rows_saved
    assert (lost["set"], lost["table"], lost["printed_seconds_new"]) == ("vote", 6, None)
    assert (missing["set"], missing["note"]) == ("crime", "missing: crime is lost")
    assert len(rows) == 3 + 2


def test_a_grid_that_measured_nothing_has_nothing_to_compare():
    empty = Grid((100,), (4,), {}, missing={"crime": "crime is lost"})

    assert time_grid(empty).whole is None
    assert text_lines(time_grid(empty)) == []
    assert times_part(time_grid(empty), empty).findings == ()


def test_table_6_holds_every_set_and_says_what_is_not_there():
    cells = [some_cell(name, size, 6) for name in SETS if name != "crime" for size in (100, 200)]
    found = Table6([*cells, some_cell(table=4)], {"crime": "crime is lost"})

    assert (len(found.cells), found.n_wanted) == (22, 22)
    assert found.sets == list(SETS)
    assert sheet(found).rows[-1][:2] == ["multiplexor", 200]
    assert ["crime", None, None, None, None, None, "missing: crime is lost"] in sheet(found).rows
    (finding,) = table6_part(found).findings
    assert finding.met
    del cells[3]
    assert not table6_part(Table6(cells, {"crime": "crime is lost"})).findings[0].met


def test_table_6_stands_beside_what_survives_of_it():
    found = table6(Grid((100, 200), (6,), {}, [some_cell("vote", 100, 6, rows_saved=40.0), some_cell("vote", 200, 6)]))

    assert found.mean("vote") == 45.0
    assert f"45.00 {mean_saved('vote', 6):8.2f}" in "\n".join(table6_lines(found))
    assert "**45.00** | 42.78 | 29.42" in table6_part(found).text  # the last is Table 4's mean, printed in its place


def test_a_close_cell_is_timed_side_by_side_and_stays_the_same_run():
    once = run_grid(["balance-scale"], [6], [4]).cells[0]

    timed = times_side_by_side.time_side_by_side(
        lambda inherit: start_cell(once.seed, inherit=inherit), 6, 2, "balance-scale"
    )

    ledger = dict(zip(("rows", "rows_full"), timed.ledger, strict=False))
    assert 100 * (1 - ledger["rows"] / ledger["rows_full"]) == once.rows_saved
    assert all(0 < part < whole for part, whole in zip(timed.evaluating, timed.whole, strict=True))


def test_runs_of_two_seeds_are_not_timed_as_one():
    with pytest.raises(times_side_by_side.DifferentRunsError, match=r"here: .* in generation 1"):
        times_side_by_side.time_side_by_side(lambda inherit: start_cell(1 + inherit, inherit=inherit), 6, 1, "here")


def start_cell(seed, *, inherit):
    from lab.paper.figure5_runs import start
    from lab.paper.savings import _estimator

    estimator = _estimator(6, SETTINGS[4], seed, inherit)
    return start(load_set("balance-scale"), estimator, 6, times_side_by_side.TimedCpuBackend)
