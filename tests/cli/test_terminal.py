"""Commands on a terminal: progress is drawn in place, where it can be."""

import os
import pty
import select
import subprocess

import pytest

from tests.busy import HUNG
from tests.cli.conftest import WHOLE, command

pytestmark = pytest.mark.compiled


def on_a_terminal(*words, term="xterm-256color"):
    """Return what a command writes to a terminal on standard error, and on standard output to a pipe."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": term, "COLUMNS": "100", "LINES": "30"}
    process = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=theirs, env=env, text=True)
    os.close(theirs)
    written = b""
    while process.poll() is None or select.select([ours], [], [], 0.1)[0]:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            some = os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not some:
            break
        written += some
    os.close(ours)
    out = process.communicate(timeout=HUNG)[0]
    return written.decode(), out, process.returncode


def test_on_a_terminal_progress_is_redrawn_in_place(folder):
    err, out, code = on_a_terminal("fit", "table.csv", *WHOLE)

    assert code == 0
    assert "\x1b[?25l" in err  # the cursor is hidden ...
    assert err.rstrip().endswith("\x1b[?25h")  # ... and comes back
    assert "━" in err
    assert "15/15" in err
    assert "\x1b" not in out


def test_a_dumb_terminal_gets_plain_lines(folder):
    err, _, code = on_a_terminal("fit", "table.csv", *WHOLE, term="dumb")

    assert code == 0
    assert "\x1b" not in err
    assert err.startswith("generation 15/15; best 90.0% right")


@pytest.mark.newest
def test_the_demo_shows_progress_tree_hall_and_savings(folder):
    err, out, code = on_a_terminal("demo")

    assert code == 0
    for word in ("generation", "children/s", "inherited"):
        assert word in err
    assert "├─" in out
    assert "balance-scale: 625 rows, 4 columns (4 numeric), 3 classes of 'class'" in out
    assert "Hall of fame" in out
    assert "of the work was inherited" in out
    assert "heirwood fit your.csv" in out
