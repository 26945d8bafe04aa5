"""The documentation is true: its Python runs, its commands exist, its links lead somewhere, its tables are complete.

The blocks of a page are lived through in order, in an empty folder, as a reader would. A comment on the line before
a block says more about it:

    <!-- output -->         a text block: what the blocks since the last output printed, to the letter
    <!-- run -->            a console block: its heirwood commands are run, not only looked up
    <!-- from: PATH -->     a Python block that is not run but quoted from this file of ours
"""

import json
import re
import shlex
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner
from sklearn.tree import DecisionTreeClassifier

from heirwood import EvolvedTreeClassifier, multiplexer
from heirwood.cli import main
from heirwood.file_budgets import BUDGETS
from heirwood.payoff import PAYOFFS
from heirwood.settings import SETTINGS
from lab.paper.commands.group import main as paper

pytestmark = pytest.mark.whole_bound

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + [
    page for page in sorted(DOCS.rglob("*.md")) if not page.name.startswith("benchmarks")
]
FENCE = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)
NOT_OURS = {"git", "cd", "pip", "python", "rm"}  # commands that a console block may use besides make and heirwood


@dataclass
class Block:
    language: str
    note: str
    text: str


def blocks(page):
    return [Block(language, note, text) for note, language, text in FENCE.findall(page.read_text())]


def commands(block):
    return [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]


def name(page):
    return page.relative_to(ROOT).as_posix()


def pages_with(language):
    return [page for page in PAGES if any(block.language == language for block in blocks(page))]


def run_console(block, printed):
    for line in commands(block):
        program, *words = shlex.split(line, comments=True)
        assert program == "heirwood", f"{line}: only heirwood's own commands can be run here"
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{line}\n{result.output}"
        printed.append(result.stdout)


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_the_blocks_of_a_page_run_in_order_and_print_what_it_says(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    reader = {"__name__": "a_reader"}
    printed = []
    for number, block in enumerate(blocks(page)):
        if block.language == "python" and not block.note.startswith("from:"):
            exec(compile(block.text, f"{name(page)}, block {number}", "exec"), reader)
            printed.append(capsys.readouterr().out)
        elif block.language == "console" and block.note == "run":
            run_console(block, printed)
        elif block.note == "output":
            assert "".join(printed).splitlines() == block.text.splitlines()
        if block.note == "output":
            printed.clear()


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_quoted_code_is_in_the_file_it_is_quoted_from(page):
    for block in blocks(page):
        if block.note.startswith("from:"):
            source = (ROOT / block.note.removeprefix("from:").strip()).read_text()
            assert block.text in source


@pytest.mark.parametrize("page", pages_with("console"), ids=name)
def test_every_command_of_a_console_block_exists(page):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    for block in blocks(page):
        for line in commands(block) if block.language == "console" else []:
            program, *words = shlex.split(line, comments=True)
            if program == "make":
                assert {word for word in words if "=" not in word} <= targets, line
                for part in (word.removeprefix("PAPER=") for word in words if word.startswith("PAPER=")):
                    check_command(paper, shlex.split(part), line)
            elif program == "heirwood":
                check_command(main, words, line)
            else:
                assert Path(program).name in NOT_OURS | {"heirwood"}, line


def check_command(command, words, line):
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    named = list(takewhile(lambda word: not word.startswith("-"), words))
    while named and isinstance(command, click.Group):
        command = command.get_command(click.Context(command), named.pop(0))
        assert command is not None, line
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    # "-1" is the value of --jobs
    assert {option for option in options if not option[1:].isdigit()} <= known, line


LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_to_a_file_of_ours_leads_somewhere(page):
    for found in LINK.findall(FENCE.sub("", page.read_text())):
        link = next(filter(None, found))
        if not link.startswith(("http://", "https://", "#", "mailto:")):
            assert (page.parent / link.partition("#")[0]).exists(), link


def test_every_page_can_be_reached_from_the_index():
    index = (DOCS / "index.md").read_text() + (DOCS / "decisions" / "index.md").read_text()

    for page in PAGES:
        assert not page.is_relative_to(DOCS) or page.name == "index.md" or f"{page.name})" in index, name(page)


def test_decisions_are_numbered_without_gaps():
    numbers = [int(page.name[:4]) for page in sorted((DOCS / "decisions").glob("0*.md"))]

    assert numbers == list(range(1, len(numbers) + 1))


# ---- the reference ----


def table_under(page, heading):
    """Return the rows of the first table under a heading: the texts of their cells, without backquotes."""
    section = re.split(r"^#+ ", page.read_text(), flags=re.M)
    body = next(part for part in section if part.split("\n", 1)[0].strip("` ") == heading)
    lines = [line for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in lines[2:]]


@pytest.mark.parametrize("heading", ["EvolvedTreeClassifier", *(kind.__name__ for kind in SETTINGS.values())])
def test_the_reference_names_every_parameter_with_its_default(heading):
    kinds = {kind.__name__: kind for kind in SETTINGS.values()} | {"EvolvedTreeClassifier": EvolvedTreeClassifier}
    expected = {key: repr(value) for key, value in kinds[heading]().get_params(deep=False).items()}

    rows = table_under(DOCS / "reference" / "parameters.md", heading)

    assert {row[0]: row[1] for row in rows} == expected


def test_the_reference_names_every_payoff_with_its_parameters():
    rows = table_under(DOCS / "reference" / "parameters.md", "Payoffs")

    assert {row[0] for row in rows} == set(PAYOFFS)


def test_the_reference_names_every_budget_with_its_default():
    rows = table_under(DOCS / "reference" / "parameters.md", "Budgets for files")

    assert [row[0] for row in rows] == [budget.variable for budget in BUDGETS]
    for row, budget in zip(rows, BUDGETS, strict=True):
        assert row[1].startswith(f"{budget.default:,} ")


@pytest.fixture(scope="module")
def run_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    table = multiplexer(2)
    estimator = EvolvedTreeClassifier(population_size=20, generations=3, payoff="leaf_cost", random_state=0)
    estimator.set_params(monitoring__journal=folder / "run.jsonl").fit(table.table, table.target)
    estimator.save(folder / "model.json")
    return folder


def test_the_reference_names_every_entry_of_a_model_file(run_files):
    written = json.loads((run_files / "model.json").read_text())

    rows = table_under(DOCS / "reference" / "files.md", "Model files")

    assert [row[0] for row in rows] == list(written)


@pytest.mark.parametrize("kind", ["start", "generation", "clock", "end"])
def test_the_reference_names_every_entry_of_an_event(run_files, kind):
    told = [json.loads(line) for line in (run_files / "run.jsonl").read_text().splitlines()]
    entries = {entry for event in told if event["event"] == kind for entry in event}

    rows = table_under(DOCS / "reference" / "files.md", kind)

    seldom = ("only with a cost matrix", "only in a last generation")  # this run has none
    always = {row[0] for row in rows if not row[1].startswith(seldom)}
    assert always | {"event"} == entries


def test_the_example_payoff_of_the_contributors_guide_can_join_the_registry(monkeypatch):
    example = next(block for block in blocks(ROOT / "CONTRIBUTING.md") if block.language == "python")
    written = {"__name__": "heirwood.payoff.example"}
    exec(example.text, written)
    payoff = next(value for value in written.values() if callable(value) and hasattr(value, "__kwdefaults__"))
    monkeypatch.setitem(PAYOFFS, payoff.__name__, payoff)
    table = multiplexer(1)

    estimator = EvolvedTreeClassifier(population_size=20, generations=5, payoff=payoff.__name__, random_state=0)

    assert estimator.fit(table.table, table.target).n_generations_ == 5
    assert payoff.__doc__


@pytest.mark.parametrize("seed", range(8))
def test_the_default_search_proves_the_eight_leaves_of_the_readme(seed):
    table = multiplexer(2)

    fitted = EvolvedTreeClassifier(random_state=seed).fit(table.table, table.target)

    assert (fitted.get_n_leaves(), fitted.optimal_) == (8, True)


def test_a_greedy_builder_needs_as_many_leaves_as_the_readme_says():
    table = multiplexer(2)

    fitted = [DecisionTreeClassifier(random_state=seed).fit(table.table.values, table.target) for seed in range(5)]

    assert all(tree.score(table.table.values, table.target) == 1.0 for tree in fitted)
    assert (min(tree.get_n_leaves() for tree in fitted), max(tree.get_n_leaves() for tree in fitted)) == (24, 32)


def test_the_picture_is_small_and_well_formed():
    picture = DOCS / "images" / "evolution.svg"

    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert picture.stat().st_size < 300_000
