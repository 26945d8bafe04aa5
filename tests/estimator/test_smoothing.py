"""smoothing="auto": rows held back say how many rows a node borrows from the one above it."""

import json

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier
from heirwood.cross_validation import deal, seed_of_fold
from heirwood.probabilities import SMOOTHINGS, USUAL
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=150)
RNG = np.random.default_rng(0)
NOISY = np.where(RNG.random(150) < 0.3, (Y + 1) % 3, Y)
WEIGHTS = RNG.integers(1, 5, 150)


def sized(payoff="log_loss", **parameters):
    return quick(payoff=payoff, size_selection="cv", generations=15, **parameters)


@pytest.fixture(scope="module")
def model():
    """Return a tree whose size was chosen by folds, in a file."""
    return sized().fit(X, NOISY)


def lost_held_back(payoff, weights, judge):
    """Return what the rows of each fold lose, by smoothing and by leaves: one fit, size and smoothing at a time."""
    lost = {}
    for number, (train, test) in enumerate(deal(NOISY, 5, 0)):
        rough = {"leaf_cost": float(f"{0.1 / np.sqrt(weights[train].sum()):.3g}")}
        fold = quick(payoff=payoff, generations=15, **rough).set_params(random_state=seed_of_fold(0, number))
        fold.fit(X[train], NOISY[train], sample_weight=weights[train])
        for smoothing in SMOOTHINGS:
            given = {}
            for entry in fold.hall_:
                fold.set_params(smoothing=smoothing).select(entry.leaves)
                given[entry.leaves] = (weights[test] * judge(fold, X[test], NOISY[test])).sum()
            for leaves in range(1, 33):
                lost.setdefault((smoothing, leaves), []).append(given[size_within(fold, leaves)])
    return lost


def size_within(fold, leaves):
    """Return the largest size of a hall with at most so many leaves; the smallest, if all have more."""
    sizes = [entry.leaves for entry in fold.hall_.improving()]
    return max((size for size in sizes if size <= leaves), default=sizes[0])


def log_losses(tree, rows, classes):
    return -np.log(tree.predict_proba(rows)[np.arange(len(rows)), classes])


def brier_scores(tree, rows, classes):
    return ((tree.predict_proba(rows) - (np.arange(3) == classes[:, None])) ** 2).sum(axis=1)


@pytest.mark.parametrize(
    ("payoff", "judge", "weights"),
    [("log_loss", log_losses, np.ones(150, int)), ("log_loss", log_losses, WEIGHTS), ("brier", brier_scores, WEIGHTS)],
    ids=["log loss", "log loss, weights", "brier, weights"],
)
def test_it_is_what_loses_least_with_the_size_that_is_best_with_it(payoff, judge, weights):
    lost = lost_held_back(payoff, weights, judge)

    found = sized(payoff).fit(X, NOISY, sample_weight=weights)

    smoothing, _ = min(lost, key=lambda key: sum(lost[key]))
    assert found.smoothing_ == smoothing > USUAL
    totals = np.array([weights[test].sum() for _, test in deal(NOISY, 5, 0)])
    for entry in found.hall_:
        if entry.cv_loss is not None:
            means = np.array(lost[smoothing, entry.leaves]) / totals
            assert entry.cv_loss == pytest.approx(means.mean(), abs=1e-5)  # of steps of 2**-16 bits


def test_where_labels_are_what_counts_it_smooths_the_best_size():
    found = sized("leaf_cost").fit(X, NOISY)

    right, folds = np.zeros(33), []
    for number, (train, test) in enumerate(deal(NOISY, 5, 0)):
        rough = {"leaf_cost": float(f"{0.1 / np.sqrt(len(train)):.3g}")}
        fold = quick(generations=15, **rough).set_params(random_state=seed_of_fold(0, number))
        folds.append((fold.fit(X[train], NOISY[train]), test))
        for leaves in range(1, 33):
            fold.select(size_within(fold, leaves))
            right[leaves] += fold.score(X[test], NOISY[test]) * len(test)
    best = int(right.round().argmax())
    lost = dict.fromkeys(SMOOTHINGS, 0.0)
    for fold, test in folds:
        fold.select(size_within(fold, best))
        for smoothing in SMOOTHINGS:
            lost[smoothing] += log_losses(fold.set_params(smoothing=smoothing), X[test], NOISY[test]).sum()
    assert found.smoothing_ == min(lost, key=lost.__getitem__) > USUAL


def test_what_was_found_is_what_is_answered_with_and_kept(model, tmp_path):
    as_found = model.predict_proba(X)

    model.save(tmp_path / "model.json")
    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

    assert loaded.smoothing == "auto"
    assert loaded.smoothing_ == model.smoothing_ != USUAL
    np.testing.assert_array_equal(loaded.predict_proba(X), as_found)
    np.testing.assert_array_equal(loaded.set_params(smoothing=model.smoothing_).predict_proba(X), as_found)
    assert (loaded.set_params(smoothing=USUAL).predict_proba(X) != as_found).any()


@pytest.mark.parametrize("written", [None, -1, "much", [], True])
def test_a_file_that_does_not_say_it_is_answered_with_the_usual(model, tmp_path, written):
    path = tmp_path / "model.json"
    model.save(path)
    document = json.loads(path.read_text())
    if written is None:
        del document["facts"]["smoothing"]  # as models have none that were made before there was any
    else:
        document["facts"]["smoothing"] = written
    path.write_text(json.dumps(document))

    loaded = EvolvedTreeClassifier.load(path)

    answered = loaded.predict_proba(X)
    np.testing.assert_array_equal(answered, loaded.set_params(smoothing=USUAL).predict_proba(X))


def test_without_folds_it_is_the_usual_and_a_number_stays_what_it_is():
    assert quick(payoff="log_loss").fit(X, NOISY).smoothing_ == USUAL
    assert sized(smoothing=0.5).fit(X, NOISY).smoothing_ == 0.5


def test_weights_as_large_as_can_be_are_counted():
    huge = WEIGHTS.astype(float) * 2.0**50

    assert sized("leaf_cost").fit(X, NOISY, sample_weight=huge).smoothing_ in SMOOTHINGS
