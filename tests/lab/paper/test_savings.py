"""Cells, grids and what is said of them, on tiny runs."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from lab.paper import savings as module
from lab.paper.commands.savings import savings
from lab.paper.grid_progress import GridProgress, duration
from lab.paper.printed import SETTINGS, mean_saved, printed_cell
from lab.paper.savings import Cell, DifferentRunsError, Grid, cell_seed, check_same_run, measure, run_grid
from lab.paper.sets import SETS, load_set
from lab.paper.table3 import rank_correlation, summarize, text_lines, write_tables
from tests.lab.paper.data_folder import FOLDER, needs_folder
from tests.lab.paper.signalled import RAISED, signalled

TINY = {"sets": ["balance-scale"], "sizes": [8, 12], "tables": [4, 7]}


@pytest.fixture(autouse=True)
def hushed(monkeypatch, tmp_path):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def measured(monkeypatch):
    """Note which cells are really measured."""
    asked = []

    def note(name, dataset, size, setting, **extra):
        asked.append((name, size, setting.table))
        return measure(name, dataset, size, setting, **extra)

    monkeypatch.setattr(module, "measure", note)
    return asked


def facts(cell):
    """Return what a cell says besides seconds."""
    timed = ("seconds_old", "seconds_new", "evaluating_old", "evaluating_new")
    return replace(cell, **dict.fromkeys(timed, 0.0))


def some_cell(name="zoo", size=100, table=4, **changed):
    figures = {
        "set": name, "size": size, "table": table, "seed": 1, "seconds_old": 2.0, "seconds_new": 1.0,
        "evaluating_old": 1.5, "evaluating_new": 0.5, "measured": 1, "rows_saved": 50.0, "checks_saved": 60.0,
        "words_saved": 40.0, "accuracy": 0.9, "leaves": 4, "mean_leaves": 3.5,
    }  # fmt: skip
    return Cell(**{**figures, **changed})


def test_a_cell_measures_one_run_both_ways():
    cell = measure("balance-scale", load_set("balance-scale"), 12, SETTINGS[4])

    assert 0 < cell.rows_saved < cell.checks_saved < 100
    assert 0 < cell.evaluating_new < cell.seconds_new
    assert 0 < cell.accuracy <= 1
    assert cell.measured == 1


def test_a_cell_is_the_same_whenever_it_is_measured():
    cells = [measure("balance-scale", load_set("balance-scale"), 8, SETTINGS[5]) for _ in range(2)]

    assert facts(cells[0]) == facts(cells[1])


def test_every_cell_has_a_seed_of_its_own():
    seeds = {cell_seed(1, name, size, one) for name in SETS for size in (100, 200) for one in SETTINGS.values()}

    assert len(seeds) == len(SETS) * 2 * len(SETTINGS)


@pytest.mark.parametrize("close", [True, False])
def test_only_close_cells_are_measured_again(monkeypatch, close):
    monkeypatch.setattr(module, "CLOSE", 1e9 if close else 0.0)

    cell = measure("balance-scale", load_set("balance-scale"), 6, SETTINGS[4], repeats=3)

    assert cell.measured == (3 if close else 1)


def test_two_runs_that_differ_in_history_or_hall_are_not_called_the_same():
    dataset = load_set("balance-scale")
    first, same, other = (
        module._run(dataset, 8, SETTINGS[4], seed, inherit=inherit).model
        for seed, inherit in ((1, False), (1, True), (2, True))
    )
    check_same_run(first, same, "here")

    with pytest.raises(DifferentRunsError, match=r"here: .* differ in"):
        check_same_run(first, other, "here")
    same.history_ = {**same.history_, "rows": same.history_["rows"] + np.int64(1)}
    with pytest.raises(DifferentRunsError, match="differ in rows"):
        check_same_run(first, same, "here")


def test_a_faked_run_is_found_out_and_not_kept(monkeypatch, tmp_path):
    honest = module._run

    def faked(dataset, size, setting, seed, *, inherit):
        return honest(dataset, size, setting, seed + inherit, inherit=inherit)

    monkeypatch.setattr(module, "_run", faked)

    with pytest.raises(DifferentRunsError, match=r"balance-scale, size 8, m = 0\.5"):
        run_grid(**TINY, results=tmp_path / "r.jsonl")

    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1


def test_an_interrupted_grid_goes_on_where_it_stopped(tmp_path, measured):
    path = tmp_path / "r.jsonl"
    run_grid(**TINY, results=path, listener=lambda event: event["event"] == "cell" and event["done"] == 3)
    assert len(measured) == 3

    grid = run_grid(**TINY, results=path)

    assert len(measured) == len(grid.cells) == 4
    assert [facts(cell) for cell in grid.cells] == [facts(cell) for cell in run_grid(**TINY).cells]


def test_a_cell_cut_off_while_it_was_written_is_measured_again(tmp_path, measured):
    path = tmp_path / "r.jsonl"
    run_grid(**TINY, results=path)
    path.write_bytes(path.read_bytes()[:-20])

    grid = run_grid(**TINY, results=path)

    assert len(measured) == 5
    assert measured[-1] == measured[3]
    assert len(grid.cells) == 4


def test_a_fit_that_a_signal_ended_is_no_measurement(monkeypatch, tmp_path, signum):
    monkeypatch.setattr(module, "EvolvedTreeClassifier", signalled(module.EvolvedTreeClassifier, signum))

    with pytest.raises(KeyboardInterrupt) as caught:
        run_grid(**TINY, results=tmp_path / "r.jsonl")

    assert caught.type is RAISED[signum]


def test_missing_sets_are_told_and_listed_never_skipped():
    told = []
    grid = run_grid(["balance-scale", "zoo", "crime"], [8], [6], listener=told.append)
    summary = summarize(grid)
    text = "\n".join(text_lines(summary))

    assert list(told[0]["missing"]) == list(grid.missing) == ["zoo", "crime"]
    assert [mean.ours is None for mean in summary.means] == [False, True, True]
    assert "zoo: missing; zoo needs zoo.arff" in text
    assert "crime: missing; crime is lost" in text
    assert "66.18 missing" in text


def test_the_means_of_a_grid_stand_beside_table_3():
    cells = [some_cell(rows_saved=50.0), some_cell(size=200, rows_saved=60.0), some_cell(table=6, rows_saved=70.0)]
    summary = summarize(Grid((100, 200), (4, 6), {}, cells))

    assert [mean.ours for mean in summary.means] == [55.0, 70.0]
    assert summary.means[0].difference == pytest.approx(55.0 - mean_saved("zoo", 4))
    expected = (abs(55.0 - mean_saved("zoo", 4)) + abs(70.0 - mean_saved("zoo", 6))) / 2
    assert summary.distance == pytest.approx(expected)


def test_times_are_summed_over_the_cells_in_print_only():
    cells = [some_cell(), some_cell(size=8), some_cell(table=6)]
    times = summarize(Grid((8, 100), (4, 6), {}, cells)).times

    assert (times.n_cells, times.n_printed) == (3, 1)
    assert (times.ours_old, times.ours_new) == (2.0, 1.0)
    assert times.theirs_new == printed_cell("zoo", 4, 100).seconds_new
    assert (times.whole.least, times.whole.middle, times.whole.most) == (2.0, 2.0, 2.0)


def test_a_grid_that_measured_nothing_has_a_summary_too():
    summary = summarize(Grid((100,), (4,), {}, missing={"crime": "crime is lost"}))

    assert summary.distance is None
    assert summary.times.whole is None
    assert any("missing" in line for line in text_lines(summary))


def test_rank_correlation_is_spearmans_with_shared_ranks():
    assert rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert rank_correlation([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.948683, abs=1e-6)
    assert rank_correlation([1, 1], [1, 2]) is None


def test_stand_ins_are_labelled_in_text_and_files(tmp_path):
    summary = summarize(run_grid(["multiplexor"], [8], [6]))
    third, sixth = write_tables(summary, tmp_path)

    assert any(line.startswith("multiplexor*") for line in text_lines(summary))
    assert "stand-in: generated" in third.read_text()
    assert sixth.read_text().startswith("set,size,seconds_old")
    assert "multiplexor,8," in sixth.read_text()


def test_progress_without_a_terminal_is_plain_lines(capsys):
    with GridProgress() as progress:
        run_grid(**TINY, listener=progress)

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0/4 4 cells"
    assert lines[-1].startswith("4/4 balance-scale, 12, m = 0.01, x = 10^4..10^5: ")
    assert lines[-1].endswith(" 0 s left")
    assert [duration(seconds) for seconds in (5, 185, 3600)] == ["5 s", "3:05", "1:00:00"]


def call(*words):
    return CliRunner().invoke(savings, [str(word) for word in words], prog_name="savings")


def test_the_command_prints_table_3_and_keeps_its_results(tmp_path):
    done = call(
        "--sets", "balance-scale,crime", "--sizes", "8,12", "--settings", "4,6", "--repeats", "2", "--out", "kept"
    )

    assert done.exit_code == 0, done.output
    assert "Table 3: rows saved in percent" in done.stdout
    assert "The true Table 6" in done.stdout
    assert "crime: missing" in done.stdout
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["savings.jsonl", "table3.csv", "table6.csv"]


def test_the_command_speaks_json():
    done = call("--sets", "balance-scale", "--sizes", "8", "--settings", "4", "--quiet", "--json")

    document = json.loads(done.stdout)
    assert document["n_cells"] == 1
    assert document["means"][0]["difference"] == pytest.approx(document["means"][0]["ours"] - 56.25)
    assert done.stderr == ""


@needs_folder
def test_a_small_grid_runs_on_every_set_that_can_be_had():
    grid = run_grid(sizes=[10], tables=[4], folder=FOLDER)

    assert list(grid.missing) == ["crime"]
    assert [cell.set for cell in grid.cells] == [name for name in SETS if name != "crime"]
