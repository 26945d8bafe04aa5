"""Smoothed shares: what they are, that they are finite, and that the label stays the most probable class."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood import EvolvedTreeClassifier
from heirwood.probabilities import check_smoothing, class_shares
from heirwood.tree_view import Node, Question, TreeView
from tests.estimator.some_data import numbers, quick


def stump(left, right, label_of=None):
    """Return a tree of two leaves with some weights of the classes, each labelled with its heaviest class."""
    weights = [np.add(left, right).tolist(), left, right]
    labels = [int(np.argmax(each)) for each in weights] if label_of is None else label_of
    question = Question("a", 0, "<=", 1.0, None, False)
    nodes = [
        Node(question if i == 0 else None, 3 if i == 0 else 1, labels[i], int(sum(each)), tuple(map(float, each)))
        for i, each in enumerate(weights)
    ]
    return TreeView(tuple(nodes), tuple(range(len(left))), False)


def test_each_node_borrows_from_the_one_above():
    shares = class_shares(stump([3, 0], [1, 4]), smoothing=2.0)

    root = np.array([4 + 1, 4 + 1]) / 10
    np.testing.assert_allclose(shares[0], root)
    np.testing.assert_allclose(shares[1], (np.array([3, 0]) + 2 * root) / 5)
    np.testing.assert_allclose(shares[2], (np.array([1, 4]) + 2 * root) / 7)


def test_without_smoothing_they_are_the_shares_of_rows():
    np.testing.assert_array_equal(class_shares(stump([3, 0], [1, 4]))[1:], [[1.0, 0.0], [0.2, 0.8]])


def test_a_node_that_no_row_reached_says_what_is_said_above_with_its_label_first():
    shares = class_shares(stump([5, 1], [0, 0], label_of=[0, 0, 1]), smoothing=1.0)

    assert shares[2].argmax() == 1
    np.testing.assert_allclose(shares[2], [0.5, 0.5], atol=1e-8)  # as near to what is said above as the label allows
    np.testing.assert_array_equal(class_shares(stump([5, 1], [0, 0], label_of=[0, 0, 1]))[2], [0.0, 1.0])


weights = st.lists(st.integers(0, 50), min_size=2, max_size=5)


@given(st.data(), st.floats(0.001, 1000))
def test_the_label_stays_the_most_probable_class_and_nothing_is_impossible(data, smoothing):
    left = data.draw(weights)
    right = data.draw(st.lists(st.integers(0, 50), min_size=len(left), max_size=len(left)))
    tree = stump(left, right)

    shares = class_shares(tree, smoothing)

    assert shares.argmax(axis=1).tolist() == [node.label for node in tree.nodes]
    assert (shares > 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("smoothing", [0, 0.5, 1.0, 20.0])
def test_what_is_predicted_is_the_most_probable_class(smoothing):
    X, y = numbers(n_rows=300)
    tree = quick(payoff="log_loss", smoothing=smoothing).fit(X, y)

    probabilities = tree.predict_proba(X)

    assert (tree.classes_[probabilities.argmax(axis=1)] == tree.predict(X)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(tree.predict_log_proba(X), np.log(probabilities))


def weighing(tree, factor):
    """Return the tree of as many rows that each weigh so much."""
    nodes = (replace(node, weights=tuple(factor * weight for weight in node.weights)) for node in tree.nodes)
    return replace(tree, nodes=tuple(nodes))


def test_a_row_of_weight_two_is_two_rows_and_small_weights_are_rows_all_the_same():
    tree, twice = stump([3, 0], [1, 4]), stump([6, 0], [2, 8])

    np.testing.assert_array_equal(class_shares(weighing(tree, 2.0), 1.5), class_shares(twice, 1.5))
    np.testing.assert_array_equal(class_shares(weighing(tree, 2.0**-20), 1.5), class_shares(tree, 1.5))


def test_with_many_classes_and_a_rare_one_every_probability_is_there():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 4))
    y = np.where(rng.random(1000) < 0.01, 99, rng.integers(0, 60, 1000))
    tree = quick(payoff="log_loss", generations=3).fit(X[:900], y[:900])

    probabilities = tree.predict_proba(X[900:])

    assert probabilities.shape == (100, len(tree.classes_))
    assert np.isfinite(tree.predict_log_proba(X[900:])).all()
    assert (probabilities > 0).all()


@pytest.mark.parametrize("given", [-1, "much", True, float("nan"), float("inf"), None])
def test_what_is_no_number_of_rows_is_refused_before_any_work(given):
    with pytest.raises(ValueError, match=r"smoothing=.* is not valid; expected .auto. or a number from 0"):
        check_smoothing(given)
    with pytest.raises(ValueError, match="smoothing="):
        EvolvedTreeClassifier(smoothing=given).fit([[0], [1]], [0, 1])


def test_auto_is_no_number_yet():
    assert check_smoothing("auto") is None
