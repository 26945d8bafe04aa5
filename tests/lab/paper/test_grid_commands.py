"""What all commands that run a grid have in common: wrong usage is told first, and Ctrl-C loses nothing."""

import signal

import pytest
from click.testing import CliRunner

from lab.paper.commands.group import PARTS, main

GRIDS = {  # the command, and what measures a cell of it
    "savings": "lab.paper.savings.measure",
    "law": "lab.paper.law.measure_law",
    "slow": "lab.paper.slow_times.measure",
    "accuracy": "lab.paper.accuracy.measure",
    "calibration": "lab.paper.calibration.try_scheme",
}
SIZED = [name for name in GRIDS if name != "slow"]  # that have a list of sizes, and a quick one


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def assert_refused(done, message, folder):
    assert done.exit_code == 2
    assert message in done.output
    assert not (folder / "results").exists()


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sets", "iris"], "the paper has no set 'iris'"),
        (["--data", "nowhere"], "is no folder"),
        (["--settings", "3"], "expected from"),
    ],
)
def test_wrong_usage_is_told_before_anything_runs(name, words, message, tmp_path):
    assert_refused(call(name, *words), message, tmp_path)


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sizes", "100-250"], "steps of 100"),
        (["--sizes", "many"], "is no list of numbers"),
        (["--sizes", "1"], "expected 2 or more"),
        (["--quick", "--sizes", "100"], "--quick means --sizes"),
    ],
)
def test_wrong_sizes_are_told_before_anything_runs(name, words, message, tmp_path):
    assert_refused(call(name, *words), message, tmp_path)


@pytest.mark.parametrize("name", GRIDS)
def test_a_signal_says_where_the_command_goes_on(name, monkeypatch, signum):
    monkeypatch.setattr(GRIDS[name], lambda *_, **__: signal.raise_signal(signum))
    words = [name, "--sets", "balance-scale", *(["--sizes", "8"] if name in SIZED else ["--size", "8"])]

    done = CliRunner().invoke(main, [*words])

    assert done.exit_code == 128 + signum
    said = "terminated" if signum == signal.SIGTERM else "interrupted"
    assert done.output.splitlines()[-1] == (
        f"heirwood: {said}; what is done is in results/{name}.jsonl, the same command goes on"
    )


def test_every_grid_is_a_command():
    assert set(GRIDS) < set(PARTS)
