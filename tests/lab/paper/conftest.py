"""Nothing here asks a network: sets come from the folder or from a server on the loopback."""

from inspect import signature

import pytest
from click.testing import CliRunner

from lab.paper.commands.group import main

# Since click 8.2 a runner tells errors from output unasked.
RUNNER = CliRunner(mix_stderr=False) if "mix_stderr" in signature(CliRunner).parameters else CliRunner()


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HEIRWOOD_OFFLINE", "1")


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run a part in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: RUNNER.invoke(main, [str(word) for word in words], prog_name="python -m lab.paper")
