from statistics import fmean

import pytest

from lab.field import standing_unseen
from lab.field.standing_unseen import Mean, curves, means


def folds(learner, name, accuracy, leaves, n_folds=5, cost=None, size=None, **more):
    cell = {"learner": learner, "set": name, "seed": 0, "accuracy": accuracy, "leaves": leaves, "wall": 1.0}
    case = {name: value for name, value in (("cost", cost), ("size", size)) if value is not None}
    return [cell | {"case": {"fold": fold} | case} | more for fold in range(n_folds)]


def test_a_set_counts_when_all_its_folds_are_done():
    cells = [
        *folds("cart_path", "iris", 0.75, 3),
        *folds("cart_path", "wine", 0.75, 3, n_folds=4),
        *folds("cart_path", "zoo", 0.75, 3, n_folds=4),
        *folds("cart_path", "zoo", 0.75, 3, failed="gone")[4:],
    ]

    assert means(cells) == {"cart_path": {"iris": Mean(0.75, 3.0, 1.0)}}
    half = [cell | {"seed": 1} for cell in cells[:3]]  # of another seed, which may have folds of its own
    assert means([*cells, *half]) == {}


def test_three_seeds_are_level_with_one_that_is_as_accurate():
    right = [0.9, 1.0, 0.9, 0.85, 0.9]
    ours = [
        folds("heirwood", "paper/zoo", right[fold], 4)[fold] | {"seed": seed} for seed in range(3) for fold in range(5)
    ]
    theirs = [folds("J48", "paper/zoo", right[fold], 4)[fold] for fold in range(5)]

    found = means([*ours, *theirs])

    assert fmean(right * 3) != fmean(right)
    assert found["heirwood"]["paper/zoo"].accuracy == found["J48"]["paper/zoo"].accuracy == 0.91


def test_a_curve_has_the_largest_tree_of_each_fold_that_is_small_enough():
    cells = [
        *folds("cart_path", "iris", 0.5, 2, curve=[[2, 0.5], [4, 0.75]]),
        *folds("cart_path", "wine", 0.5, 3, curve=[[3, 0.5], [3, 1.0], [9, 0.0]]),  # none of two leaves
        *folds("cart_path", "zoo", 0.5, 3, curve=[[5, 0.0]]),  # another set
        *folds("cart_leaves", "iris", 0.5, 2, curve=[[2, 0.5], [4, 0.75]]),  # has not done the others
        *folds("cart_full", "iris", 0.5, 2, curve=[[2, 0.5]]),
        *folds("cart_full", "wine", 0.5, 2, curve=[[2, 0.5]]),  # one tree only
    ]

    assert curves(cells, ["iris", "wine"], 4) == {"cart_path": [(3, 0.75), (4, 0.875)]}


@pytest.mark.parametrize(
    ("accuracy", "leaves", "met"),
    [(0.875, 4, True), (0.875, 6, False), (0.75, 2, False), (0.5, 2, False)],
    ids=["better and as small", "larger", "only level", "worse"],
)
def test_the_highest_accuracy_counts_with_no_more_leaves_than_the_best_peer(accuracy, leaves, met):
    cells = [
        *folds("heirwood", "iris", accuracy, leaves),
        *folds("cart_path", "iris", 0.75, 4),
        *folds("cart_leaves", "iris", 0.625, 2),
        *folds("forest", "iris", 1.0, 900),  # outside the contest
        *folds("pystreed", "wine", 1.0, 2),  # a set we have not done
    ]

    assert standing_unseen.accuracy(cells).met is met


def test_what_was_run_with_a_cost_is_told_apart():
    cells = [*folds("heirwood", "paper/zoo", 0.75, 4), *folds("heirwood", "paper/zoo", 0.5, 2, cost=0.02)]

    assert means(cells) == {"heirwood": {"paper/zoo": Mean(0.75, 4.0, 1.0)}}
    assert means(cells, cost=0.02) == {"heirwood": {"paper/zoo": Mean(0.5, 2.0, 1.0)}}
    assert means(cells, cost=0.005) == {}
