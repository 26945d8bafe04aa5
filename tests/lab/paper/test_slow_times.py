"""Time against work on the slow backend: two runs that are one, and what is said of them."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

from lab.paper import slow_times
from lab.paper.commands.slow import slow
from lab.paper.printed import SETTINGS, read_tables
from lab.paper.savings import DifferentRunsError, measure
from lab.paper.sets import load_set
from lab.paper.slow_times import SlowCell, SlowGrid, run_slow_grid
from lab.paper.slow_times_files import slow_part
from lab.paper.slow_times_picture import OURS, slow_picture
from lab.paper.slow_times_report import (
    COLUMNS,
    correlation,
    printed_correlation,
    summarize,
    table_rows,
    text_lines,
)

TINY = {"sets": ["balance-scale", "crime"], "tables": [4, 6], "size": 8, "repeats": 2}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def hushed(monkeypatch, tmp_path):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def facts(cell):
    timed = ("evaluating_old", "evaluating_new", "whole_old", "whole_new")
    return replace(cell, **dict.fromkeys(timed, 0.0))


def some_cell(checks, evaluating, whole, name="zoo", table=4):
    """Return a cell that saves these shares in percent."""
    return SlowCell(name, 100, table, 1, 101, 1.0, 1 - evaluating / 100, 2.0, 2 * (1 - whole / 100), 5, 50.0, checks)


def some_grid():
    cells = [some_cell(50, 48, 30), some_cell(60, 61, 10, table=5), some_cell(70, 69, 20, name="vote")]
    return SlowGrid(100, (4, 5), {}, cells, {"crime": "crime is lost"})


def test_a_cell_saves_what_the_compiled_engine_counts_for_the_same_run():
    dataset = load_set("balance-scale")

    cell = slow_times.measure("balance-scale", dataset, 8, SETTINGS[5], repeats=1)

    compiled = measure("balance-scale", dataset, 8, SETTINGS[5])
    assert (cell.seed, cell.rows_saved, cell.checks_saved) == (
        compiled.seed,
        compiled.rows_saved,
        compiled.checks_saved,
    )
    assert 0 < cell.evaluating_new < cell.whole_new
    assert 0 < cell.evaluating_old < cell.whole_old


def test_two_runs_that_are_not_one_are_found_out(monkeypatch):
    honest = slow_times._start

    def faked(dataset, size, setting, seed, *, inherit):
        return honest(dataset, size, setting, seed + inherit, inherit=inherit)

    monkeypatch.setattr(slow_times, "_start", faked)

    with pytest.raises(DifferentRunsError, match=r"balance-scale, size 8, m = 0\.5, x = 10\^4: .* in generation 1"):
        run_slow_grid(**TINY)


def test_an_interrupted_grid_goes_on_where_it_stopped(tmp_path, monkeypatch):
    path = tmp_path / "slow.jsonl"
    told = []
    run_slow_grid(**TINY, results=path, listener=lambda event: told.append(event) or event["event"] == "cell")

    grid = run_slow_grid(**TINY, results=path, listener=told.append)

    assert [event["done"] for event in told if event["event"] == "cell"] == [1, 2]
    assert told[-2]["seconds_left"] == 0
    assert [facts(cell) for cell in grid.cells] == [facts(cell) for cell in run_slow_grid(**TINY).cells]
    assert list(grid.missing) == ["crime"]


def test_correlations_are_of_time_saved_with_checks_saved():
    summary = summarize(some_grid())

    assert summary.evaluating == pytest.approx(np.corrcoef([50, 60, 70], [48, 61, 69])[0, 1])
    assert summary.whole == pytest.approx(np.corrcoef([50, 60, 70], [30, 10, 20])[0, 1])
    assert summary.off_line == pytest.approx((2 + 1 + 1) / 3)
    assert summary.met
    assert summarize(SlowGrid(100, (4,), {}, [some_cell(50, 50, 50)])).met is None


def test_the_print_shows_no_correlation():
    cells = list(read_tables().values())
    saved = [1 - cell.seconds_new / cell.seconds_old for cell in cells]

    assert len(cells) == 288
    assert printed_correlation() == correlation([cell.rows_saved for cell in cells], saved)
    assert abs(printed_correlation()) < 0.01


def test_text_and_table_hold_every_cell_and_the_missing_sets():
    summary = summarize(some_grid())
    text, rows = "\n".join(text_lines(summary)), table_rows(summary)

    assert "crime           missing; crime is lost" in text
    assert "in print      0.000 over 288 cells" in text
    assert all(len(row) == len(COLUMNS) for row in rows)
    assert [row[COLUMNS.index("evaluating_saved")] for row in rows] == [48, 61, 69, None]


def test_every_cell_is_drawn_where_its_shares_are():
    root = ElementTree.fromstring(slow_picture(summarize(some_grid())))

    told = {circle.findtext(f"{SVG}title"): circle for circle in root.iter(f"{SVG}circle") if len(circle)}
    first = told["zoo, m = 0.5, x = 10^4: 50.0 % of checks saved, 48.0 % of evaluation"]
    assert (float(first.get("cx")), float(first.get("cy"))) == pytest.approx(OURS.at(50, 48), abs=0.01)
    assert sum(title.startswith("Table ") for title in told) == 288
    assert len(told) == 288 + 6


def test_the_part_says_whether_the_claim_holds():
    part = slow_part(summarize(some_grid()))

    (finding,) = part.findings
    assert finding.met
    assert finding.measured.startswith("0.991 over 3 cells")
    assert "50.0 (**48.0**, 30.0)" in part.text
    assert "| crime |  | missing | missing |" in part.text


def test_the_command_measures_prints_and_keeps(tmp_path):
    words = [
        "--sets",
        "balance-scale",
        "--settings",
        "4,6,7",
        "--size",
        "8",
        "--repeats",
        "1",
        "--out",
        "kept",
    ]
    done = CliRunner().invoke(slow, words)

    assert done.exit_code == 0, done.output
    assert "correlation, evaluation" in done.output
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["slow.csv", "slow.jsonl", "slow.svg"]

    again = CliRunner().invoke(slow, [*words, "--quiet", "--json"])
    assert len(json.loads(again.output)["cells"]) == 3
