"""What `heirwood score` says of probabilities is what scikit-learn says, where that answers."""

import numpy as np
import pytest
from sklearn.metrics import log_loss, precision_score, recall_score, roc_auc_score

from heirwood.scoring import MOST_THRESHOLDS, area_under_curve, score_probabilities, thresholds


def drawn(seed, n_classes, n_rows=200, digits=1):
    """Return classes and probabilities that have something to do with them, with ties."""
    rng = np.random.default_rng(seed)
    actual = rng.integers(0, n_classes, n_rows)
    scores = np.round(rng.random((n_rows, n_classes)) + 0.7 * np.eye(n_classes)[actual], digits) + 0.1
    return actual, scores / scores.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_losses_and_the_area_are_those_of_scikit_learn(n_classes):
    actual, probabilities = drawn(n_classes, n_classes)

    found = score_probabilities(actual, probabilities)

    assert found["log_loss"] == pytest.approx(log_loss(actual, probabilities))
    squares = ((probabilities - np.eye(n_classes)[actual]) ** 2).sum(axis=1)
    assert found["brier"] == pytest.approx(squares.mean())
    expected = (
        roc_auc_score(actual, probabilities[:, 1])
        if n_classes == 2
        else roc_auc_score(actual, probabilities, multi_class="ovr", average="macro")
    )
    assert found["auc"] == pytest.approx(expected)
    assert ("thresholds" in found) == (n_classes == 2)


def test_a_class_that_no_row_has_is_left_out_of_the_area():
    actual, probabilities = drawn(1, 3)
    actual[actual == 2] = 0

    found = score_probabilities(actual, probabilities)

    both = [roc_auc_score(actual == c, probabilities[:, c]) for c in (0, 1)]
    assert found["auc"] == pytest.approx(np.mean(both))
    assert score_probabilities(np.zeros(5, int), probabilities[:5])["auc"] is None


def test_a_class_that_the_model_does_not_know_has_no_probability():
    found = score_probabilities(np.array([0, -1]), np.array([[0.9, 0.1], [0.5, 0.5]]))

    assert found["log_loss"] is None
    assert found["brier"] == pytest.approx(((0.1**2 + 0.1**2) + (0.5**2 + 0.5**2 + 1)) / 2)


def test_an_impossible_row_makes_the_log_loss_infinite():
    assert score_probabilities(np.array([1]), np.array([[1.0, 0.0]]))["log_loss"] is None


def test_ties_are_halves():
    assert area_under_curve(np.array([0.5, 0.5]), np.array([True, False])) == 0.5
    assert area_under_curve(np.array([0.1, 0.2, 0.9]), np.array([False, False, True])) == 1.0


def test_thresholds_are_those_that_occur_with_what_they_mean():
    actual, probabilities = drawn(3, 2, digits=0)
    chances = probabilities[:, 1]

    table = thresholds(chances, actual == 1)

    assert [step["threshold"] for step in table] == sorted({round(each, 6) for each in chances.tolist()}, reverse=True)
    for step in table:
        called = np.round(chances, 6) >= step["threshold"]
        assert step["rows"] == called.sum()
        assert step["precision"] == precision_score(actual, called)
        assert step["recall"] == recall_score(actual, called)
    assert table[-1]["recall"] == 1.0


def test_of_many_thresholds_some_are_shown_the_first_and_the_last_among_them():
    chances = np.linspace(0, 1, 500)

    table = thresholds(chances, chances > 0.3)

    assert len(table) == MOST_THRESHOLDS
    assert (table[0]["threshold"], table[-1]["threshold"]) == (1.0, 0.0)
    assert thresholds(chances, chances > 2)[0]["recall"] is None
