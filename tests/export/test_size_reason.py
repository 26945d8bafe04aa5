"""Why a tree is as small as it is, and what a larger one would buy, in words."""

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.export.size_reason import selected, size_reason
from heirwood.tree_view import Node, TreeView


def entry(leaves, n_right, n_rows=1000, payoff=0.5, **figures):
    """Return a tree that gets so many rows right; that it asks nothing does not matter here."""
    node = Node(None, 1, 0, n_rows, (float(n_right), float(n_rows - n_right)))
    return HallEntry(leaves, 1, n_right / n_rows, payoff, TreeView((node,), ("a", "b"), False), **figures)


def reason(*entries, chosen=0, leaf_cost=0.01, max_leaf_nodes=32, **more):
    return size_reason(HallOfFame(list(entries), chosen), leaf_cost=leaf_cost, max_leaf_nodes=max_leaf_nodes, **more)


@pytest.mark.parametrize(("trees", "chosen", "text"), [
    ([entry(4, 900), entry(5, 902)], 0,
     "4 leaves: with 5, 2 more of 1,000 rows would be right, and a leaf must bring 10 rows (leaf_cost=0.01)."),
    ([entry(1, 900), entry(2, 900), entry(4, 903)], 0,
     "1 leaf: with 4, 3 more of 1,000 rows would be right, and 3 leaves must bring 30 rows (leaf_cost=0.01)."),
    ([entry(4, 900), entry(5, 890)], 0, "4 leaves: no larger tree was found that does better."),
    ([entry(32, 900)], 0, "32 leaves: max_leaf_nodes=32 allows no more; no larger tree was found that does better."),
    ([entry(4, 1000)], 0, "4 leaves: no row is wrong."),
    ([entry(2, 900, cost=0.5, payoff=0.88), entry(3, 950, cost=0.25, payoff=0.92)], 0,  # of at most 5
     "2 leaves: with 3, a row would cost 0.25 less than 0.5, and a leaf must save 0.05 (leaf_cost=0.01)."),
    ([entry(2, 900, log_loss=0.5), entry(3, 900, log_loss=0.25)], 0,
     "2 leaves: with 3, the log loss would be 0.2500 and not 0.5000, and a leaf must gain 0.01 (leaf_cost=0.01)."),
    ([entry(2, 900, brier=0.5), entry(3, 900, brier=0.25)], 0,
     "2 leaves: with 3, the Brier score would be 0.2500 and not 0.5000, and a leaf must gain 0.01 (leaf_cost=0.01)."),
], ids=str)  # fmt: skip
def test_what_the_next_leaf_would_buy_is_said(trees, chosen, text):
    assert reason(*trees, chosen=chosen) == text


def test_weights_count_as_shares():
    node = Node(None, 1, 0, 10, (1.5, 0.5))
    light, heavy = (
        HallEntry(n, 1, share, 0.5, TreeView((node,), ("a", "b"), True)) for n, share in ((2, 0.5), (3, 0.75))
    )

    assert reason(light, heavy) == (
        "2 leaves: with 3, 75.0% of the weight would be right and not 50.0%, and a leaf must gain 0.01 "
        "(leaf_cost=0.01)."
    )


def test_payoffs_without_a_cost_say_what_it_would_buy_alone():
    assert reason(entry(4, 900), entry(5, 902), leaf_cost=None) == (
        "4 leaves: with 5, 2 more of 1,000 rows would be right."
    )


def test_a_proof_is_said():
    assert reason(entry(4, 900), optimal=True).endswith("; no tree is better at this cost, which is proven.")


@pytest.mark.parametrize(("size", "words"), [
    ("cv", "the best for its leaves, by rows held back (80.0% right there; at best 81.0% right, with 5 leaves)"),
    ("cv_1se", "the fewest that do as well on rows held back (80.0% right there; at best 81.0% right, with 5 leaves)"),
])  # fmt: skip
def test_folds_say_what_they_found(size, words):
    trees = entry(4, 900, cv_accuracy=0.8, cv_error=0.02), entry(5, 902, cv_accuracy=0.81, cv_error=0.02)

    assert words in reason(*trees, size_selection=size)


def test_what_was_selected_says_so():
    hall = HallOfFame([entry(4, 900), entry(5, 902)], 1)

    assert selected(hall, 5) == "5 leaves: selected."
    assert selected(hall, 8) == "5 leaves: selected as the best with at most 8."


# ---- of a fit ----

RARE = np.arange(400) % 40 == 0


def one_leaf(**parameters):
    X = np.random.default_rng(0).normal(size=(400, 2)).round(1)
    return EvolvedTreeClassifier(population_size=20, generations=5, random_state=0, **parameters).fit(X, RARE)


def test_a_single_leaf_is_warned_of_once():
    with pytest.warns(UserWarning, match=r"all rows get the same answer. 1 leaf: .* payoff='log_loss'") as caught:
        tree = one_leaf()

    assert len(caught) == 1
    assert tree.get_n_leaves() == 1
    assert tree.size_reason_ in str(caught[0].message)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("parameters", [{"max_leaf_nodes": 1}, {"leaf_cost": 0.0}])
def test_a_leaf_that_was_asked_for_is_not_warned_of(parameters):
    assert one_leaf(**parameters).size_reason_


def test_folds_warn_of_no_single_leaf():
    with pytest.warns(UserWarning, match="all rows get the same answer") as caught:
        one_leaf(size_selection="cv")

    assert len(caught) == 1


def test_it_is_printed_and_saved_and_told_anew_of_what_is_selected(capsys, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    tree = EvolvedTreeClassifier(population_size=20, generations=5, random_state=0, verbose=1)
    tree.fit(X, X[:, 0] + X[:, 1] > 0)

    assert tree.size_reason_ in capsys.readouterr().err
    tree.save(tmp_path / "model.json")
    assert EvolvedTreeClassifier.load(tmp_path / "model.json").size_reason_ == tree.size_reason_
    tree.select(2)
    assert tree.size_reason_ == "2 leaves: selected."
