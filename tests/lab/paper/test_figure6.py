"""Figure 6: runs that write journals, journals that are read back, and the picture drawn from them."""

import json
import re
import signal
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from heirwood.journal import read
from lab.paper import figure6_runs
from lab.paper.commands.figure6 import figure6 as command
from lab.paper.commands.group import main
from lab.paper.figure6 import ACCURACY, LEFT, NODES, RIGHT, figure6
from lab.paper.figure6_runs import Trace, journal_path, read_trace, run_folds
from lab.paper.folds import make_folds
from tests.lab.paper.signalled import signalled

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def trace(accuracy=(0.5, 0.7, 0.9), nodes=(3, 5, 9), held_out=0.6):
    return Trace(list(accuracy), list(nodes), [share - 0.1 for share in accuracy], [n + 1.0 for n in nodes], held_out)


def points(path):
    """Return the points of a path."""
    return [tuple(map(float, pair.split())) for pair in re.split("[ML]", path.get("d"))[1:]]


def paths(svg, kind):
    return [path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.get("class") == kind]


def test_what_is_drawn_is_what_the_journals_tell(tmp_path):
    traces = run_folds(tmp_path, size=10)

    assert [one.generations for one in traces] == [10] * 5
    for fold, one in enumerate(traces, start=1):
        events, _ = read(journal_path(tmp_path, fold))
        told = [event for event in events if event["event"] == "generation"]
        assert one.accuracy == [event["best"]["hits"] / 80 for event in told]
        assert one.nodes == [2 * event["best"]["leaves"] - 1 for event in told]
        assert one.held_out * 20 == round(one.held_out * 20)


def test_each_fold_is_evolved_on_its_own_rows_from_a_seed_of_its_own(tmp_path):
    told = []

    run_folds(tmp_path, size=4, seed=7, done=told.append)

    starts = [read(journal_path(tmp_path, fold))[0][0] for fold in range(1, 6)]
    assert told == [1, 2, 3, 4, 5]
    assert [start["seed"] for start in starts] == [8, 9, 10, 11, 12]
    assert [start["rows"] for start in starts] == [100 - len(fold.test) for fold in make_folds(100, 7, "multiplexor")]


def test_the_same_seed_draws_the_same_picture(tmp_path):
    pictures = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        pictures.append(figure6(run_folds(tmp_path / name, size=6), "a run"))

    assert pictures[0] == pictures[1]


def test_a_journal_that_was_cut_off_is_not_drawn(tmp_path):
    run_folds(tmp_path, size=4)
    path = journal_path(tmp_path, 1)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))

    with pytest.raises(ValueError, match="is not the journal of one whole run"):
        read_trace(path, 0.5)


def test_curves_go_through_the_folds_one_after_another():
    svg = figure6([trace(), trace(accuracy=(0.5, 0.5, 1.0), nodes=(3, 3, 11))], "two runs")

    accuracy, nodes, second_accuracy, second_nodes = (points(path) for path in paths(svg, "best"))
    middle = (LEFT + RIGHT) / 2
    assert [x for x, _ in accuracy] == [LEFT, (LEFT + middle) / 2, middle]
    assert [x for x, _ in second_accuracy] == [middle, (middle + RIGHT) / 2, RIGHT]
    assert second_accuracy[-1][1] == ACCURACY[0]  # 100 % is the top of its panel
    assert accuracy[0][1] > accuracy[1][1] > accuracy[2][1]
    assert all(NODES[0] <= y <= NODES[1] for _, y in nodes + second_nodes)
    assert second_nodes[-1][1] == min(y for _, y in nodes + second_nodes)


def test_the_picture_names_its_parts_and_shows_what_was_held_out():
    svg = figure6([trace(), trace(held_out=0.85)], "two runs & more")

    circles = list(ElementTree.fromstring(svg).iter(f"{SVG}circle"))
    assert [circle.get("class") for circle in circles] == ["held-out"] * 2
    assert float(circles[1].get("cy")) < float(circles[0].get("cy"))
    assert "fold 2: 85% of the rows" in svg
    assert "two runs &amp; more" in svg
    assert len(paths(svg, "mean")) == 4
    assert 'class="paper"' not in figure6([trace()], "a run", background=False)


def test_runs_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="the same generations of each"):
        figure6([trace(), trace((0.5, 0.6), (3, 3))], "two runs")
    with pytest.raises(ValueError, match="at least one run"):
        figure6([], "none")


def call(*words):
    return CliRunner().invoke(command, [str(word) for word in words])


def test_the_command_writes_the_figure_and_the_journals():
    done = call("--size", "6", "--out", "some/where")

    assert done.exit_code == 0, done.output
    names = ["figure6-fold1.jsonl", "figure6-fold2.jsonl", "figure6-fold3.jsonl", "figure6-fold4.jsonl"]
    assert sorted(path.name for path in Path("some/where").iterdir()) == [*names, "figure6-fold5.jsonl", "figure6.svg"]
    assert "6 trees, 6 generations a fold, m = 0.5, x = 10^4." in Path("some/where/figure6.svg").read_text()
    assert done.stdout.splitlines()[1].startswith("fold 1")
    assert "fold 5/5 is evolved" in done.stderr


def test_json_is_for_programs_and_quiet_is_quiet():
    done = call("--size", "6", "--setting", "11", "--json", "--quiet")

    document = json.loads(done.stdout)
    assert done.stderr == ""
    assert document["setting"] == "m = 0.01, x = 10^4..10^5"
    assert len(document["folds"]) == 5
    assert call("--size", "6", "--quiet").output == ""


def test_a_signal_draws_nothing(monkeypatch, signum):
    monkeypatch.setattr(figure6_runs, "EvolvedTreeClassifier", signalled(figure6_runs.EvolvedTreeClassifier, signum))

    done = CliRunner().invoke(main, ["figure6", "--size", "4"])

    assert done.exit_code == 128 + signum
    said = "terminated" if signum == signal.SIGTERM else "interrupted"
    assert done.stderr.splitlines() == [f"heirwood: error: {said} before the figure was drawn"]
    assert not Path("results/figure6.svg").exists()
