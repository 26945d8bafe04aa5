"""The report: composed from parts, as Markdown, as one page, and as files."""

import csv
import json
import re
import types
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from lab.paper import report_parts
from lab.paper.commands.all import all_
from lab.paper.commands.group import main
from lab.paper.report import Finding, Part, Request, Sheet, table
from lab.paper.report_page import anchor, inline, make_page
from lab.paper.report_parts import PARTS, make_parts
from lab.paper.report_write import to_markdown, write_report

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="3"/></svg>'
FIRST = Part(
    name="first",
    title="First: what is, and why",
    text="Some *words* & `a < b`.\n\n![A circle](circle.svg)\n\n"
    + table(("set", "saved"), [["zoo\\*", 1.5], ["a|b", None]]),
    tables={"first.csv": Sheet(("set", "saved"), [["zoo", 1.5], ["crime", None]])},
    pictures={"circle.svg": PICTURE, "other.svg": PICTURE},
    findings=(Finding("circles", "at least 1", "2", True), Finding("squares", "at least 1", "0", False)),
    unreproduced=("**crime** is lost.",),
)
SECOND = Part(
    "second", "Second", "- one\n- two\n\n### A heading\n\nlast", unreproduced=("**crime** is lost.", "So is this.")
)
VOID = {"meta", "circle"}


class Balance(HTMLParser):
    """Checks that every element that is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def parse(page):
    reader = Balance()
    reader.feed(page)
    assert reader.open == []
    return reader


def test_a_report_has_what_was_asked_the_parts_and_what_is_left_once(tmp_path):
    text = to_markdown([FIRST, SECOND], Request(tmp_path, seed=7))

    headings = re.findall(r"^##? (.+)$", text, re.M)
    assert headings == [
        "The paper, reproduced", "What was asked, what came out", "Contents", "First: what is, and why", "Second",
        "What could not be reproduced, and why",
    ]  # fmt: skip
    assert "| circles | at least 1 | 2 | met |" in text
    assert "| squares | at least 1 | 0 | **missed** |" in text
    assert "| seed | 7 |" in text
    assert "| version | Heirwood " in text
    assert text.count("- **crime** is lost.") == 1
    assert text.index("![A circle](circle.svg)") < text.index("![other.svg](other.svg)")


def test_links_of_the_contents_go_to_headings_of_the_page(tmp_path):
    text = to_markdown([FIRST, SECOND], Request(tmp_path))
    page = parse(make_page("title", text, {"circle.svg": PICTURE}))

    ids = {attributes["id"] for tag, attributes in page.seen if "id" in attributes}
    links = {attributes["href"] for tag, attributes in page.seen if tag == "a"}
    assert {f"#{anchor(part.title)}" for part in (FIRST, SECOND)} <= links
    assert {link[1:] for link in links if link.startswith("#")} <= ids
    assert anchor("First: what is, and why") == "first-what-is-and-why"


def test_a_page_needs_nothing_from_elsewhere(tmp_path):
    (tmp_path / "out").mkdir()
    write_report([FIRST, SECOND], Request(tmp_path / "out"))
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")

    tags = {tag for tag, _ in parse(page).seen}
    assert not tags & {"script", "link", "img", "iframe"}
    assert not re.search(r"(src|url)\s*[=(]\s*[\"']?https?:", page)
    assert page.count("<svg") == 2
    assert '<span class="missed">missed</span>' in page


def test_words_are_escaped_and_styled():
    assert inline("a < b & **bold**") == "a &lt; b &amp; <strong>bold</strong>"
    assert inline("`x * y * z <`") == "<code>x * y * z &lt;</code>"
    assert inline("*word* 2 * 3 * 4") == "<em>word</em> 2 * 3 * 4"
    assert inline("soybean\\* and multiplexor\\*") == "soybean* and multiplexor*"
    assert inline("[here](https://example.org)") == '<a href="https://example.org">here</a>'
    assert inline("[bad](javascript:alert(1))").startswith("bad")
    assert inline('<script>alert("x")</script>') == '&lt;script&gt;alert("x")&lt;/script&gt;'


def test_a_table_keeps_bars_in_fields_and_alignment():
    page = make_page("t", table(("a", "b"), [["x|y", "1"], [None, "2"]], "lr"), {})

    assert "<td>x|y</td>" in page
    assert '<td class="r">1</td>' in page
    assert "<td></td>" in page


def test_files_are_written_and_listed(tmp_path):
    written = write_report([FIRST, SECOND], Request(tmp_path))

    assert [path.name for path in written] == ["report.md", "report.html", "first.csv", "circle.svg", "other.svg"]
    with (tmp_path / "first.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["set", "saved"], ["zoo", "1.5"], ["crime", ""]]
    assert "- [first.csv](first.csv)" in (tmp_path / "report.md").read_text()
    ElementTree.fromstring((tmp_path / "circle.svg").read_text())


@pytest.fixture
def two_parts(monkeypatch):
    """Put two little parts in the place of the report's own."""
    made = []

    def importing(name):
        part = {"first": FIRST, "second": SECOND}[name]
        return types.SimpleNamespace(make_part=lambda request: made.append(name) or part)

    monkeypatch.setattr(report_parts, "import_module", importing)
    PARTS_BEFORE = dict(PARTS)
    PARTS.clear()
    PARTS.update(first="first", second="second")
    yield made
    PARTS.clear()
    PARTS.update(PARTS_BEFORE)


def test_parts_are_made_in_the_reports_order_whatever_the_order_asked(two_parts, tmp_path):
    begun = []

    make_parts(Request(tmp_path), ["second", "first"], begun.append)

    assert begun == two_parts == ["first", "second"]
    with pytest.raises(ValueError, match="the report has no part 'third'; it has first, second"):
        make_parts(Request(tmp_path), ["third"])


def test_the_command_writes_the_report_and_says_what_was_missed(two_parts, tmp_path):
    done = CliRunner().invoke(all_, ["--out", str(tmp_path / "out"), "--seed", "3"])

    assert done.exit_code == 0, done.output
    assert "MISSED squares (at least 1): 0" in done.output
    assert "| seed | 3 |" in (tmp_path / "out" / "report.md").read_text()


def test_the_command_speaks_json_and_makes_some_parts_only(two_parts, tmp_path):
    done = CliRunner().invoke(all_, ["--parts", "second", "--out", str(tmp_path), "--quiet", "--json"])

    document = json.loads(done.output)
    assert two_parts == ["second"]
    assert document["findings"] == []
    assert document["files"][0].endswith("report.md")


def test_wrong_usage_is_told_before_anything_runs(two_parts, tmp_path):
    done = CliRunner().invoke(all_, ["--parts", "third", "--out", str(tmp_path / "out")])

    assert done.exit_code == 2
    assert "the report has no part 'third'" in done.output
    assert two_parts == []
    assert not (tmp_path / "out").exists()


def test_an_interruption_says_that_the_command_goes_on(two_parts, tmp_path, monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(report_parts, "import_module", interrupted)

    done = CliRunner().invoke(main, ["all", "--out", str(tmp_path)])

    assert done.exit_code == 130
    assert "the same command goes on" in done.output


def test_every_part_of_the_report_can_be_made():
    from importlib import import_module

    assert all(callable(import_module(module).make_part) for module in PARTS.values())
