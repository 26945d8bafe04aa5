"""evtree takes part where R has it; elsewhere the report says so."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from lab.field.environments import is_ready, set_up, why_not
from lab.field.peers import evtree
from lab.field.serve import Problem

needs_r = pytest.mark.skipif(not evtree.is_there(), reason=evtree.HOW)


def problem(X, y):
    return Problem("iris", X, y, np.arange(len(y)), 60.0, 0, {})


@needs_r
def test_it_answers_with_labels_leaves_and_its_own_seconds():
    X, y = load_iris(return_X_y=True)

    answer = evtree.fit(problem(X, y), iterations=500, trees=20)

    labels = answer["predict"](X)
    assert (labels == y).mean() > 0.9
    assert answer["leaves"] >= len(set(labels.tolist())) == 3
    assert 0 < answer["cpu"] <= answer["wall"] * 1.5
    assert set(evtree.versions()) == {"R", "evtree"}


@needs_r
def test_a_cost_is_the_price_of_a_leaf():
    X, y = load_iris(return_X_y=True)

    cheap, dear = (evtree.fit(problem(X, y), iterations=500, trees=20, cost=cost)["leaves"] for cost in (0.001, 0.3))

    assert dear < cheap


@needs_r
def test_what_r_says_is_the_error():
    with pytest.raises(RuntimeError, match=r"\w"):
        evtree.fit(problem(np.zeros((5, 1)), np.zeros(5, np.int64)), iterations=10, trees=2)


def test_without_r_it_is_left_out_with_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr("lab.field.environments.ROOT", tmp_path)
    monkeypatch.setattr(evtree, "is_there", lambda: False)

    assert not is_ready("evtree", evtree)
    assert set_up("evtree", evtree) == why_not("evtree") == evtree.HOW
