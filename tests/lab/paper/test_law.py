"""Cells and grids of the law, what is said of them, and the command, on tiny runs."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from heirwood.theory import Shape
from lab.paper import law as module
from lab.paper import law_converged
from lab.paper.commands.law import law
from lab.paper.law import LawCell, LawGrid, measure_law, run_law
from lab.paper.law_converged import Converged, commonest_shapes, count_shapes, measure_converged
from lab.paper.law_report import law_lines, summarize_law, write_law
from lab.paper.printed import SETTINGS, SIZES
from lab.paper.results import MixedResultsError
from lab.paper.savings import measure
from lab.paper.sets import SETS, load_set
from tests.core.kernels import adopt
from tests.lab.paper.data_folder import FOLDER, needs_folder
from tests.tables import make_problem

TINY = {"sets": ["balance-scale"], "sizes": [8, 12], "tables": [4, 7]}


@pytest.fixture(autouse=True)
def hushed(monkeypatch, tmp_path):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def some_cell(name="zoo", size=100, table=4, **changed):
    figures = {
        "set": name, "size": size, "table": table, "seed": 1, "children": 2500, "rows_saved": 50.5, "law": 50.0,
        "error": 0.4, "miscounted": 0,
    }  # fmt: skip
    return LawCell(**{**figures, **changed})


def some_end(**changed):
    figures = {
        "set": "vote", "size": 800, "table": 4, "children": 16000, "rows_saved": 30.0, "commonest_nodes": 3,
        "commonest_share": 95.0, "by_commonest": 29.63, "n_shapes": 1, "law": 29.63,
    }  # fmt: skip
    return Converged(**{**figures, **changed})


# ---- cells and grids ----


@pytest.mark.parametrize("table", SETTINGS)
def test_a_cell_of_the_law_is_the_run_of_the_savings_grid(table):
    dataset = load_set("balance-scale")

    cell = measure_law("balance-scale", dataset, 12, SETTINGS[table])

    measured = measure("balance-scale", dataset, 12, SETTINGS[table])
    assert (cell.rows_saved, cell.seed) == (measured.rows_saved, measured.seed)
    assert cell.miscounted == 0
    assert cell.error > 0
    assert abs(cell.z) < 5


def test_z_is_the_difference_in_standard_errors():
    assert some_cell().difference == pytest.approx(0.5)
    assert some_cell().z == pytest.approx(1.25)
    assert some_cell(error=0.0, rows_saved=50.0).z == 0
    assert some_cell(error=0.0).z == np.inf


def test_an_interrupted_grid_goes_on_where_it_stopped(tmp_path, monkeypatch):
    asked = []

    def note(name, dataset, size, setting, **extra):
        asked.append((name, size, setting.table))
        return measure_law(name, dataset, size, setting, **extra)

    monkeypatch.setattr(module, "measure_law", note)
    path = tmp_path / "r.jsonl"
    run_law(**TINY, results=path, listener=lambda event: event["event"] == "cell" and event["done"] == 3)
    assert len(asked) == 3

    grid = run_law(**TINY, results=path)

    assert len(asked) == 4
    assert grid.cells == run_law(**TINY).cells
    assert [cell.key for cell in grid.cells] == [
        ("balance-scale", size, table) for size in TINY["sizes"] for table in TINY["tables"]
    ]


def test_results_of_another_seed_are_not_mixed_in(tmp_path):
    run_law(["balance-scale"], [8], [4], results=tmp_path / "r.jsonl")

    with pytest.raises(MixedResultsError, match="seed was 1, is 2"):
        run_law(["balance-scale"], [8], [4], results=tmp_path / "r.jsonl", seed=2)


def test_sets_that_cannot_be_had_are_told():
    told = []

    grid = run_law(["multiplexor", "zoo", "crime"], [8], [6], listener=told.append)

    assert list(told[0]["missing"]) == list(grid.missing) == ["zoo", "crime"]
    assert "crime: missing; crime is lost" in "\n".join(law_lines(summarize_law(grid, [])))


@needs_folder
def test_every_child_on_every_set_is_counted_to_the_row():
    grid = run_law(sizes=[20], folder=FOLDER)

    assert [cell.set for cell in grid.cells[::4]] == [name for name in SETS if name != "crime"]
    assert sum(cell.miscounted for cell in grid.cells) == 0
    assert summarize_law(grid, []).verdicts["within"]


# ---- converged populations ----


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["balance-scale", "multiplexor"])
def test_the_commonest_shapes_of_a_converged_population_tell_what_is_saved(name):
    end = measure_converged(name, load_set(name), 250, SETTINGS[6], last=0.4)

    assert end.children > 1000  # enough for chance to have less to say than the two points
    assert abs(end.difference) <= 2


@needs_folder
@pytest.mark.compiled
def test_vote_and_soybean_save_what_their_commonest_shapes_say():
    ends = law_converged.measure_all_converged(tables=[4, 7], folder=FOLDER)

    assert [(end.set, end.table) for end in ends] == [("vote", 4), ("vote", 7), ("soybean", 4), ("soybean", 7)]
    assert max(abs(end.difference) for end in ends) <= 2


def test_trees_are_counted_by_shape():
    problem = make_problem(n_rows=40)
    backend, handles = adopt(problem, [0, -1, -2], [0, -2, -1], [0, -1, 1, -1, -2], [-1])

    shapes = count_shapes(backend, np.array(handles))

    stump = [shape for shape in shapes if shape.spans == (3, 1, 1)]
    assert shapes[stump[0]] == 2
    assert shapes[Shape((1,), (40,))] == 1
    assert {shape.spans for shape in shapes} == {(3, 1, 1), (5, 1, 3, 1, 1), (1,)}
    assert all(shape.rows[0] == 40 for shape in shapes)


def test_the_fewest_shapes_that_make_up_most_trees_are_taken():
    common, rare, rarer = (Shape((1,), (rows,)) for rows in (3, 2, 1))
    shapes = law_converged.Counter({rare: 30, common: 60, rarer: 10})

    assert commonest_shapes(shapes, 0.5) == {common: 60}
    assert commonest_shapes(shapes, 0.9) == {common: 60, rare: 30}
    assert commonest_shapes(shapes, 0.91) == shapes


# ---- what is said of them ----


def test_a_grid_is_judged():
    cells = [some_cell(size=size) for size in SIZES]
    good = summarize_law(LawGrid(SIZES, (4,), {}, [replace(cell, rows_saved=50.2) for cell in cells]), [some_end()])
    bad = summarize_law(
        LawGrid(SIZES, (4,), {}, [replace(cell, rows_saved=51.3, miscounted=1) for cell in cells]),
        [some_end(rows_saved=32.0)],
    )

    assert good.verdicts == {"within": True, "distance": True, "counted": True, "converged": True}
    assert bad.verdicts == {"within": False, "distance": False, "counted": False, "converged": False}
    assert good.distance == pytest.approx(0.2)
    assert good.spread == pytest.approx(0.5)
    assert good.by_chance == pytest.approx(0.4 * np.sqrt(2 / np.pi))
    assert "DOES NOT HOLD" not in "\n".join(law_lines(good))
    assert "\n".join(law_lines(bad)).count("DOES NOT HOLD") == 4


def test_the_distance_is_judged_over_all_sizes_only():
    summary = summarize_law(LawGrid((100,), (4,), {}, [some_cell()]), [])

    assert "distance" not in summary.verdicts
    assert any(line.endswith("over all sizes): not measured") for line in law_lines(summary))


def test_a_grid_that_measured_nothing_has_a_summary_too():
    summary = summarize_law(LawGrid((100,), (4,), {}, missing={"crime": "crime is lost"}), [])

    assert summary.verdicts == {}
    assert law_lines(summary)[-1] == "  crime: missing; crime is lost"


def test_cells_and_ends_are_written_as_tables(tmp_path):
    summary = summarize_law(LawGrid((100,), (4,), {}, [some_cell()]), [some_end()])

    cells, ends = write_law(summary, tmp_path)

    (cell,) = csv.DictReader(cells.open())
    assert (cell["set"], cell["law"], cell["error"], cell["z"]) == ("zoo", "50.0", "0.4", "1.25")
    (end,) = csv.DictReader(ends.open())
    assert (end["set"], end["difference"], end["n_shapes"]) == ("vote", "0.37", "1")


# ---- the command ----


def call(*words):
    return CliRunner().invoke(law, [str(word) for word in words], prog_name="law")


def test_the_command_prints_the_law_and_keeps_its_results(tmp_path):
    done = call("--sets", "balance-scale,crime", "--sizes", "8,12", "--settings", "4,6", "--out", "kept")

    assert done.exit_code == 0, done.output
    assert "The law: rows saved in percent" in done.stdout
    assert "children to the row: holds" in done.stdout
    assert "crime: missing" in done.stdout
    assert "4/4 balance-scale" in done.stderr
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["law.csv", "law.jsonl"]


def test_the_command_speaks_json():
    done = call("--sets", "balance-scale", "--sizes", "8", "--settings", "4", "--quiet", "--json")

    document = json.loads(done.stdout)
    assert document["n_cells"] == 1
    assert document["miscounted"] == 0
    (cell,) = document["cells"]
    assert cell["z"] == pytest.approx((cell["rows_saved"] - cell["law"]) / cell["error"])
    assert done.stderr == ""


@needs_folder
def test_the_command_shows_converged_populations(monkeypatch, tmp_path):
    monkeypatch.setattr(law_converged, "SIZE", 20)

    done = call("--sets", "soybean", "--sizes", "8", "--settings", "6", "--data", FOLDER, "--out", "kept")

    assert "soybean*, 20, m = 0.01, x = 10^4" in done.stdout
    assert (tmp_path / "kept" / "law_converged.csv").exists()
