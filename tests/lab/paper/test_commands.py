import json
import subprocess
import sys
from pathlib import Path

import pytest

from lab.paper.commands.grid_options import tell_results
from lab.paper.commands.group import PARTS
from tests.busy import HUNG

RED = "\x1b[31mred\x1b[0m"


def test_the_parts_are_listed_with_their_help(call):
    done = call()

    assert done.exit_code == 0
    assert "Judge the paper's equations, and draw Figure 5." in done.stdout


def test_a_part_that_does_not_exist_is_neither_listed_nor_found(call, monkeypatch):
    monkeypatch.setitem(PARTS, "dreams", "lab.paper.commands.dreams:dreams")

    assert "dreams" not in call().stdout
    done = call("dreams")
    assert done.exit_code == 2
    assert "No such command 'dreams'" in done.stderr


def test_the_group_loads_nothing_heavy():
    code = (
        "import sys; import lab.paper.commands.group, lab.paper.commands.theory; "
        "print(sorted({'numpy', 'numba', 'sklearn', 'rich', 'heirwood.theory'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG)

    assert done.stdout == "[]\n", done.stderr


def test_theory_prints_a_table_for_one_k(call):
    done = call("theory", "--k", "2")

    lines = [line.split() for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert lines[0] == ["equation", "printed", "exact", "verdict"]
    assert ["Eq.", "3,", "linear", "2.6667", "=", "2.6667", "right"] in lines
    assert ["Sec.", "3.2.1,", "complete", "9", ">", "7", "wrong"] in lines
    assert done.stdout.endswith("14 of 26 statements hold for every k from 1 to 10.\n")
    assert done.stderr == ""


def test_theory_as_json_is_the_whole_report(call):
    document = json.loads(call("theory", "--json").stdout)

    second = next(one for one in document["statements"] if one["equation"] == "Eq. 2")
    assert second["verdict"] == "right"
    assert [case["exact_fraction"] for case in second["cases"]][:3] == ["2/3", "3/7", "4/15"]


@pytest.mark.compiled
def test_theory_writes_page_table_and_figure(call):
    done = call("theory", "--out", "some/results", "--quiet")

    assert done.exit_code == 0
    assert done.stderr == ""
    folder = Path("some/results")
    assert sorted(path.name for path in folder.iterdir()) == ["figure5.svg", "theory.csv", "theory.md"]
    assert "## For k = 3" in (folder / "theory.md").read_text()
    assert (folder / "figure5.svg").read_text().count('class="point"') > 40


@pytest.mark.parametrize("k", ["0", "11", "two"])
def test_a_k_that_is_not_enumerated_is_refused_in_one_line(call, k):
    done = call("theory", "--k", k)

    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


def test_names_of_results_are_spelt_out(capsys):
    tell_results({}, [], [Path(RED) / "a.csv"], as_json=False, quiet=False)

    assert capsys.readouterr().out == "\nResults are in \\x1b[31mred\\x1b[0m/a.csv\n"


def test_the_folder_of_figures_is_spelt_out(call, monkeypatch):
    monkeypatch.setattr("lab.paper.figure5_runs.measure", dict)
    monkeypatch.setattr("lab.paper.figure5.figure5", lambda measured: "")

    done = call("theory", "--out", RED)

    assert done.exit_code == 0, done.output
    assert "Wrote \\x1b[31mred\\x1b[0m/theory.md, " in done.stderr
