"""Peers that behave badly, driven for real: each is a file that serve.py loads in a process of its own."""

import sys
from pathlib import Path

import numpy as np

from lab.field import drive
from lab.field.drive import Fit, ask

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 0, 1, 1, 3, 3])

PEER = """
import os, sys, time
import numpy as np

PACKAGES = ("numpy",)


def warm_up():
    {warm_up}


def fit(problem, **settings):
    {fit}
    return {{"predict": lambda X: np.zeros(len(X), int), "leaves": 1, "depth": 0, "optimal": None}}
"""


def answers(tmp_path, fits, fit="pass", warm_up="pass", **more):
    peer = tmp_path / "peer.py"
    peer.write_text(PEER.format(fit=fit, warm_up=warm_up))
    return [answer for answer, _ in ask(Path(sys.executable), peer, "toy", X, Y, fits, **more)]


def test_labels_are_those_of_the_set_whichever_rows_were_trained_on(tmp_path):
    rows = np.array([4, 5, 2])

    whole, part = answers(tmp_path, [Fit({}, 60.0), Fit({}, 60.0, rows=rows)])

    assert whole["labels"] == [0] * 6
    assert part["labels"] == [1] * 6  # the first of the classes 1 and 3 that it saw


def test_a_hall_is_labelled_like_the_tree_in_use(tmp_path):
    hall = "return {'predict': lambda X: [1] * len(X), 'hall': lambda X: [(1, [0] * len(X)), (2, [1] * len(X))]}"

    (part,) = answers(tmp_path, [Fit({}, 60.0, rows=np.array([4, 5, 2]))], fit=hall)

    assert part["labels"] == [3] * 6
    assert part["hall"] == [[1, [1] * 6], [2, [3] * 6]]


def test_what_a_peer_raises_is_its_answer_and_the_next_fit_goes_on(tmp_path):
    bad, good = answers(tmp_path, [Fit({"bad": True}, 60.0), Fit({}, 60.0)], fit="assert not settings, 'too bad'")

    assert bad == {"failed": "AssertionError: too bad"}
    assert good["leaves"] == 1


def test_a_peer_that_dies_is_started_again_for_the_rest(tmp_path):
    bad, good = answers(tmp_path, [Fit({"bad": True}, 60.0), Fit({}, 60.0)], fit="if settings: sys.exit('gone')")

    assert bad == {"failed": "died while fitting (exit 1): gone"}
    assert good["leaves"] == 1


def test_a_peer_that_does_not_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(drive, "LEAST_WAIT", 0.2)

    bad, good = answers(tmp_path, [Fit({"bad": True}, 0.1), Fit({}, 60.0)], fit="time.sleep(60 if settings else 0)")

    assert bad == {"failed": "ended from outside after 0.2 s of fitting"}
    assert good["leaves"] == 1


def test_a_peer_that_takes_too_much_memory_says_so(tmp_path):
    (answer,) = answers(tmp_path, [Fit({}, 60.0)], fit="np.ones(2**31)", memory=4 * 2**30)

    assert answer["failed"].startswith("_ArrayMemoryError") or answer["failed"].startswith("MemoryError")


def test_a_peer_that_does_not_start_fails_every_fit(tmp_path):
    found = answers(tmp_path, [Fit({}, 60.0), Fit({}, 60.0)], warm_up="raise ImportError('no such thing')")

    assert found == [{"failed": "died while starting (exit 1): ImportError: no such thing"}] * 2


def test_what_is_made_once_is_charged_to_every_fit_that_uses_it(tmp_path):
    slow = "problem.once('bits', lambda: time.sleep(0.2))"

    first, second = answers(tmp_path, [Fit({}, 60.0), Fit({}, 60.0)], fit=slow)

    assert first["wall"] >= 0.2
    assert second["wall"] >= 0.2


def test_peers_have_one_thread(tmp_path):
    told = f"assert all(os.environ[name] == '1' for name in {list(drive.ONE_THREAD)})"

    (answer,) = answers(tmp_path, [Fit({}, 60.0)], fit=told)

    assert "failed" not in answer
