"""The report's parts, each on tiny runs of the real thing: what they tell is what was measured."""

import re
from xml.etree import ElementTree

import pytest

from lab.paper import accuracy, calibration, law
from lab.paper.accuracy_printed import SETTINGS as ACCURACY_SETTINGS
from lab.paper.accuracy_report import summarize as summarize_accuracy
from lab.paper.calibration_report import score_all
from lab.paper.figure6_runs import Trace
from lab.paper.law_report import summarize_law
from lab.paper.printed import mean_saved
from lab.paper.report import Part, Request
from lab.paper.report_accuracy import accuracy_part
from lab.paper.report_calibration import calibration_part
from lab.paper.report_figure6 import figure6_part
from lab.paper.report_law import law_part
from lab.paper.report_page import make_page
from lab.paper.report_savings import savings_part
from lab.paper.report_theory import theory_part
from lab.paper.savings import Grid, run_grid
from lab.paper.table3 import summarize
from lab.paper.table3_picture import table3_picture
from lab.paper.theory_report import judge
from lab.paper.weka import WekaMissingError
from tests.lab.paper.test_times import some_cell

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def hushed(monkeypatch):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)


def check(part: Part) -> Part:
    """A part must stand on a page: its tables are whole, and every picture it places is there."""
    page = make_page(part.title, part.text, part.pictures)
    assert page.count("<figure>") == len(re.findall(r"^!\[", part.text, re.M))
    assert all(len(row) == len(sheet.columns) for sheet in part.tables.values() for row in sheet.rows)
    return part


def test_theory_counts_what_holds_and_places_figure_5():
    part = check(theory_part(judge(ks=[1, 2]), "<svg></svg>"))

    assert part.findings[0].met
    assert "statements hold" in part.text
    assert "![Figure 5" in part.text


def three_sets():
    cells = [some_cell("vote", size, 4, rows_saved=29.5) for size in (100, 200)]
    cells += [some_cell("soybean", 100, 4, rows_saved=60.0)]
    return Grid((100, 200), (4,), {}, cells, {"crime": "crime is lost: no rows"})


def test_savings_put_theirs_beside_ours_and_name_what_is_far():
    part = check(savings_part(summarize(three_sets())))

    assert f"{mean_saved('vote', 4):.2f} → 29.50 (+0.1)" in part.text
    assert "→ 60.00 (**+13.2**)" in part.text
    assert "39.70, missing here" in part.text
    told = " ".join(part.unreproduced)
    assert "**crime** is missing: lost: no rows" in told
    assert "**soybean** is a stand-in" in told
    assert "1 entries of Table 3 are more than 10 points from ours: soybean" in told
    assert all(finding.met is None for finding in part.findings)  # two sizes are not what was asked


def test_the_picture_of_table_3_has_a_mark_for_each_side_and_one_for_a_missing_set():
    root = ElementTree.fromstring(table3_picture(summarize(three_sets())))

    stories = [circle.findtext(f"{SVG}title") for circle in root.iter(f"{SVG}circle") if len(circle)]
    assert stories.count("vote: 29.4 % in print, 29.5 % here (+0.1 points)") == 2
    assert stories.count("crime: 39.7 % in print; the set is missing") == 1
    words = " ".join(text.text for text in root.iter(f"{SVG}text"))
    assert "soybean *" in words


def test_a_narrow_table_of_savings_is_made_from_real_runs():
    part = check(savings_part(summarize(run_grid(["balance-scale", "zoo"], [8], [4, 6]))))

    assert "zoo" in " ".join(part.unreproduced)  # there is no folder here


def test_the_law_tells_of_cells_and_of_children_counted_to_the_row():
    grid = law.run_law(["balance-scale", "crime"], [10], [4])
    part = check(law_part(summarize_law(grid, [])))

    exact = next(finding for finding in part.findings if finding.bar == "exact")
    assert exact.met
    assert "| crime | missing |" in part.text


def test_accuracy_stands_beside_j48_and_says_where_j48_comes_from(monkeypatch):
    def no_weka(jar):
        raise WekaMissingError("there is no Weka; install it")

    monkeypatch.setattr(accuracy, "find_weka", no_weka)
    grid = accuracy.run_grid(["balance-scale", "crime"], [6], ACCURACY_SETTINGS[:1])
    part = check(accuracy_part(summarize_accuracy(grid)))

    assert "as printed (there is no Weka; install it)" in part.text
    assert part.findings[0].met is None
    assert "not measured: there is no Weka" in part.findings[0].measured
    assert "J48 was not run" in " ".join(part.unreproduced)
    assert "### Table 8" in part.text


def test_figure_6_tells_of_every_fold():
    trace = Trace([0.5, 0.75], [3, 5], [0.4, 0.6], [3.0, 4.0], 0.7)
    part = check(figure6_part([trace, trace], "two runs"))

    assert part.text.count("| fold ") == 2
    assert len(part.tables["figure6.csv"].rows) == 4


def test_calibration_lists_the_schemes_the_nearest_first():
    schemes = tuple(calibration.SCHEMES)[:2]
    scores = score_all(calibration.calibrate(schemes, ["balance-scale"], [8], [4]))
    part = check(calibration_part(scores))

    named = re.findall(r"^\| `([^`]+)`", part.text, re.M)
    assert named == [score.scheme for score in scores]
    assert sorted(named) == sorted(schemes)


def test_the_grid_of_savings_is_run_once_for_all_parts(tmp_path, monkeypatch):
    from lab.paper import savings

    runs = []
    monkeypatch.setattr(savings, "run_grid", lambda **asked: runs.append(asked) or three_sets())
    request = Request(tmp_path, quick=True, quiet=True)

    assert request.savings() is request.savings()
    assert len(runs) == 1
    assert runs[0]["results"] == tmp_path / "savings.jsonl"
