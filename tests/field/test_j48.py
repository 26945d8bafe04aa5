"""J48 in the field: the folds of the paper's sets, once each."""

import pytest

from field import j48
from field.cells import Cells
from field.sets import paper_folds
from heirwood.reproduce.weka import J48Run, WekaMissingError
from tests.reproduce.test_weka import WEKA, needs_weka

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
        j48.run_j48([NAME], cells=Cells("paper", tmp_path), tell=lines.append)

    expected = [(train.tolist(), test.tolist()) for train, test in paper_folds(NAME, 625)]
    assert weka.asked == [(kind, *rows) for kind in ("J48", "J48 (p)") for rows in expected]
    first, *others = Cells("paper", tmp_path)
    assert (len(others), first["accuracy"], first["leaves"], first["rows"]) == (9, 62 / 125, 5, 500)
    assert lines[0] == "paper: J48 paper/balance-scale fold 0 seed 0: 0.4960 with 5 leaves in 0.25 s"


def test_without_weka_it_is_left_out_and_said_so(monkeypatch, tmp_path):
    lines = []

    def missing():
        raise WekaMissingError("install it")

    monkeypatch.setattr(j48, "find_weka", missing)
    j48.run_j48([NAME], cells=Cells("paper", tmp_path), tell=lines.append)

    assert lines == ["paper: j48 is left out: install it"]
    assert not (tmp_path / "paper.jsonl").exists()


def test_a_set_that_is_not_there_is_said_so(monkeypatch, tmp_path):
    lines = []
    monkeypatch.setattr(j48, "find_weka", FakeWeka)
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)

    j48.run_j48(["paper/lymph"], cells=Cells("paper", tmp_path), tell=lines.append)

    assert len(lines) == 1
    assert "HEIRWOOD_DATA" in lines[0]


@needs_weka
@pytest.mark.parametrize("kind", j48.KINDS)
def test_the_real_j48_answers_for_a_fold(kind):
    cell = {"learner": kind, "set": NAME, "case": {"fold": 0}}

    done = j48.fit(WEKA, j48.load_set(NAME), cell)

    assert 0.7 < done["accuracy"] < 0.9
    assert done["versions"] == {"weka": WEKA.version}
