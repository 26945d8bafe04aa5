"""A small table, a model of it, and two ways to run a command: in this process, and as users do."""

import os
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest
from click.testing import CliRunner

from heirwood.cli import main
from tests.busy import HUNG

# Since click 8.2 a runner tells errors from output unasked.
RUNNER = CliRunner(mix_stderr=False) if "mix_stderr" in signature(CliRunner).parameters else CliRunner()
SMALL = ["--population-size", "20", "--generations", "15", "--seed", "3"]
WHOLE = [*SMALL, "--payoff", "gatree"]  # a payoff without a bound, so that no proof ends the run early


def table(n=60):
    """Return a CSV in which `size` tells the class but for each tenth row, and `colour` tells nothing."""
    lines = ["size,colour,kind"]
    for i in range(n):
        large = (i % 2 == 0) != (i % 10 == 9)
        lines.append(f"{i % 2 + 0.5},{'red' if i % 3 else 'blue'},{'small' if large else 'large'}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Enter an empty folder with a table in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEIRWOOD_DEBUG", raising=False)
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")  # whether kernels are cold is not what is tested
    Path("table.csv").write_text(table())
    return tmp_path


@pytest.fixture
def call(folder):
    """Run a command in this process."""
    return lambda *words: RUNNER.invoke(main, [str(word) for word in words], prog_name="heirwood")


@pytest.fixture
def fitted(call):
    """Fit a model of the table, in model.json."""
    done = call("fit", "table.csv", "--out", "model.json", "--quiet", *WHOLE)
    assert done.exit_code == 0, done.output
    return Path("model.json")


@pytest.fixture
def shell(folder):
    """Run a command in a process of its own."""

    def run(*words, **extra):
        env = {**os.environ, **extra}
        return subprocess.run(command(*words), capture_output=True, text=True, env=env, timeout=HUNG)

    return run


def command(*words):
    return [sys.executable, "-m", "heirwood", *(word if isinstance(word, bytes) else str(word) for word in words)]
