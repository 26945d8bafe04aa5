"""Cross-validated cells, grids of them, and what is said of them, on tiny runs."""

import csv
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from heirwood.cli.reproduce_accuracy import accuracy
from heirwood.data import Column, Dataset, Schema, Table
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.reproduce import accuracy as module
from heirwood.reproduce import accuracy_cells
from heirwood.reproduce import weka as weka_module
from heirwood.reproduce.accuracy import Grid, list_tasks, run_grid
from heirwood.reproduce.accuracy_cells import (
    DEFAULT,
    PRESET,
    SAME_CHILDREN,
    Cell,
    Task,
    children_per_generation,
    make_estimator,
    measure,
    preset_task,
    run_seed,
    same_children,
)
from heirwood.reproduce.accuracy_printed import (
    J48,
    J48_P,
    NOISE,
    SETTINGS,
    TRAILING,
    Figures,
    printed_gatree,
    printed_j48,
    read_tables,
)
from heirwood.reproduce.accuracy_progress import AccuracyProgress
from heirwood.reproduce.accuracy_report import GATREE, summarize
from heirwood.reproduce.accuracy_text import text_lines, write_tables
from heirwood.reproduce.folds import make_folds
from heirwood.reproduce.pace import Pace
from heirwood.reproduce.results import MixedResultsError
from heirwood.reproduce.sets import SETS, load_set
from heirwood.reproduce.weka import J48Run, Weka, WekaMissingError
from heirwood.settings import Encoding

TINY = {"sets": ["balance-scale", "crime"], "sizes": [8, 12], "settings": SETTINGS[:1] + SETTINGS[4:]}


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """No Weka and no folder of data, unless a test brings them."""
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.delenv("HEIRWOOD_WEKA", raising=False)
    monkeypatch.setattr(weka_module, "JARS", ())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def quick_default(monkeypatch):
    """Let our default search be a short one."""

    def short(task, **parameters):
        sizes = {"population": 8, "generations": 3} if task.learner == DEFAULT else {}
        return make_estimator(task, **sizes, **parameters)

    monkeypatch.setattr(accuracy_cells, "make_estimator", short)


@pytest.fixture
def measured(monkeypatch, quick_default):
    """Note which cells are really measured."""
    asked = []

    def note(task, dataset, **extra):
        asked.append(task)
        return measure(task, dataset, **extra)

    monkeypatch.setattr(module, "measure", note)
    return asked


def facts(cells):
    """Return what cells say besides seconds."""
    return {task: replace(cell, seconds=[]) for task, cell in cells.items()}


def some_cell(task, right=0.8, nodes=11, seconds=0.5, children=2500):
    return Cell(task, [round(100 * right)] * 5, [100] * 5, [nodes] * 5, [seconds] * 5, children)


def full_grid(sets=("balance-scale", "vote"), sizes=(100, 200), weka="3.6.14", right=lambda task: 0.8):
    """Return a grid whose cells are made up, J48's the printed ones."""
    missing = {"crime": "crime is lost"}
    grid = Grid(tuple(sizes), SETTINGS, {"seed": 1}, weka, "" if weka else "Weka cannot be found", missing=missing)
    for task in list_tasks(sets, grid):
        if task.learner in (J48, J48_P):
            print_ = printed_j48(task.set, task.learner)
            grid.cells[task] = Cell(task, [round(1000 * print_.accuracy)], [1000], [int(print_.nodes)], [0.1], 0)
        else:
            grid.cells[task] = some_cell(task, right(task))
    return grid


def test_the_print_is_whole():
    tables = read_tables()

    assert len(tables) == 4 * 12 * 8 + 2 * 3 * 6
    assert printed_gatree("balance-scale", SETTINGS[0], 100) == Figures(0.690, 14, 0.65)
    assert printed_gatree("kr-vs-kp", SETTINGS[5], 600) == Figures(0.931, 5, 56.91)
    assert printed_gatree("kr-vs-kp", SETTINGS[5], 700) is None
    assert printed_gatree("zoo", SETTINGS[4], 100) is None
    assert printed_j48("kr-vs-kp", J48_P) == Figures(0.989, 51, 0.04)
    assert {place for place in NOISE if place in tables} == NOISE


def test_a_cell_counts_hits_on_rows_its_trees_never_saw():
    task = preset_task("balance-scale", SETTINGS[0], 12)
    dataset = load_set("balance-scale")

    cell = measure(task, dataset)

    fold = make_folds(625, 1, "balance-scale")[1]
    model = make_estimator(task, random_state=run_seed(1, task, 1))
    model.fit(dataset.table.take(fold.train), dataset.target[fold.train])
    predicted = model.predict(dataset.table.take(fold.test))
    assert cell.hits[1] == (predicted == dataset.target[fold.test]).sum()
    assert cell.nodes[1] == 2 * model.get_n_leaves() - 1
    assert cell.rows == [125] * 5
    assert cell.accuracy == pytest.approx(np.mean([hits / 125 for hits in cell.hits]))
    assert all(seconds > 0 for seconds in cell.seconds)
    assert cell.children == 12 * children_per_generation(model)


def test_no_accuracy_comes_from_rows_that_were_learnt_by_heart():
    """A column that names the row tells the class of a row that was seen, and nothing of others."""
    names = tuple(f"row{row}" for row in range(40))
    table = Table(Schema((Column("name", "nominal", names),)), np.arange(40.0)[:, None].copy(order="F"))
    classes = np.array(["ab"[row % 2] for row in range(40)])

    cell = measure(Task("zoo", DEFAULT), Dataset(table, classes, "class", ("a", "b"), "names"))

    assert cell.accuracy < 0.7


def test_a_cell_is_the_same_whenever_it_is_measured():
    task = Task("balance-scale", SAME_CHILDREN, 8, last_x=1e5)
    dataset = load_set("balance-scale")

    first, again = (replace(measure(task, dataset), seconds=[]) for _ in range(2))

    assert first == again


def test_every_run_has_a_seed_of_its_own():
    tasks = list(list_tasks(list(SETS), Grid((100, 200), SETTINGS, {})))

    seeds = {run_seed(1, task, fold) for task in tasks for fold in range(5)}

    assert len(seeds) == 5 * len(tasks)


def test_preset_cells_follow_the_paper_and_default_cells_our_defaults():
    preset = make_estimator(preset_task("zoo", SETTINGS[5], 300))
    default = make_estimator(Task("zoo", DEFAULT))

    expected = EvolvedTreeClassifier.gatree(0.01, (1e4, 1e6), population=300, generations=300)
    assert preset.payoff == expected.payoff
    assert preset.breeding.get_params() == expected.breeding.get_params()
    assert (preset.population, preset.generations, preset.max_leaves) == (300, 300, expected.max_leaves)
    assert str(default.get_params()) == str(EvolvedTreeClassifier.blind().get_params())


@pytest.mark.parametrize("size", [8, 100, 400, 800])
def test_our_search_breeds_as_many_children_as_the_preset_and_never_more(size):
    preset = make_estimator(preset_task("zoo", SETTINGS[0], size))
    ours = make_estimator(Task("zoo", SAME_CHILDREN, size, last_x=1e4))

    theirs = preset.generations * children_per_generation(preset)
    bred = ours.generations * children_per_generation(ours)
    assert theirs - children_per_generation(ours) < bred <= theirs
    assert same_children(size) == {"population": ours.population, "generations": ours.generations}
    assert ours.payoff == preset.payoff
    assert ours.max_leaves == preset.max_leaves
    assert ours.breeding.get_params() == EvolvedTreeClassifier.blind().breeding.get_params()


def test_a_grid_has_the_paper_s_cells_and_twins_where_it_trails():
    grid = Grid((100, 200), SETTINGS, {}, weka="3.6.14")

    tasks = list(list_tasks(["zoo", "anneal"], grid))

    def count(name, learner):
        return sum((task.set, task.learner) == (name, learner) for task in tasks)

    assert [count("zoo", learner) for learner in (PRESET, SAME_CHILDREN, DEFAULT, J48, J48_P)] == [8, 0, 1, 1, 1]
    assert [count("anneal", learner) for learner in (PRESET, SAME_CHILDREN, DEFAULT, J48, J48_P)] == [12, 6, 1, 1, 1]
    assert len(set(tasks)) == len(tasks)


def test_a_grid_without_weka_says_why_and_has_no_j48(quick_default):
    grid = run_grid(**TINY)

    assert grid.weka is None
    assert "install the package weka" in grid.weka_missing
    assert {task.learner for task in grid.cells} == {PRESET, DEFAULT, SAME_CHILDREN}
    assert "lost" in grid.missing["crime"]
    assert {task.set for task in grid.cells} == {"balance-scale"}


def test_a_jar_that_was_asked_for_is_not_passed_over(tmp_path):
    with pytest.raises(WekaMissingError, match=r"no file .*w\.jar', which --weka names"):
        run_grid(**TINY, jar=tmp_path / "w.jar")


def test_an_interrupted_grid_goes_on_where_it_stopped(tmp_path, measured):
    path = tmp_path / "r.jsonl"
    run_grid(**TINY, results=path, listener=lambda event: event["event"] == "cell" and event["done"] == 4)
    assert len(measured) == 4

    grid = run_grid(**TINY, results=path)

    assert len(measured) == len(set(measured)) == len(grid.cells) == 1 + 2 * (3 + 2)
    assert facts(grid.cells) == facts(run_grid(**TINY).cells)


def test_results_of_another_seed_are_not_mixed(tmp_path, quick_default):
    run_grid(**TINY, results=tmp_path / "r.jsonl")

    with pytest.raises(MixedResultsError, match="seed was 1, is 2"):
        run_grid(**TINY, results=tmp_path / "r.jsonl", seed=2)


def test_a_search_that_changed_is_another_grid(tmp_path, quick_default, monkeypatch):
    run_grid(**TINY, results=tmp_path / "r.jsonl")
    conditions = module.make_conditions(1)
    assert conditions["default"]["succession__kind"] == "generational"
    assert conditions["scheme"]["breeding__labels"] == "genes"
    assert "breeding__mutation_rate" not in conditions["scheme"]

    monkeypatch.setattr(module, "Encoding", lambda: Encoding(max_cuts=3))

    with pytest.raises(MixedResultsError, match=r"default was .* is .*"):
        run_grid(**TINY, results=tmp_path / "r.jsonl")


def test_a_fit_that_ctrl_c_ended_is_no_measurement(monkeypatch, tmp_path):
    class Interrupted(EvolvedTreeClassifier):
        def fit(self, X, y):
            super().fit(X, y)
            self.stop_reason_ = "interrupted"
            return self

    monkeypatch.setattr(accuracy_cells, "EvolvedTreeClassifier", Interrupted)
    monkeypatch.setattr(module, "list_tasks", lambda *_: [preset_task("balance-scale", SETTINGS[0], 8)])

    with pytest.raises(KeyboardInterrupt):
        run_grid(**TINY, results=tmp_path / "r.jsonl")

    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1


def test_j48_cells_come_from_weka_and_go_by_its_version(monkeypatch, tmp_path, quick_default):
    asked = []

    class Faked(Weka):
        def j48(self, dataset, learner):
            asked.append((dataset.name, learner))
            return J48Run(hits=485, rows=625, nodes=103, leaves=52, seconds=0.1)

    monkeypatch.setattr(module, "find_weka", lambda jar: Faked("java", Path("weka.jar"), "3.6.14"))
    first = run_grid(**TINY, results=tmp_path / "r.jsonl")
    monkeypatch.setattr(module, "find_weka", lambda jar: Faked("java", Path("weka.jar"), "3.8.6"))
    run_grid(**TINY, results=tmp_path / "r.jsonl")

    assert asked == [("balance-scale", J48), ("balance-scale", J48_P)] * 2
    cell = first.cells[Task("balance-scale", J48, by="Weka 3.6.14")]
    assert (cell.accuracy, cell.mean_nodes, cell.mean_seconds) == (0.776, 103, 0.1)


def test_progress_says_what_is_done_and_how_long_is_left(capsys):
    cell = some_cell(preset_task("zoo", SETTINGS[4], 100))

    with AccuracyProgress() as progress:
        progress({"event": "grid", "cells": 2, "done": 0})
        progress({"event": "cell", "cell": asdict(cell), "done": 2, "cells": 2, "seconds": 3.0, "seconds_left": 0.0})

    assert capsys.readouterr().err == (
        "0/2 2 cells\n2/2 zoo, preset, size 100, m = 0.5, x to 1,000,000: 0.800 right; 3 s, 0 s left\n"
    )


def test_the_time_that_is_left_goes_by_what_is_left_to_do(monkeypatch):
    times = iter([10.0, 12.0, 14.0, 20.0])
    monkeypatch.setattr("heirwood.reproduce.pace.time.monotonic", lambda: next(times))

    pace = Pace([1.0, 1.0, 8.0])

    assert pace.event() == {"seconds": 2.0, "seconds_left": None}
    pace.done()
    assert pace.event() == {"seconds": 4.0, "seconds_left": 36.0}
    pace.done()
    assert pace.event() == {"seconds": 10.0, "seconds_left": 40.0}


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


def call(*words):
    return CliRunner().invoke(accuracy, [str(word) for word in words])


SMALL = ("--sets", "balance-scale,crime", "--sizes", "8", "--settings", "8,12")


def test_the_command_writes_files_and_prints_the_tables(quick_default):
    done = call(*SMALL, "--out", "some/where")

    assert done.exit_code == 0, done.output
    assert "Table 8: m = 0.5, x = 10^4; means over sizes 8, theirs and ours" in done.stdout
    assert "J48 as printed: " in done.stderr
    assert "6/6 balance-scale, same children" in done.stderr
    assert sorted(path.name for path in Path("some/where").iterdir()) == ["accuracy.csv", "accuracy.jsonl", "j48.csv"]
    assert GATREE.split(",")[0] in done.stdout


def test_json_is_for_programs_and_quiet_is_quiet(quick_default):
    done = call(*SMALL, "--json", "--quiet")

    document = json.loads(done.stdout)
    assert done.stderr == ""
    assert document["weka"] is None
    assert document["missing"]["crime"]
    assert document["learners"]["balance-scale"]["default"]["nodes"] >= 1
    assert [entry["used"] for entry in document["j48"]] == ["printed"] * 4
    assert call(*SMALL, "--quiet").output == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--quick", "--sizes", "100"), "--quick means --sizes 100-300"),
        (("--data", "nowhere"), "--data 'nowhere' is no folder"),
        (("--weka", "nowhere.jar"), "--weka 'nowhere.jar' is no file"),
        (("--settings", "7"), "7 is not valid; expected from 8 to 12"),
        (("--sets", "iris"), "the paper has no set 'iris'"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(words, message):
    done = call(*words)

    assert done.exit_code == 2
    assert message in done.output
    assert not Path("results").exists()
