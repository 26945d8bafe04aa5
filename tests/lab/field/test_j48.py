"""J48 in the field: the folds of the paper's sets, of every deal, once each."""

import sys
from itertools import product

import pytest

from lab.field import j48
from lab.field.__main__ import FOR_CHANCES, main
from lab.field.cells import Cells
from lab.field.paper_rivals import paper_rivals
from lab.field.peers import LEARNERS, TUNED_CART
from lab.field.report_paper import paper_section
from lab.field.sets import PAPER, load_set, paper_folds
from lab.field.unseen_rows import PAPERS
from lab.paper.accuracy_printed import J48_KINDS
from lab.paper.weka import J48Run, WekaError, WekaMissingError
from tests.lab.paper.test_weka import WEKA, needs_weka

NAME = "paper/balance-scale"  # generated: no folder is needed


class FakeWeka:
    """Gets half of the test rows right, and keeps what it was asked."""

    version = "3.6.14"

    def __init__(self):
        self.asked = []

    def j48_on(self, dataset, train, test, learner):
        self.asked.append((learner, train.tolist(), test.tolist()))
        return J48Run(hits=len(test) // 2, rows=len(test), nodes=9, leaves=5, seconds=0.25)


def test_each_kind_is_asked_once_for_each_of_our_folds(monkeypatch, tmp_path):
    weka, lines = FakeWeka(), []
    monkeypatch.setattr(j48, "find_weka", lambda: weka)

    for _ in range(2):
        j48.run_j48([NAME], cells=Cells("paper", tmp_path), seeds=(0, 4), tell=lines.append)

    deals = [[(train.tolist(), test.tolist()) for train, test in paper_folds(NAME, 625, deal)] for deal in (0, 4)]
    assert weka.asked == [(kind, *rows) for folds in deals for kind in ("J48", "J48 (p)") for rows in folds]
    first, *others = Cells("paper", tmp_path)
    assert (len(others), first["accuracy"], first["leaves"], first["rows"]) == (19, 62 / 125, 5, 500)
    assert lines[0] == "paper: J48 paper/balance-scale fold 0 seed 0: 0.4960 with 5 leaves in 0.25 s"


def test_it_has_as_many_deals_as_ours(monkeypatch, tmp_path):
    monkeypatch.setattr(j48, "find_weka", FakeWeka)
    j48.run_j48([NAME], cells=Cells("paper", tmp_path), tell=[].append)

    done = {(cell["learner"], cell["seed"], cell["case"]["fold"]) for cell in Cells("paper", tmp_path)}
    assert done == set(product(J48_KINDS, range(PAPERS.own_seeds), range(5)))


def test_without_weka_it_is_left_out_and_said_so(monkeypatch, tmp_path):
    lines = []

    def missing():
        raise WekaMissingError("install it")

    monkeypatch.setattr(j48, "find_weka", missing)
    j48.run_j48([NAME], cells=Cells("paper", tmp_path), tell=lines.append)

    assert lines == ["paper: j48 is left out: install it"]
    assert not (tmp_path / "paper.jsonl").exists()


def test_what_weka_fails_at_is_a_cell_that_failed(monkeypatch, tmp_path):
    class Broken(FakeWeka):
        def j48_on(self, dataset, train, test, learner):
            raise WekaError("it did not end")

    lines = []
    monkeypatch.setattr(j48, "find_weka", Broken)
    j48.run_j48([NAME], cells=Cells("paper", tmp_path), tell=lines.append)

    assert [cell["failed"] for cell in Cells("paper", tmp_path)] == ["it did not end"] * 10 * PAPERS.own_seeds
    assert lines[0] == "paper: J48 paper/balance-scale fold 0 seed 0: failed, it did not end"


def test_it_takes_part_in_the_papers_contest_only(monkeypatch, tmp_path):
    asked = []
    for name in ("run_contest", "run_folds"):
        monkeypatch.setattr(
            f"lab.field.__main__.{name}", lambda contest, peers, sets, **_: asked.append((contest.name, peers))
        )
    monkeypatch.setattr("lab.field.__main__.run_j48", lambda sets, **_: asked.append(("j48", sets)))
    for name in ("chances", "halls"):
        monkeypatch.setattr(
            f"lab.field.__main__.run_{name}", lambda peers, sets, name=name, **_: asked.append((name, peers))
        )
    monkeypatch.setattr(sys, "argv", ["field", "run", "--folder", str(tmp_path)])

    main()

    peers = [*LEARNERS, *TUNED_CART, *FOR_CHANCES]
    before = ["objective", "depth", "interactions", "halls", "accuracy", "paper"]
    assert asked == [
        *((name, peers) for name in before),
        ("j48", list(PAPER)),
        *((name, peers) for name in ("sizes", "chances")),
    ]


@pytest.mark.parametrize("kinds", [(), ("J48",), ("J48", "J48 (p)")])
def test_the_report_says_whose_folds_they_were(kinds):
    names = paper_rivals()["J48"]
    cell = {"seed": 0, "accuracy": 0.5, "leaves": 2, "wall": 1.0, "curve": [[2, 0.5]]}
    cells = [
        cell | {"learner": learner, "set": name, "case": {"fold": fold}}
        for learner in ("heirwood", *kinds)
        for name in names
        for fold in range(5)
    ]

    (line,) = (line for line in paper_section(cells) if line.startswith("J48 is"))

    assert ("the folds that Heirwood was" in line) is (len(kinds) == 2)
    assert ("J48 and J48 (p) on folds of Weka's own" in line) is (len(kinds) == 0)
    assert (", J48 (p) on folds of Weka's own" in line) is (len(kinds) == 1)


def test_a_set_that_is_not_there_is_said_so(monkeypatch, tmp_path):
    lines = []
    monkeypatch.setattr(j48, "find_weka", FakeWeka)
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)

    j48.run_j48(["paper/lymph"], cells=Cells("paper", tmp_path), tell=lines.append)

    assert len(lines) == 1
    assert "HEIRWOOD_DATA" in lines[0]


@needs_weka
@pytest.mark.parametrize("kind", J48_KINDS)
def test_the_real_j48_answers_for_a_fold(kind):
    cell = {"learner": kind, "set": NAME, "case": {"fold": 0}, "seed": 0}

    done = j48.fit(WEKA, load_set(NAME), cell)

    assert 0.7 < done["accuracy"] < 0.9
    assert done["versions"] == {"weka": WEKA.version}
