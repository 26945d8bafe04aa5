"""Ctrl-C and SIGTERM at chosen moments of a command: one line says what there is, or why there is nothing."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

from heirwood import EvolvedTreeClassifier
from tests.busy import HUNG
from tests.cli.conftest import SMALL

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of a terminal")
SAID = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
FIT = ["fit", "table.csv", "--out", "model.json", "--quiet", *SMALL]


@pytest.fixture
def send_at(monkeypatch, signum):
    """Have the signal sent when something is called for the first time, before it does anything; or after."""

    def patch(name, *, after=False):
        owner, _, attribute = name.rpartition(".")
        real = getattr(resolve_name(owner), attribute)

        def send(*words, **extra):
            monkeypatch.setattr(resolve_name(owner), attribute, real)
            done = real(*words, **extra) if after else None
            signal.raise_signal(signum)
            return done if after else real(*words, **extra)

        monkeypatch.setattr(resolve_name(owner), attribute, send)

    return patch


def assert_ended(done, signum, line):
    assert done.exit_code == 128 + signum
    assert done.stderr.splitlines() == [f"heirwood: {line.replace('SAID', SAID[signum])}"]
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL  # as it was


# ---- before the run ----


@pytest.mark.parametrize(
    "moment",
    ["heirwood.cli.fit.load", "heirwood.cli.fit.check_apart", "heirwood.cli.fit.make_estimator"],
)
def test_a_signal_before_data_is_read_says_that_there_is_no_model(call, send_at, signum, moment):
    send_at(moment)

    done = call(*FIT)

    assert_ended(done, signum, "error: SAID before DATA was read, so there is no model")
    assert not Path("model.json").exists()


@pytest.mark.parametrize("moment", ["heirwood.data.readers.read_file", "heirwood.data.costs_file.read_costs_file"])
def test_a_signal_while_data_is_read_names_it(call, send_at, signum, moment):
    send_at(moment)
    Path("costs.csv").write_text("kind,small,large\nsmall,0,1\nlarge,2,0\n")

    done = call(*FIT, "--costs", "costs.csv")

    assert_ended(done, signum, "error: SAID while table.csv was read, so there is no model")


def test_a_signal_before_there_is_a_command_is_no_traceback(call, send_at, signum):
    """Click makes something else of it there, which once left as a traceback."""
    send_at("heirwood.cli.commands.Commands.make_context")

    done = call(*FIT)

    assert done.exit_code == 128 + signum
    assert done.stderr.split("\n", 1) == ["", f"heirwood: error: {SAID[signum]} before anything was read or written\n"]


def test_a_signal_while_a_folder_is_tried_leaves_nothing_in_it(call, send_at, signum, tmp_path):
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except (AttributeError, OSError):
        pytest.skip("no files without a name here")
    for way in ("os.unlink", "pathlib.Path.unlink"):
        send_at(way)

    call(*FIT)

    assert {path.name for path in tmp_path.iterdir()} <= {"table.csv", "model.json"}


# ---- the model ----


@pytest.mark.parametrize("moment", ["os.fsync", "os.replace"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_signal_while_the_model_is_written_waits_until_it_is(call, send_at, signum, moment, after):
    send_at(moment, after=after)

    done = call(*FIT)

    assert_ended(done, signum, "SAID; the model is in model.json")
    assert EvolvedTreeClassifier.load("model.json").n_generations_ > 0
    assert sorted(path.name for path in Path().iterdir()) == ["model.json", "table.csv"]


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_second_ctrl_c_while_the_model_is_written_leaves_the_old_one_whole(call, monkeypatch):
    call(*FIT)
    before = Path("model.json").read_bytes()
    monkeypatch.setattr(os, "fsync", lambda file: [signal.raise_signal(signal.SIGINT) for _ in range(2)])

    done = call(*FIT)

    said = "interrupted a second time, while model.json was written: it is as it was before, or the new model"
    assert (done.exit_code, done.stderr) == (130, f"heirwood: error: {said}\n")
    assert Path("model.json").read_bytes() == before
    assert sorted(path.name for path in Path().iterdir()) == ["model.json", "table.csv"]


@pytest.mark.parametrize("words", [[], ["--json"]], ids=["report", "json"])
def test_a_signal_while_the_report_is_printed_names_the_model(call, send_at, signum, words):
    send_at("heirwood.cli.fit.print_json" if words else "heirwood.cli.fit.print_hall")

    done = call(*(word for word in FIT if word != "--quiet"), *words)

    assert done.exit_code == 128 + signum
    assert done.stderr.splitlines()[-1] == f"heirwood: {SAID[signum]}; the model is in model.json"
    EvolvedTreeClassifier.load("model.json")


def test_a_model_is_written_once_with_the_tree_that_is_asked_for(call, monkeypatch):
    written = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: (written.append(names), replace(*names)))

    done = call(*FIT, "--leaves", "2")

    assert done.exit_code == 0, done.output
    assert len(written) == 1
    assert EvolvedTreeClassifier.load("model.json").get_n_leaves() == 2


def test_a_pipe_gets_one_model_with_the_tree_that_is_asked_for(call):
    """A second one would wait for ever for somebody who reads it."""
    os.mkfifo("pipe")
    reader = subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE)

    done = call(*FIT, "--out", "pipe", "--leaves", "2")

    assert done.exit_code == 0, done.output
    document = json.loads(reader.communicate(timeout=HUNG)[0])
    assert len(document["trees"][document["chosen"]]) == 3


# ---- while modules are loaded, in a process of its own ----

IMPORTING = """
import os, runpy, signal, sys

class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.{signal})
            for _ in range(10_000):  # a moment in which it is heard
                pass

sys.meta_path.insert(0, Sender())
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests were started without
sys.argv = ["heirwood", {words}]
runpy.run_module("heirwood", run_name="__main__")
"""
AT_ONCE = "before anything was read or written"
NO_MODEL = "before DATA was read, so there is no model"


def importing(module, signum, *words):
    """Run a command that gets a signal just when it begins to load a module."""
    code = IMPORTING.format(module=module, signal=signum.name, words=", ".join(map(repr, words)))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG)


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("click", AT_ONCE),
        ("heirwood.cli.fit", AT_ONCE),
        ("numpy", NO_MODEL),
        ("heirwood.data.readers", NO_MODEL),
        ("numba", NO_MODEL),
        ("heirwood.core.tally", NO_MODEL),
    ],
)
def test_a_signal_while_modules_are_loaded_ends_the_process_with_a_line(folder, signum, module, why):
    done = importing(module, signum, *FIT)

    assert (done.returncode, done.stdout) == (128 + signum, "")
    assert done.stderr == f"heirwood: error: {SAID[signum]} {why}\n"
