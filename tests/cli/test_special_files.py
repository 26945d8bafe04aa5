"""Names that stand for no regular file: pipes and devices are written to, what cannot be written to is refused."""

import json
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from tests.busy import HUNG
from tests.cli.conftest import SMALL, command

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


def through_pipe(call, *words):
    """Return what a command writes to a pipe, and how it ended."""
    os.mkfifo("pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()), daemon=True)
    reader.start()
    done = call(*words, "--out", "pipe")
    reader.join(HUNG)
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    return read[0], done


def test_a_model_goes_through_a_pipe(call):
    text, done = through_pipe(call, "fit", "table.csv", "--quiet", *SMALL)

    assert done.exit_code == 0, done.output
    assert json.loads(text)["format"] == "heirwood-model"


@pytest.mark.parametrize("words", [["predict", "model.json", "table.csv"], ["show", "model.json"]])
def test_what_is_printed_goes_through_a_pipe(call, fitted, words):
    text, done = through_pipe(call, *words)

    assert done.exit_code == 0, done.output
    assert text == call(*words).stdout


@pytest.mark.parametrize("words", [["fit", "table.csv", "--quiet", *SMALL], ["predict", "model.json", "table.csv"]])
def test_a_device_stays_what_it_is(call, fitted, words):
    before = os.stat("/dev/null")

    done = call(*words, "--out", "/dev/null")

    assert done.exit_code == 0, done.output
    assert os.stat("/dev/null").st_ino == before.st_ino
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_standard_output_by_its_name(call, fitted):
    with open("seen.csv", "wb") as file:
        subprocess.run(command("predict", "model.json", "table.csv", "--out", "/dev/stdout"), stdout=file, check=True)
    call("predict", "model.json", "table.csv", "--out", "plain.csv")

    assert Path("seen.csv").read_bytes() == Path("plain.csv").read_bytes()


def test_predictions_replace_a_file_when_they_are_whole_and_keep_its_mode(call, fitted, monkeypatch):
    Path("seen.csv").write_text("old")
    Path("seen.csv").chmod(0o600)

    def fail(*_):
        raise OSError(28, "No space left on device", "seen.csv")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        done = call("predict", "model.json", "table.csv", "--out", "seen.csv")
    assert (done.exit_code, Path("seen.csv").read_text()) == (1, "old")
    assert "No space left on device" in done.stderr

    assert call("predict", "model.json", "table.csv", "--out", "seen.csv").exit_code == 0
    assert Path("seen.csv").read_text().startswith("prediction\n")
    assert stat.S_IMODE(Path("seen.csv").stat().st_mode) == 0o600


def test_a_socket_is_refused_before_any_work_is_done(call):
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        done = call("fit", "table.csv", "--out", "socket")

    assert done.exit_code == 2
    assert "--out 'socket' is no regular file, and is not replaced; give another name." in done.stderr
