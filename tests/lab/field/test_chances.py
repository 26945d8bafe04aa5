"""Probabilities are judged by log loss and AUC on rows held back, ours against each CART that is tuned by it."""

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from heirwood.probabilities import SMOOTHINGS
from lab.field.cells import Cells
from lab.field.chances import CART, CASES, judge, run_chances
from lab.field.peers import cart_chances
from lab.field.report_chances import chances_section
from lab.field.serve import Problem
from lab.field.standing_chances import RIVALS, chance_duels, chances
from lab.field.study_sets import STUDY_SETS


def answer(shares, classes):
    return {"shares": np.array(shares), "classes": classes, "leaves": 2, "wall": 0.1, "cpu": 0.1}


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


@pytest.mark.parametrize(("criterion", "smoothing"), [("gini", 0.0), ("entropy", 2.0), ("gini", "auto")])
def test_cart_takes_the_size_of_least_log_loss_in_inner_folds(criterion, smoothing):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[::4], y[::4]

    lost = {}
    for leaves, smooth in product(range(2, 33), SMOOTHINGS if smoothing == "auto" else (smoothing,)):
        lost[leaves, smooth] = 0.0
        for kept, held in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
            model = DecisionTreeClassifier(max_leaf_nodes=leaves, criterion=criterion, random_state=0)
            shares = probabilities(model.fit(X[kept], y[kept]), X[kept], y[kept], X[held], smooth)
            lost[leaves, smooth] -= np.log(np.maximum(shares[np.arange(len(held)), y[held]], 1e-15)).sum()
    best, smooth = min(lost, key=lost.get)

    problem = Problem("breast_cancer", X, y, np.arange(len(y)), 60.0, 0, {})
    fitted = cart_chances.fit(problem, criterion, smoothing)

    assert fitted["leaves"] == best >= 2  # or another would have to be compared with a single leaf
    model = DecisionTreeClassifier(max_leaf_nodes=best, criterion=criterion, random_state=0).fit(X, y)
    assert fitted["shares"](X) == pytest.approx(probabilities(model, X, y, X, smooth))


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


def test_a_fold_is_run_by_both_sides_and_kept(tmp_path, monkeypatch):
    for module in ("chances", "deals"):
        monkeypatch.setattr(f"lab.field.{module}.N_FOLDS", 2)
    cells, told = Cells("chances", tmp_path), []

    run_chances(["heirwood", CART], ["iris"], cells=cells, seeds=[0], tell=told.append)
    before = len(told)
    run_chances(["heirwood", CART], ["iris"], cells=Cells("chances", tmp_path), seeds=[0], tell=told.append)

    assert before == len(told) == 2 * (1 + len(CASES[CART]))
    assert all(0 < cell["log_loss"] < 3 for cell in cells if cell["case"].get("smoothing") != 0.0)
    for cell in (cell for cell in cells if cell["learner"] == "heirwood"):
        sizes = [leaves for leaves, _, _ in cell["by_size"]]
        assert sizes == sorted(set(sizes))
        assert sizes[0] == 1
        assert [cell["leaves"], cell["log_loss"], cell["auc"]] in cell["by_size"]
    for rival in RIVALS[:-1]:
        (duel,) = chance_duels(list(cells), *rival).values()
        assert duel.name == "iris"
        assert duel.smaller is not None


# ---- verdicts ----


def cells_of(learner, loss, auc, leaves, case=None, **more):
    return [
        {
            "learner": learner, "set": name, "case": {"fold": fold} | (case or {}), "seed": 0, "log_loss": loss,
            "auc": auc, "leaves": leaves, **more,
        }
        for name in STUDY_SETS
        for fold in range(5)
    ]  # fmt: skip


def rivals():
    return [cell for learner, case in RIVALS for cell in cells_of(learner, 0.5, 0.8, 8, case)]


@pytest.mark.parametrize(("loss", "auc", "leaves", "smaller", "met"), [
    (0.4, 0.9, 8, 0.4, True),
    (0.5, 0.9, 8, 0.4, False),  # not lower
    (0.4, 0.8, 8, 0.4, False),  # no better AUC
    (0.4, 0.9, 9, 0.4, False),  # more leaves
    (0.4, 0.9, 8, 0.5, False),  # not lower with fewer
])  # fmt: skip
def test_loss_area_leaves_and_smaller_trees_must_all_be_better(loss, auc, leaves, smaller, met):
    by_size = [[1, 0.7, 0.5], [6, smaller, 0.5], [7, 0.0, 0.5]]  # CART has 8, of which 6 are three quarters
    ours = cells_of("heirwood", loss, auc, leaves, by_size=by_size)

    verdict = chances([*ours, *rivals()])

    assert verdict.met is met


def test_a_rival_that_was_not_run_leaves_it_open():
    ours = cells_of("heirwood", 0.4, 0.9, 4)
    some = [cell for cell in rivals() if cell["learner"] == CART]

    verdict = chances([*ours, *some])

    assert verdict.met is None
    assert verdict.measured.endswith("not run yet: licketysplit")


def test_nothing_is_judged_before_it_is_run():
    assert chances([]).met is None
    assert "Not run yet." in chances_section([])


def test_the_report_shows_every_set_and_what_is_lost():
    ours = cells_of("heirwood", 0.4, 0.9, 4, by_size=[[1, 0.7, 0.5], [5, 0.5, 0.9]])

    text = "\n".join(chances_section([*ours, *rivals()]))

    assert "| *wine* | 0.4000 / 0.900 / 4.0 to 0.5000 / 0.800 / 8.0; **0.5000** |" in text


@pytest.mark.parametrize(("losses", "leaves", "told"), [
    ((0.6, 0.6, 0.6, 0.6, 0.6), 6, "by 0.1000 ± 0.0000 (smaller, 6.0 leaves to 8.0)"),
    ((0.6, 0.6, 0.6, 0.6, 0.6), 7, "by 0.1000 ± 0.0000 (as large, 7.0 leaves to 8.0)"),
    ((0.2, 0.2, 0.9, 0.9, 0.4), 7, "by 0.0200 ± 0.1594 (within its error)"),
    ((0.4, 0.4, 0.4, 0.4, 0.4), 7, None),
])  # fmt: skip
def test_what_is_lost_is_listed_with_what_goes_with_it(losses, leaves, told):
    ours = [cell for fold, loss in enumerate(losses) for cell in cells_of("heirwood", loss, 0.9, leaves)
            if cell["case"]["fold"] == fold]  # fmt: skip

    text = "\n".join(chances_section([*ours, *rivals()]))

    assert ("wine " + told in text) if told else ("Lost, by" not in text)
