"""Cross-validated cells, grids of them, and what is said of them, on tiny runs."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from heirwood.data import Column, Dataset, Schema, Table
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.settings import Encoding
from lab.paper import accuracy as module
from lab.paper import accuracy_cells
from lab.paper import weka as weka_module
from lab.paper.accuracy import Grid, list_tasks, run_grid
from lab.paper.accuracy_cells import (
    DEFAULT,
    PRESET,
    SAME_CHILDREN,
    Task,
    children_per_generation,
    make_estimator,
    measure,
    preset_task,
    run_seed,
    same_children,
)
from lab.paper.accuracy_printed import (
    J48,
    J48_P,
    NOISE,
    SETTINGS,
    Figures,
    printed_gatree,
    printed_j48,
    read_tables,
)
from lab.paper.accuracy_progress import AccuracyProgress
from lab.paper.accuracy_report import GATREE
from lab.paper.commands.accuracy import accuracy
from lab.paper.folds import make_folds
from lab.paper.pace import Pace
from lab.paper.results import MixedResultsError
from lab.paper.sets import SETS, load_set
from lab.paper.weka import J48Run, Weka, WekaMissingError
from tests.lab.paper.made_up_grid import some_cell
from tests.lab.paper.signalled import RAISED, signalled

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
        sizes = {"population_size": 8, "generations": 3} if task.learner == DEFAULT else {}
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

    expected = EvolvedTreeClassifier.gatree(0.01, (1e4, 1e6), population_size=300, generations=300)
    assert preset.payoff == expected.payoff
    assert preset.breeding.get_params() == expected.breeding.get_params()
    assert (preset.population_size, preset.generations, preset.max_leaf_nodes) == (300, 300, expected.max_leaf_nodes)
    assert str(default.get_params()) == str(EvolvedTreeClassifier.blind().get_params())


@pytest.mark.parametrize("size", [8, 100, 400, 800])
def test_our_search_breeds_as_many_children_as_the_preset_and_never_more(size):
    preset = make_estimator(preset_task("zoo", SETTINGS[0], size))
    ours = make_estimator(Task("zoo", SAME_CHILDREN, size, last_x=1e4))

    theirs = preset.generations * children_per_generation(preset)
    bred = ours.generations * children_per_generation(ours)
    assert theirs - children_per_generation(ours) < bred <= theirs
    assert same_children(size) == {"population_size": ours.population_size, "generations": ours.generations}
    assert ours.payoff == preset.payoff
    assert ours.max_leaf_nodes == preset.max_leaf_nodes
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


def test_a_fit_that_a_signal_ended_is_no_measurement(monkeypatch, tmp_path, signum):
    monkeypatch.setattr(accuracy_cells, "EvolvedTreeClassifier", signalled(EvolvedTreeClassifier, signum))
    monkeypatch.setattr(module, "list_tasks", lambda *_: [preset_task("balance-scale", SETTINGS[0], 8)])

    with pytest.raises(KeyboardInterrupt) as caught:
        run_grid(**TINY, results=tmp_path / "r.jsonl")

    assert caught.type is RAISED[signum]
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
    monkeypatch.setattr("lab.paper.pace.time.monotonic", lambda: next(times))

    pace = Pace([1.0, 1.0, 8.0])

    assert pace.event() == {"seconds": 2.0, "seconds_left": None}
    pace.done()
    assert pace.event() == {"seconds": 4.0, "seconds_left": 36.0}
    pace.done()
    assert pace.event() == {"seconds": 10.0, "seconds_left": 40.0}


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
