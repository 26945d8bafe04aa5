"""What the report says of machines, seeds, and of a peer that needs R."""

import stat

import pytest

from field.report_conditions import conditions, evtree

ONE = {"processor": "one", "cores": 2, "system": "Linux", "python": "3.11", "numpy": "2", "numba": "0.6"}
OTHER = ONE | {"processor": "other"}


def cell(learner, machine, seed=0):
    return {"learner": learner, "seed": seed, "machine": machine, "when": "2026-11-15T00:00:00"}


def test_every_machine_says_whom_it_ran_in_which_contest():
    cells = {
        "objective": [cell("heirwood", ONE), cell("heirwood", ONE, 1), cell("cart_path", OTHER)],
        "depth": [cell("cart_path", ONE)],
    }

    one, other, when, seeds = conditions(cells)

    assert one.startswith("- Machine: one, 2 cores")
    assert one.endswith("Cells by it: objective: heirwood 2; depth: cart_path 1.")
    assert other.endswith("Cells by it: objective: cart_path 1.")
    assert "4 cells" in when
    assert seeds.startswith("- Heirwood's seeds: objective 0, 1. ")


def test_of_nothing_nothing_is_said():
    assert conditions({"objective": []}) == []


@pytest.mark.parametrize(
    ("says", "told"), [(None, "there is no R here"), ("FALSE", "evtree (on CRAN) is not"), ("TRUE", "are here, but")]
)
def test_evtree_is_looked_for(tmp_path, monkeypatch, says, told):
    if says is not None:
        rscript = tmp_path / "Rscript"
        rscript.write_text(f"#!/bin/sh\nprintf {says}\n")
        rscript.chmod(rscript.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert told in evtree()
