"""Halls are judged at every size, against trees that CART grows best-first on the same rows."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from lab.field.cells import Cells
from lab.field.halls import GROWN, grown_errors, hall_errors, run_halls
from lab.field.numbers import as_numbers, class_codes
from lab.field.sets import load_set
from lab.field.standing_halls import hall_duels, halls

WINE = load_set("wine")
Y = class_codes(WINE)


def cell(learner, errors, name="iris", **case):
    return {"learner": learner, "set": name, "case": case, "seed": 0, "errors": errors}


def test_cart_is_scikit_learns_tree_with_so_many_leaves():
    X = as_numbers(WINE.table)

    for criterion in ("gini", "entropy"):
        grown = [
            DecisionTreeClassifier(max_leaf_nodes=leaves, criterion=criterion, random_state=0).fit(X, Y)
            for leaves in range(2, 33)
        ]
        wrong = [int((tree.predict(X) != Y).sum()) for tree in grown]
        assert grown_errors(WINE, Y, criterion) == [len(Y) - np.bincount(Y).max(), *wrong]


def test_a_run_keeps_both_and_is_not_repeated(tmp_path):
    told = []
    for _ in range(2):
        run_halls(["heirwood", GROWN], ["wine"], cells=Cells("halls", tmp_path), tell=told.append)

    duel = hall_duels(list(Cells("halls", tmp_path)))[0]
    assert len(told) == 3
    assert list(duel.ours) == hall_errors(WINE, Y)
    assert len(duel.ours) == len(duel.cart) == 32
    assert duel.ours[0] == duel.cart[0] == len(Y) - np.bincount(Y).max()
    assert duel.behind == []


def test_one_error_more_at_one_size_is_told():
    grown = [cell(GROWN, [9, 5, 3], criterion="gini"), cell(GROWN, [9, 4, 4], criterion="entropy")]

    for ours, met, told in (
        ([9, 4, 3], True, "fewer at 0, more at 0 of 3 sizes on 1 sets"),
        ([9, 5, 2], False, "fewer at 1, more at 1 of 3 sizes on 1 sets (iris at 2)"),
    ):
        verdict = halls([cell("heirwood", ours), *grown])
        assert (verdict.measured, verdict.met) == (told, met)


def test_nothing_is_said_of_what_was_not_run():
    assert halls([]).met is None
