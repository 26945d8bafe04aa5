"""Trees that are evolved by probabilities show them at their leaves; others say what they get right."""

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, export_tree
from heirwood.export.formats import EXPORTS
from heirwood.export.phrases import percent, rows
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=150)


def chances_by_leaf(fitted):
    return dict(zip(fitted.apply(X).tolist(), fitted.predict_proba(X), strict=True))


@pytest.mark.parametrize("payoff", ["log_loss", "brier"])
@pytest.mark.parametrize("smoothing", ["auto", 0, 7.5])
def test_leaves_show_what_is_predicted(payoff, smoothing):
    fitted = quick(payoff=payoff, smoothing=smoothing).fit(X, Y)

    assert len(chances_by_leaf(fitted)) == fitted.get_n_leaves() > 2
    for leaf, chances in chances_by_leaf(fitted).items():
        assert fitted.tree_.nodes[leaf].chances == tuple(chances.tolist())


def test_another_smoothing_and_another_tree_are_shown_at_once():
    fitted = quick(payoff="log_loss").fit(X, Y)
    before = fitted.tree_

    fitted.set_params(smoothing=20)

    assert fitted.tree_ == before  # the same tree,
    assert export_tree(fitted.tree_) != export_tree(before)  # which says other things
    fitted.select(2)
    assert fitted.tree_.n_leaves == 2
    assert fitted.tree_.nodes[1].chances == tuple(chances_by_leaf(fitted)[1].tolist())


@pytest.mark.parametrize(("names", "rarer"), [(("no", "yes"), 0), (("a", "no"), 1)])
def test_of_two_classes_the_rarer_is_shown(names, rarer):
    classes = np.where(Y == 0, *(names if rarer == 0 else names[::-1]))
    fitted = quick(payoff="log_loss").fit(X, classes)

    assert (classes == names[rarer]).mean() < 0.5
    assert fitted.tree_.positive == rarer
    lines = export_tree(fitted.tree_, "rules").splitlines()
    for leaf, chances in chances_by_leaf(fitted).items():
        says = f"({names[rarer]} {percent(chances[rarer])}, {rows(fitted.tree_.nodes[leaf].n_rows)})"
        assert any(says in line for line in lines)


@pytest.mark.parametrize("weight", ["balanced", {False: 1.0, True: 1.0}])
def test_of_two_classes_that_weigh_the_same_it_is_the_second(weight):
    half = np.arange(len(X)) % 3 == 0 if weight == "balanced" else np.arange(len(X)) % 2 == 0
    fitted = quick(payoff="log_loss", class_weight=weight).fit(X, half)

    assert fitted.tree_.positive == 1


def test_of_more_the_likeliest_two():
    fitted = quick(payoff="log_loss").fit(X, Y)

    text = export_tree(fitted.tree_)
    for chances in chances_by_leaf(fitted).values():
        first, second = np.argsort(-chances, kind="stable")[:2]
        assert f"{first} {percent(chances[first])}, {second} {percent(chances[second])}, " in text


@pytest.mark.parametrize("format", sorted(set(EXPORTS) - {"json"}))
def test_every_format_that_is_read_shows_them(format):
    fitted = quick(payoff="log_loss").fit(X, Y == 0)

    assert all(
        f"True {percent(chances[1])}" in export_tree(fitted.tree_, format)
        for chances in chances_by_leaf(fitted).values()
    )


def test_a_model_file_keeps_them(tmp_path):
    fitted = quick(payoff="brier", size_selection="cv").fit(X, Y)
    fitted.save(tmp_path / "model.json")

    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

    assert export_tree(loaded.tree_) == export_tree(fitted.tree_)
    assert "right" not in export_tree(loaded.tree_, "rules")


def test_labels_say_what_they_get_right():
    fitted = quick().fit(X, Y)

    assert all(node.chances == () for node in fitted.tree_.nodes)
    assert "right" in export_tree(fitted.tree_, "rules")
