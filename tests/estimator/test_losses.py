"""Payoffs of what leaves answer with shares: log loss and Brier score, from fit to file."""

import math

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as sklearn_log_loss

from heirwood import EvolvedTreeClassifier, Payoff
from heirwood.initial_trees import CART
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=300)
LOSSES = ["log_loss", "brier"]


def shown(tree):
    return [[(str(node.question), node.n_rows) for node in entry.tree.nodes] for entry in tree.hall_]


def mean_brier(tree):
    probabilities = tree.predict_proba(X)
    return ((probabilities - (tree.classes_ == np.asarray(Y)[:, None])) ** 2).sum(axis=1).mean()


@pytest.mark.parametrize("loss", LOSSES)
def test_the_payoff_is_the_loss_of_the_shares_and_what_leaves_cost(loss):
    tree = quick(payoff=Payoff(loss, cost=0.01), smoothing=0).fit(X, Y)

    for entry in tree.hall_:
        tree.select(entry.leaves)
        found = sklearn_log_loss(Y, tree.predict_proba(X)) if loss == "log_loss" else mean_brier(tree)
        assert getattr(entry, loss) == pytest.approx(found, abs=1e-9)
        assert entry.payoff == pytest.approx(-(found + 0.01 * entry.leaves), abs=1e-4)  # in steps of 2**-16 bits a leaf
        assert entry.quality == -getattr(entry, loss)
    assert tree.lower_bound_ is None
    assert tree.leaf_cost_ == 0.01
    np.testing.assert_array_equal(np.diff(tree.history_["best_payoff"]) >= 0, True)
    assert tree.history_[f"best_{loss}"][-1] == pytest.approx(
        max(tree.hall_, key=lambda e: e.payoff).quality * -1, abs=1e-4
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    "engine",
    [{"engine__backend": "slow"}, {"engine__inherit": False}, {"n_jobs": 2}],
    ids=["oracle", "full", "threads"],
)
def test_it_is_the_same_run_however_it_is_computed(loss, engine):
    plain = quick(payoff=Payoff(loss, cost=0.01), generations=6).fit(X, Y)
    other = quick(payoff=Payoff(loss, cost=0.01), generations=6).set_params(**engine).fit(X, Y)

    assert shown(other) == shown(plain)
    np.testing.assert_array_equal(other.history_["best_payoff"], plain.history_["best_payoff"])


def test_sides_of_one_label_stay_apart_where_their_shares_differ():
    """One in ten is positive on one side and none on the other: no label tells them apart."""
    column = np.repeat([0.0, 1.0], 200)
    rare = np.zeros(400, int)
    rare[200:220] = 1
    by_loss = quick(payoff=Payoff("log_loss", cost=0.001)).fit(column[:, None], rare)
    by_errors = quick(payoff=Payoff("leaf_cost", cost=0.001)).fit(column[:, None], rare)

    assert by_errors.get_n_leaves() == 1
    assert by_loss.get_n_leaves() == 2
    assert set(by_loss.predict([[0.0], [1.0]])) == {0}
    chances = by_loss.set_params(smoothing=0).predict_proba([[0.0], [1.0]])[:, 1]
    np.testing.assert_allclose(chances, [0.0, 0.1])


@pytest.mark.parametrize("loss", LOSSES)
def test_a_split_that_gains_nothing_is_not_shown(loss):
    X, y = np.repeat(np.arange(4.0), 30)[:, None], np.repeat([0, 0, 1, 1], 30)
    found = quick(payoff=Payoff(loss, cost=0.0), max_leaf_nodes=8, generations=0).fit(X, y)

    for entry in found.hall_:
        for node, (left, right) in sides(entry.tree):
            assert (np.array(left.weights) / left.n_rows != np.array(right.weights) / right.n_rows).any(), node


def sides(tree):
    """Yield the places of tests above two leaves, and the leaves."""
    for place, node in enumerate(tree.nodes):
        if not node.is_leaf and node.span == 3:
            yield place, (tree.nodes[place + 1], tree.nodes[place + 2])


@pytest.mark.parametrize("loss", LOSSES)
def test_a_row_of_weight_two_is_two_rows(loss):
    """Of a tree, that is; which trees are found may depend on how many rows there are."""
    weights = 1 + (np.arange(len(X)) % 2)
    weighed = quick(payoff=Payoff(loss, cost=0.01)).fit(X, Y, sample_weight=weights)
    entry = weighed.hall_[-1]
    probabilities = weighed.select(entry.leaves).set_params(smoothing=0).predict_proba(X)
    if loss == "log_loss":
        expected = sklearn_log_loss(Y, probabilities, sample_weight=weights)
    else:
        expected = np.average(
            ((probabilities - (weighed.classes_ == np.asarray(Y)[:, None])) ** 2).sum(axis=1), weights=weights
        )

    assert getattr(entry, loss) == pytest.approx(expected, abs=1e-9)


def test_balanced_classes_are_as_common_to_it():
    tree = quick(payoff="log_loss", class_weight="balanced", generations=0, max_leaf_nodes=1).fit(X, Y)

    assert tree.hall_[0].log_loss == pytest.approx(math.log(len(tree.classes_)))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    "more",
    [{"warm_start": True}, {"initial_trees": CART}, {"max_depth": 2, "max_leaf_nodes": 4}, {"min_samples_leaf": 20}],
)
def test_all_that_goes_with_errors_goes_with_losses(loss, more):
    tree = quick(payoff=Payoff(loss, cost=0.005), **more).fit(X, Y)
    before = max(entry.payoff for entry in tree.hall_)
    if "warm_start" in more:
        tree.fit(X, Y)

    assert max(entry.payoff for entry in tree.hall_) >= before
    assert tree.score(X, Y) > 0.5
    assert all(node.n_rows >= more.get("min_samples_leaf", 1) for node in tree.tree_.nodes)


def test_a_size_by_folds_is_chosen_by_the_loss(tmp_path):
    tree = quick(payoff=Payoff("log_loss", cost=0.005), size_selection="cv").fit(X, Y)

    entries = [entry for entry in tree.hall_ if entry.cv_loss is not None]
    assert entries
    assert tree.cv_accuracy_ is None
    assert min(entry.cv_loss for entry in entries) < tree.hall_[0].cv_loss
    tree.save(tmp_path / "model.json")
    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")
    assert [entry.to_dict() for entry in loaded.hall_] == [entry.to_dict() for entry in tree.hall_]


@pytest.mark.parametrize("loss", LOSSES)
def test_what_goes_by_labels_is_refused_before_any_work(loss):
    with pytest.raises(ValueError, match=f"payoff='{loss}' goes by the shares of classes, and a cost_matrix by labels"):
        quick(payoff=loss, cost_matrix=[[0, 1], [5, 0]]).fit(X, Y)
    with pytest.raises(ValueError, match=r"breeding\.labels='genes' breeds labels"):
        EvolvedTreeClassifier.gatree(payoff=loss).fit(X, Y)


def test_a_model_of_two_classes_scores_as_scikit_learn_says():
    binary = np.asarray(Y) == np.asarray(Y)[0]
    tree = quick(payoff="brier", smoothing=0).fit(X, binary)

    chances = tree.predict_proba(X)[:, 1]

    # Over both classes: twice what scikit-learn has for one of them.
    assert tree.hall_[tree.hall_.chosen].brier == pytest.approx(2 * brier_score_loss(binary, chances))


# ---- many classes, and rare ones ----


@pytest.mark.compiled
@pytest.mark.parametrize("payoff", ["leaf_cost", "log_loss", "brier"])
def test_a_hundred_classes_all_have_a_chance(payoff):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(5_000) % 100)
    rows = np.column_stack([y // 10 + rng.normal(size=5_000), y % 10 + rng.normal(size=5_000)]).round(1)

    tree = quick(payoff=payoff, leaf_cost="auto").fit(rows, y)

    shares = tree.predict_proba(rows)
    assert shares.shape == (5_000, 100)
    assert shares.sum(axis=1) == pytest.approx(np.ones(5_000), abs=1e-12)
    assert shares.min() > 0
    assert 0 < sklearn_log_loss(y, shares) < np.log(100)
    assert tree.classes_[shares.argmax(axis=1)].tolist() == tree.predict(rows).tolist()
    assert tree.get_n_leaves() > 8


@pytest.mark.compiled
@pytest.mark.parametrize("size", ["payoff", "cv"])
def test_one_percent_of_positives_are_told_apart_by_their_chances(size):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(5_000, 3)).round(1)
    y = rng.random(5_000) < np.where(rows[:, 0] > 1.5, 0.12, 0.002)

    tree = EvolvedTreeClassifier(payoff="log_loss", size_selection=size, random_state=0).fit(rows, y)

    shares = tree.predict_proba(rows)
    assert 0.005 < y.mean() < 0.015
    assert shares.sum(axis=1) == pytest.approx(np.ones(5_000), abs=1e-12)
    assert 0 < shares.min() < 0.01 < 0.05 < shares[:, 1].max()
    assert sklearn_log_loss(y, shares) < sklearn_log_loss(y, np.tile([1 - y.mean(), y.mean()], (5_000, 1)))
    assert not tree.predict(rows).any()  # the label stays the most probable class
