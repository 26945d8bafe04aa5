import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from heirwood import EvolvedTreeClassifier, __version__
from heirwood.cli import main
from heirwood.cli.output import print_tree
from tests.busy import HUNG
from tests.cli.conftest import command


def one_line(done):
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("heirwood: error: ")
    return done.stderr.removeprefix("heirwood: error: ").rstrip("\n")


@pytest.mark.parametrize("words", [["fit", "gone.csv"], ["show", "gone.csv"], ["replay", "gone.csv"]])
def test_a_missing_file_is_named(call, words):
    done = call(*words)

    assert done.exit_code == 1
    assert one_line(done) == "there is no file 'gone.csv'; check its name and folder"


def test_an_unknown_target_lists_the_columns(call):
    done = call("fit", "table.csv", "--target", "price")

    assert done.exit_code == 1
    assert one_line(done) == (
        "There is no column 'price' to predict; the file has ['size', 'colour', 'kind']. "
        "Name one of these as the target."
    )


def test_scoring_a_column_that_the_model_predicts_from_says_so(call, fitted):
    done = call("score", fitted, "table.csv", "--target", "colour")

    assert done.exit_code == 1
    assert one_line(done) == (
        "The model uses the column 'colour' to predict, so 'colour' cannot be the target as well; name the column that "
        "holds the classes."
    )


@pytest.mark.parametrize("words", [["fit", "semi.csv"], ["predict", "model.json", "semi.csv"]])
def test_a_file_with_semicolons_is_told_so(call, fitted, words):
    Path("semi.csv").write_text(Path("table.csv").read_text().replace(",", ";"))

    done = call(*words)

    assert done.exit_code == 1
    assert one_line(done) == (
        "The header of semi.csv has no comma; its names seem to be separated by semicolons. Save the file with commas."
    )


def test_a_damaged_model_is_one_line(call, fitted):
    fitted.write_text(fitted.read_text().replace('"chosen": 1', '"chosen": 99'))

    done = call("show", fitted)

    assert done.exit_code == 1
    assert one_line(done).startswith("model.json: chosen must be the place of one of the")


def test_a_truncated_gzip_is_one_line(call):
    Path("short.csv.gz").write_bytes(gzip.compress(Path("table.csv").read_bytes())[:-12])

    done = call("fit", "short.csv.gz")

    assert done.exit_code == 1
    assert one_line(done).startswith("short.csv.gz is a damaged gzip file")


def test_wrong_usage_is_one_line_and_says_where_help_is(call):
    done = call("fit", "table.csv", "--no-such-option")

    assert done.exit_code == 2
    assert one_line(done).endswith("See 'heirwood fit --help'.")


def test_debugging_shows_where_an_error_came_from(shell):
    done = shell("fit", "gone.csv", HEIRWOOD_DEBUG="1")

    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_a_process_says_the_same_and_leaves_with_the_same_code(shell):
    done = shell("show", "gone.json")

    assert done.returncode == 1
    assert done.stdout == ""
    assert one_line(done) == "there is no file 'gone.json'; check its name and folder"


def test_a_bug_is_one_line_too(call, monkeypatch):
    def broken(*_, **__):
        raise KeyError("oops")

    monkeypatch.setattr("heirwood.evolved_tree.read_model", broken)

    done = call("show", "model.json")

    assert done.exit_code == 1
    assert one_line(done) == "KeyError: 'oops' (unexpected; set HEIRWOOD_DEBUG=1 to see where)"


def test_a_reader_that_leaves_is_no_error(fitted):
    Path("long.csv").write_text("size,colour\n" + "1,red\n" * 20_000)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command("predict", fitted, "long.csv"), stdout=writing, stderr=subprocess.PIPE, text=True, timeout=HUNG
        )
    finally:
        os.close(writing)

    assert done.stderr == ""


def test_without_a_command_the_help_is_shown(call):
    done = call()

    assert done.exit_code == 0
    assert "Examples:\n  heirwood demo\n" in done.stdout


def test_the_version_is_the_packages(call):
    assert call("--version").stdout == f"heirwood {__version__}\n"


@pytest.mark.parametrize("name", list(main.commands))
def test_every_command_has_help_with_examples(call, name):
    done = call(name, "--help")

    assert done.exit_code == 0
    assert "Examples:\n  heirwood " in done.stdout


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from heirwood.cli import main; "
        "print(sorted({'numpy', 'numba', 'sklearn', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG)

    assert done.stdout == "[]\n"


def test_commands_do_without_scikit_learn(folder):
    """It takes longer to load than most of what they do."""
    code = """
import sys
from heirwood.cli import main
for words in (["fit", "table.csv", "--generations", "2"], ["show", "MODEL"], ["predict", "MODEL", "table.csv"],
              ["score", "MODEL", "table.csv"]):
    try:
        main([word.replace("MODEL", "table.model.json") for word in words])
    except SystemExit as end:
        assert not end.code, words
print(sorted({"sklearn", "pandas"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG)

    assert done.stdout.endswith("[]\n"), done.stderr


STRAY = "a,kind\n" + "".join(f"{'n.d.' if i == 3 else i},{'xy'[i % 2]}\n" for i in range(40))


def test_a_warning_is_a_note_in_one_line_and_quiet_where_all_is(call, shell):
    Path("stray.csv").write_text(STRAY)

    told = call("fit", "stray.csv", "--generations", "1", "--json")
    hushed = shell("fit", "stray.csv", "--generations", "1", "--quiet", HEIRWOOD_QUIET="")

    note, about_size = [line for line in told.stderr.splitlines() if "note" in line]
    assert about_size.startswith("heirwood: note: all rows get the same answer. 1 leaf: ")
    assert note.startswith("heirwood: note: stray.csv: 'a' is read as nominal, for 'n.d.' on line 5")
    assert (hushed.returncode, hushed.stderr) == (0, "")


def test_a_terminal_without_our_letters_gets_others(shell, fitted):
    done = shell("show", fitted, PYTHONIOENCODING="cp1252")

    assert done.returncode == 0
    assert "`- no  -> " in done.stdout


def test_of_letters_that_there_are_none_for_people_see_a_mark_and_programs_all(call):
    Path("table.csv").write_text(Path("table.csv").read_text().replace("small", "小"))
    call("fit", "table.csv", "--generations", "2", "--out", "model.json", "--quiet")

    runner = CliRunner(charset="latin-1")
    shown = runner.invoke(main, ["show", "model.json"])
    as_json = runner.invoke(main, ["predict", "model.json", "table.csv", "--json"])
    as_csv = runner.invoke(main, ["predict", "model.json", "table.csv"])

    assert "-> ?" in shown.stdout  # what people read is shown as well as can be
    assert set(json.loads(as_json.stdout)) == {"large", "小"}
    assert as_csv.exit_code == 2
    assert "Standard output, in latin-1, has no letters for some of this; write a file with --out" in one_line(as_csv)


def test_a_terminal_gets_ascii_too(monkeypatch, capsys, fitted):
    tree = EvolvedTreeClassifier.load(fitted).tree_
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("heirwood.cli.output.can_print", lambda letters: False)

    print_tree(tree)

    told = re.sub("\x1b[^m]*m", "", capsys.readouterr().out)
    assert "`- no  -> " in told
