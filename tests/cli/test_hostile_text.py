"""Labels and names that would move a cursor, hide text or run in a spreadsheet."""

import csv
import io
import os
import pty
import re
import select
import subprocess
import sys

import pytest

from heirwood.__main__ import main
from heirwood.cli.predict import as_csv, without_cells, without_formulas
from tests.cli.conftest import SMALL, command

pytestmark = pytest.mark.compiled

RED, CURSOR, HIDDEN = "\x1b[31mred\x1b[0m", "\x9b2J", "gr\u202enee"
FORMULA = "=cmd|' /C calc'!A0"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LABELS = [RED, CURSOR, HIDDEN, FORMULA]


def write_table(path, labels, column="size"):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column, "kind"])
        writer.writerows([i % len(labels), labels[i % len(labels)]] for i in range(60))


@pytest.fixture
def hostile(call):
    """Fit a model whose classes and columns are hostile, with a journal."""
    write_table("hostile.csv", LABELS, column=f"size{RED}")
    words = [
        "--out",
        "model.json",
        "--journal",
        "run.jsonl",
        "--population-size",
        "20",
        "--generations",
        "5",
        "--seed",
        "3",
    ]
    done = call("fit", "hostile.csv", *words, "--payoff", "fewest_errors")
    assert done.exit_code == 0, done.output
    assert not OBEYED.search(done.output)


def in_terminal(*words, code=0):
    """Run a command in a terminal; return what it shows, without the colours and movements that are ours.

    In a copy of this process, which has loaded all modules already.
    """
    child, ours = pty.fork()
    if child == 0:
        be_a_command(words)
    parts = []
    while select.select([ours], [], [], 60)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how a terminal says that nobody writes to it any more
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == code, parts
    shown = re.sub("\r+\n?", "\n", b"".join(parts).decode())
    shown = re.sub("\x1b\\[(?:1A|2K|\\?25[lh])", "", shown)  # a display is drawn over
    return re.sub("\x1b\\[(?:0|1|2|22|3[0-7]|9[0-7]|1;3[0-7]|2;3[0-7]|1;9[0-7])?m", "", shown)


def be_a_command(words):
    """Run a command and end this process, whose first three files are a terminal, as the command ends."""
    code = 70
    try:
        for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
            setattr(sys, name, os.fdopen(number, mode, 1, encoding="utf-8"))  # not what pytest put there
        sys.argv = ["heirwood", *map(str, words)]
        main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stdout.flush()
        os._exit(code)


def check_spelt_out(shown):
    """Check that there is nothing that a terminal obeys, and that a name is there all the same."""
    # Our own colours are the same codes as a label's, so look at what stands beside the text.
    assert not OBEYED.search(shown)
    assert "[31mred" in shown
    assert shown.count("[31mred") == shown.count("\\x1b[31mred") + shown.count("\\u001b[31mred")


@pytest.mark.parametrize(
    "words",
    [
        ["score", "model.json", "hostile.csv"],
        ["predict", "model.json", "hostile.csv", "--proba"],
        ["predict", "model.json", "hostile.csv", "--proba", "--json"],
        ["replay", "run.jsonl"],
        ["show", "model.json"],
    ],
    ids=" ".join,
)
def test_no_label_reaches_a_terminal_as_it_is(hostile, words):
    check_spelt_out(in_terminal(*words))


def test_no_name_of_a_file_or_a_class_reaches_a_terminal_while_a_tree_is_fitted(folder):
    """Nor in notes: one class is so rare that folds know little of it."""
    write_table(f"{RED}.csv", [RED, CURSOR])
    with open(f"{RED}.csv", "a") as file:
        file.write(f"1,{RED} and rare\n")

    shown = in_terminal("fit", f"{RED}.csv", "--size-selection", "cv", *SMALL)

    check_spelt_out(shown)
    assert "note: the class '\\x1b[31mred\\x1b[0m and rare' has 1 of 61 rows" in shown
    assert "\\x1b[31mred\\x1b[0m: 61 rows" in shown
    assert "look at it with: heirwood show \\x1b[31mred\\x1b[0m.model.json" in shown


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", f"no{RED}.json"], 1),
        (["score", "model.json", "hostile.csv", "--target", f"no{RED}"], 1),
        (["fit", "hostile.csv", "--out", f"no{RED}/model.json"], 2),
        (["fit", "hostile.csv", "--size-selection", f"no{RED}"], 2),
    ],
    ids=["file", "column", "folder", "value"],
)
def test_no_name_reaches_a_terminal_in_an_error(hostile, words, code):
    check_spelt_out(in_terminal(*words, code=code))


def test_a_pipe_gets_the_bytes_that_a_file_gets(hostile, call):
    words = ["predict", "model.json", "hostile.csv", "--proba"]

    piped = subprocess.run(command(*words), capture_output=True, check=True).stdout
    call(*words, "--out", "out.csv")

    with open("out.csv", "rb") as file:
        assert piped == file.read()
    assert RED.encode() in piped


def test_errors_are_spelt_out_in_a_pipe_too(shell):
    done = shell("show", f"no{RED}.json")

    assert done.returncode == 1
    assert "there is no file 'no\\x1b[31mred\\x1b[0m.json'" in done.stderr  # not left out, as click does with colours


@pytest.mark.parametrize(
    ("label", "written"),
    [
        (FORMULA, f"'{FORMULA}"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+a", "'+a"),
        ("-a", "'-a"),
        ("-1+1", "'-1+1"),
        ("\uff1d1", "'\uff1d1"),
        *((f"{unseen}=1", f"'{unseen}=1") for unseen in "\t\r\n\v\0 \xa0\u200b\u3000\ufeff\x85\x9b"),
        *((f"{unseen}-2", f"{unseen}-2") for unseen in "\t \v\xa0\u3000"),
        (" \ufeff\0@a", "' \ufeff\0@a"),
        ("\ta", "'\ta"),
        ("\0a", "\0a"),
        ("'x", "'x"),
        ("-", "-"),
        ("+", "+"),
        ("-1", "-1"),
        ("+3", "+3"),
        ("-1.5e3", "-1.5e3"),
        ("+1e3", "+1e3"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
@pytest.mark.filterwarnings("ignore:.* begin like a formula")
def test_formulas_are_made_harmless_and_numbers_left_alone(label, written):
    text = as_csv(without_formulas([label, "x"], [label, "x"]), [], None)

    assert list(csv.reader(io.StringIO(text, newline=""))) == [["prediction"], [written], ["x"]]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("label", ["a,=1+1", "a;=1+1", "a\t=1+1", "a\r=1+1", "a\n=1+1", "a\r\n=1+1", 'a"=1', 'a";"=1'])
def test_no_formula_begins_a_cell_of_its_own_within_a_class(label, separator):
    text = as_csv([label, label], [without_cells(label)], [[0.5], [1.0]])

    # A spreadsheet may take another separator than ours.
    cells = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]
    assert not [cell for cell in cells if cell.startswith("=")]
    assert list(csv.reader(io.StringIO(text, newline="")))[1:] == [[label, "0.5"], [label, "1.0"]]


@pytest.mark.filterwarnings("ignore:.* begin like a formula")
def test_classes_stay_apart_when_formulas_are_changed():
    classes = ["=1", "'=1", "''=1", "'a", "a", 1]

    assert without_formulas(classes, classes) == [f"'{each}" for each in classes[:4]] + ["a", 1]
    assert without_formulas(["'a", "a"], classes) == ["''a", "a"]  # in every table alike
    assert without_formulas(classes[1:], classes[1:]) == classes[1:]


def test_a_note_says_that_formulas_were_changed_and_an_option_keeps_them(hostile, call):
    changed = call("predict", "model.json", "hostile.csv")
    kept = call("predict", "model.json", "hostile.csv", "--keep-formulas")
    json = call("predict", "model.json", "hostile.csv", "--json")
    quiet = call("predict", "model.json", "hostile.csv", "--quiet")

    assert "1 of the classes begin like a formula" in changed.stderr
    assert f"\n'{FORMULA}\n" in changed.stdout
    assert f"\n{FORMULA}\n" in kept.stdout
    assert kept.stderr == json.stderr == quiet.stderr == ""
    assert quiet.stdout == changed.stdout
    assert f'"{FORMULA}"' in json.stdout


def test_numbers_that_are_classes_are_written_as_they_are(call):
    write_table("numbers.csv", [-1, 1])
    call("fit", "numbers.csv", "--out", "numbers.json", "--quiet", "--population-size", "20", "--generations", "5")

    done = call("predict", "numbers.json", "numbers.csv")

    assert done.stdout.splitlines() == ["prediction", *["-1", "1"] * 30]
    assert done.stderr == ""
