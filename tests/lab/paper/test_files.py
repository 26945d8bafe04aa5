"""What `reproduce` writes is there as it was, or new and whole, where the disk is full."""

import errno
import os
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from lab.paper.calibration_report import write_calibration
from lab.paper.commands.group import main
from lab.paper.law_report import write_law
from lab.paper.report import Part, Request, Sheet
from lab.paper.report_write import write_report
from lab.paper.table3 import write_tables

NOTHING = SimpleNamespace(means=[], table_6=[], missing={}, cells=[], ends=[])
PART = Part("one", "One", "words", pictures={"one.svg": "<svg/>"})
WRITERS = {
    "one.csv": lambda folder: Sheet(("a",), [[1]]).write(folder / "one.csv"),
    "report.md": lambda folder: write_report([], Request(folder)),
    "one.svg": lambda folder: write_report([PART], Request(folder)),
    "table3.csv": lambda folder: write_tables(NOTHING, folder),
    "law.csv": lambda folder: write_law(NOTHING, folder),
    "calibration.csv": lambda folder: write_calibration([], folder),
}


def full(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_what_was_there(name, tmp_path, monkeypatch):
    (tmp_path / name).write_text("what took hours")
    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space left"):
        WRITERS[name](tmp_path)

    assert (tmp_path / name).read_text() == "what took hours"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.compiled
def test_a_full_disk_leaves_what_theory_wrote(tmp_path, monkeypatch):
    (tmp_path / "theory.md").write_text("what took hours")
    monkeypatch.setattr(os, "fsync", full)

    done = CliRunner().invoke(main, ["theory", "--out", str(tmp_path), "--quiet"])

    assert done.exit_code == 1
    assert "No space left" in done.stderr
    assert (tmp_path / "theory.md").read_text() == "what took hours"
