"""Probabilities are judged by log loss and AUC on rows held back, ours against each CART that is tuned by it."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from field.cells import Cells
from field.chances import CARTS, judge, run_chances
from field.peers import cart_chances
from field.report_chances import chances_section
from field.serve import Problem
from field.standing_chances import chance_duels, chances, within
from field.study_sets import STUDY_SETS


def answer(shares, classes, **more):
    return {"shares": np.array(shares), "classes": classes, "leaves": 2, "wall": 0.1, "cpu": 0.1, "by_size": [], **more}


def test_losses_and_areas_are_scikit_learns():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(3), 50)
    y = rng.integers(0, 3, 50)

    found = judge(answer(shares, [0, 1, 2]), y)

    assert found["log_loss"] == pytest.approx(log_loss(y, shares), abs=1e-6)
    assert found["auc"] == pytest.approx(roc_auc_score(y, shares, multi_class="ovr"), abs=1e-6)
    assert found["accuracy"] == (shares.argmax(axis=1) == y).mean()


def test_a_class_that_training_rows_lack_has_the_least_chance():
    found = judge(answer([[0.5, 0.5], [0.9, 0.1]], [0, 2]), np.array([0, 1]))

    assert found["log_loss"] == pytest.approx((-np.log(0.5) - np.log(1e-15)) / 2, abs=1e-6)


@pytest.mark.parametrize(("criterion", "smoothing"), [("gini", 0.0), ("entropy", 1.0)])
def test_cart_takes_the_size_of_least_log_loss_in_inner_folds(criterion, smoothing):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[::3], y[::3]

    lost = {}
    for leaves in range(2, 33):
        lost[leaves] = 0.0
        for kept, held in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
            model = DecisionTreeClassifier(max_leaf_nodes=leaves, criterion=criterion, random_state=0)
            shares = probabilities(model.fit(X[kept], y[kept]), X[kept], y[kept], X[held], smoothing)
            lost[leaves] -= np.log(np.maximum(shares[np.arange(len(held)), y[held]], 1e-15)).sum()
    best = min(lost, key=lost.get)

    problem = Problem("breast_cancer", X, y, np.arange(len(y)), 60.0, 0, {})
    fitted = cart_chances.fit(problem, criterion, smoothing)

    assert fitted["leaves"] == best >= 2  # or another would have to be compared with a single leaf
    model = DecisionTreeClassifier(max_leaf_nodes=best, criterion=criterion, random_state=0).fit(X, y)
    assert fitted["shares"](X) == pytest.approx(probabilities(model, X, y, X, smoothing))
    assert [leaves for leaves, _ in fitted["shares_by_size"](X)] == list(range(1, len(fitted["shares_by_size"](X)) + 1))


def probabilities(model, X, y, new, smoothing):
    """Return the probabilities that ours would give with scikit-learn's tree: row by row, node by node."""
    shares = []
    paths = model.decision_path(X).toarray().astype(bool)
    for arriving in model.decision_path(new).toarray().astype(bool):
        chance, there = np.full(2, 0.5), paths[:, arriving]
        for place in range(there.shape[1]):
            weights = np.bincount(y[there[:, place]], minlength=2)
            chance = (weights + smoothing * chance) / (weights.sum() + smoothing)
        shares.append(chance)
    return np.array(shares)


def test_a_fold_is_run_by_both_sides_and_kept(tmp_path):
    cells, told = Cells("chances", tmp_path), []

    run_chances(["heirwood", "cart_chances"], ["iris"], cells=cells, seeds=[0], tell=told.append)
    before = len(told)
    run_chances(["heirwood", "cart_chances"], ["iris"], cells=Cells("chances", tmp_path), seeds=[0], tell=told.append)

    assert before == len(told) == 5 * (1 + len(CARTS))
    assert all(0 < cell["log_loss"] < 3 for cell in cells)
    assert set(chance_duels(list(cells), CARTS[1])) == {"iris"}


# ---- verdicts ----


def cells_of(learner, loss, auc, leaves, case=None, by_size=((1, 0.9),)):
    return [
        {
            "learner": learner, "set": name, "case": {"fold": fold} | (case or {}), "seed": 0, "log_loss": loss,
            "auc": auc, "leaves": leaves, "by_size": [list(each) for each in by_size],
        }
        for name in STUDY_SETS
        for fold in range(5)
    ]  # fmt: skip


def carts():
    return [cell for entrant in CARTS for cell in cells_of("cart_chances", 0.5, 0.8, 8, entrant.case)]


@pytest.mark.parametrize(("loss", "auc", "leaves", "smaller", "met"), [
    (0.4, 0.9, 8, 0.4, True),
    (0.5, 0.9, 8, 0.4, False),  # not lower
    (0.4, 0.8, 8, 0.4, False),  # no better AUC
    (0.4, 0.9, 9, 0.4, False),  # more leaves
    (0.4, 0.9, 8, 0.5, False),  # not lower with fewer
])  # fmt: skip
def test_loss_area_leaves_and_smaller_trees_must_all_be_better(loss, auc, leaves, smaller, met):
    ours = cells_of("heirwood", loss, auc, leaves, by_size=((1, 0.9), (6, smaller), (7, 0.0)))

    verdict = chances([*ours, *carts()])

    assert verdict.met is met


def test_the_largest_tree_within_a_size_counts():
    assert within([[1, 0.9], [4, 0.5], [8, 0.3]], 7.9) == 0.5
    assert within([[3, 0.9]], 2) == 0.9


def test_nothing_is_judged_before_it_is_run():
    assert chances([]).met is None
    assert "Not run yet." in chances_section([])


def test_the_report_shows_every_set():
    text = "\n".join(chances_section([*cells_of("heirwood", 0.4, 0.9, 4), *carts()]))

    assert "| *wine* | 0.4000 / 0.900 / 4.0 to 0.5000 / 0.800 / 8.0 |" in text
