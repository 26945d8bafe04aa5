"""What is said of a grid of cells, beside the print: means, duels, tables and files, on cells that are made up."""

import csv
from dataclasses import replace

import pytest

from lab.paper.accuracy_cells import (
    DEFAULT,
    PRESET,
    SAME_CHILDREN,
    Task,
)
from lab.paper.accuracy_printed import (
    J48,
    J48_P,
    SETTINGS,
    TRAILING,
    Figures,
    printed_gatree,
    printed_j48,
)
from lab.paper.accuracy_report import summarize
from lab.paper.accuracy_text import text_lines, write_tables
from tests.lab.paper.made_up_grid import full_grid


def test_a_summary_sets_means_over_sizes_beside_the_print():
    summary = summarize(full_grid())

    entry = next(one for one in summary.entries if (one.set, one.setting) == ("vote", SETTINGS[0]))
    assert entry.theirs == Figures(0.956, 3.5, pytest.approx((0.63 + 2.75) / 2))
    assert entry.ours == Figures(0.8, 11, 0.5)
    crime = next(one for one in summary.entries if (one.set, one.setting) == ("crime", SETTINGS[0]))
    assert crime.ours is None
    assert crime.theirs.accuracy == pytest.approx((0.712 + 0.715) / 2)
    assert {one.set for one in summary.entries if one.setting.table == 12} == {"balance-scale"}
    assert summary.n_printed == 2 * (2 * 4 + 2)


def test_printed_times_that_are_noise_are_left_out():
    whole, without = (summarize(full_grid(("vote",), sizes)) for sizes in ((700,), (700, 800)))

    assert (whole.n_noise, without.n_noise) == (0, 1)
    added = sum(printed_gatree("vote", setting, 800).seconds for setting in SETTINGS[:3])
    assert without.seconds[0] == pytest.approx(whole.seconds[0] + added)
    assert without.seconds[1] == pytest.approx(whole.seconds[1] + 3 * 0.5)


def test_duels_count_who_is_right_more_often():
    summary = summarize(full_grid(right=lambda task: 0.99 if task.set == "vote" and task.learner == DEFAULT else 0.78))

    duel = next(one for one in summary.duels if (one.first, one.second) == (DEFAULT, J48))
    assert (duel.wins, duel.ties, duel.losses) == (2, 0, 0)
    assert duel.difference == pytest.approx(100 * ((0.78 - 0.776) + (0.99 - 0.966)) / 2)
    duel = next(one for one in summary.duels if (one.first, one.second) == (DEFAULT, J48_P))
    assert (duel.wins, duel.ties, duel.losses) == (1, 0, 1)
    duel = next(one for one in summary.duels if (one.first, one.second) == (DEFAULT, PRESET))
    assert (duel.wins, duel.ties, duel.losses) == (1, 1, 0)


def test_j48_is_exact_to_the_last_printed_digit_or_not_at_all():
    grid = full_grid()
    task = Task("vote", J48_P, by="Weka 3.6.14")
    assert summarize(grid).j48_exact == (8, 8)

    grid.cells[task] = replace(grid.cells[task], hits=[955], nodes=[11])

    summary = summarize(grid)
    assert summary.j48_exact == (6, 8)
    assert "  vote, J48 (p): size 9 printed, 11 real" in text_lines(summary)
    assert "  vote, J48 (p): accuracy 0.954 printed, 0.9550 real" in text_lines(summary)


def test_trails_compare_the_same_sizes_and_name_the_children():
    summary = summarize(full_grid(("anneal", "vote"), (500, 600, 700)))

    assert {trail.set for trail in summary.trails} == {"anneal"} <= set(TRAILING)
    assert [trail.sizes for trail in summary.trails if trail.last_x == 1e5] == [(500, 600, 700), (700,)]
    last = [trail for trail in summary.trails if trail.last_x == 1e6]
    assert [trail.sizes for trail in last] == [(500, 600), (600,)]
    assert last[1].theirs[0.5] == Figures(0.927, 22, 89.74)
    assert last[1].children == [(2500, 2500)]


def test_an_interrupted_grid_can_be_summarized():
    grid = full_grid()
    for task in [task for task in grid.cells if task.size == 200 or task.learner == J48]:
        del grid.cells[task]

    summary = summarize(grid)

    assert all(trail.sizes == (100,) for trail in summary.trails)
    assert text_lines(summary)
    assert next(one for one in summary.j48 if one.learner == J48).in_use == printed_j48("balance-scale", J48)


def test_a_report_without_weka_marks_j48_as_printed():
    lines = text_lines(summarize(full_grid(weka=None)))

    assert any(line.startswith("J48 ") and "as printed: Weka cannot be found" in line for line in lines)
    assert not any("Weka 3" in line for line in lines)


def test_a_report_says_what_is_missing_and_what_stands_in():
    lines = text_lines(summarize(full_grid(("balance-scale", "multiplexor"))))

    assert "  crime: missing; crime is lost" in lines
    assert any(line.startswith("  multiplexor: stand-in, ") for line in lines)
    row = next(line for line in lines if line.startswith("crime"))
    assert row.split()[1:3] == ["0.714", "missing"]


def test_the_files_hold_every_cell_beside_its_print(tmp_path):
    files = write_tables(summarize(full_grid()), tmp_path)

    cells, j48 = (list(csv.DictReader(path.open())) for path in files)
    first = cells[0]
    assert (first["table"], first["set"], first["size"], first["learner"]) == ("8", "balance-scale", "100", PRESET)
    assert (first["accuracy_printed"], first["accuracy"], first["nodes_printed"], first["nodes"]) == (
        "0.69", "0.8", "14.0", "11.0",
    )  # fmt: skip
    assert sum(line["learner"] == PRESET for line in cells) == 2 * (4 * 3 + 2)  # crime's lines hold its print alone
    assert all(line["accuracy"] == "" and line["accuracy_printed"] for line in cells if line["set"] == "crime")
    assert sum(line["learner"] == SAME_CHILDREN for line in cells) == 6
    assert [line["by"] for line in j48] == ["Weka 3.6.14"] * 4 + ["printed"] * 2
    assert [line["accuracy_exact"] for line in j48] == ["yes"] * 4 + [""] * 2
