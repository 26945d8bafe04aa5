"""Commands as users run them: in processes, with pipes and Ctrl-C."""

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from heirwood import EvolvedTreeClassifier
from tests.busy import HUNG, wait_for_run
from tests.cli.conftest import WHOLE, command

pytestmark = pytest.mark.compiled
LONG = [
    "--population-size",
    "50",
    "--generations",
    "100000000",
    "--n-iter-no-change",
    "100000000",
    "--payoff",
    "gatree",
]


def test_ctrl_c_keeps_the_best_tree_so_far(folder):
    words = ["fit", "table.csv", "--out", "model.json", "--journal", "run.jsonl", *LONG]
    # A shell that starts the tests in the background lets them ignore Ctrl-C, and who they start.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, heard)
    wait_for_run(Path("run.jsonl"), process)

    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HUNG)

    assert process.returncode == 130
    assert err.endswith("heirwood: interrupted; the best tree so far is in model.json\n")
    assert "The model is in model.json" in out
    model = EvolvedTreeClassifier.load("model.json")
    assert model.stop_reason_ == "interrupted"
    assert model.get_n_leaves() == 2


def test_without_a_terminal_progress_is_plain_lines(shell):
    done = shell("fit", "table.csv", *WHOLE)

    assert done.returncode == 0
    assert "\x1b" not in done.stderr + done.stdout
    assert re.fullmatch(
        r"generation 15/15; best 90\.0% right, 2 leaves, payoff 0\.80968; [\d.]+[kM]? children/s; "
        r"\d\d\.\d% inherited; \d\.\d s\n",
        done.stderr,
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_journal_is_replayed_from_a_pipe(call, shell):
    assert call("fit", "table.csv", "--quiet", "--journal", "run.jsonl", *WHOLE).exit_code == 0
    whole = Path("run.jsonl").read_bytes()
    told = call("replay", "run.jsonl").stdout
    os.mkfifo("pipe")
    writing = threading.Thread(target=Path("pipe").write_bytes, args=[whole + b"torn"], daemon=True)
    writing.start()

    from_pipe = shell("replay", "pipe")
    from_input = subprocess.run(command("replay", "/dev/stdin"), input=whole, capture_output=True)

    assert told.endswith("ended by: generations\n")
    assert from_input.stdout.decode() == told
    assert from_pipe.stdout.startswith(told)
    assert "The last line is not whole (4 bytes)" in from_pipe.stdout


def test_a_text_that_stands_for_missing_values_must_be_one(shell):
    done = shell("fit", "table.csv", "--missing", b"\xff", "--out", "model.json")

    assert done.returncode == 2
    assert re.search(r"error: Invalid value for '--missing': \\udcff is no text in utf-8\.", done.stderr)
    assert not Path("model.json").exists()
