"""Sizes are judged set by set, by differences that are paired, in three groups of sets."""

import pytest

from lab.field.peers import TUNED_CART
from lab.field.report_sizes import sizes_section
from lab.field.standing_sizes import BY_FOLDS, FIRST_ANSWER, by_folds, duels, first_answer, time_by_folds
from lab.field.study_sets import STUDY_SETS


def cells(learner, accuracies, leaves, more=None, sets=STUDY_SETS, deals=1, **fields):
    """Return the cells of five folds, of which each has its accuracy."""
    return [
        {
            "learner": learner,
            "set": name,
            "case": {"fold": fold} | (more or {}),
            "seed": deal,
            "accuracy": accuracies[fold],
            "leaves": leaves,
            **fields,
        }
        for name in sets
        for deal in range(deals)
        for fold in range(5)
    ]


ALIKE = [0.8, 0.81, 0.79, 0.8, 0.82]
BETTER = [each + 0.01 for each in ALIKE]


def carts(accuracies=ALIKE, leaves=9, **more):
    return [cell for peer in TUNED_CART for cell in cells(peer, accuracies, leaves, **more)]


def test_differences_are_paired():
    found = duels([*cells("heirwood", BETTER, 4, FIRST_ANSWER), *carts()], "cart_sizes", FIRST_ANSWER)

    duel = found["iris"]
    assert duel.ahead == pytest.approx(0.01)
    assert duel.error == pytest.approx(0.0, abs=1e-12)
    assert not duel.is_level
    assert (duel.our_leaves, duel.peer_leaves) == (4, 9)
    assert set(found) == set(STUDY_SETS)


@pytest.mark.parametrize(
    ("ours", "leaves", "met"), [(BETTER, 4, True), (BETTER, 10, False), (ALIKE, 4, False), ([0.5] * 5, 4, False)]
)
def test_the_first_answer_must_be_better_and_smaller(ours, leaves, met):
    verdict = first_answer([*cells("heirwood", ours, leaves, FIRST_ANSWER), *carts()])

    assert verdict.met is met
    assert verdict.measured.count("kept out") == len(TUNED_CART)


def test_a_few_sets_may_be_lost_but_not_many():
    for n_lost, met in ((2, True), (6, False)):
        lost = STUDY_SETS[:n_lost]
        ours = [
            *cells("heirwood", BETTER, 4, FIRST_ANSWER, sets=[name for name in STUDY_SETS if name not in lost]),
            *cells("heirwood", [0.75] * 5, 4, FIRST_ANSWER, sets=lost),
        ]
        assert first_answer([*ours, *carts([0.8] * 5)]).met is met


def test_sizes_by_folds_must_be_clearly_behind_cart_on_no_set():
    others = cells("licketysplit", [0.9] * 5, 3, sets=("iris",))
    ours = cells("heirwood", BETTER, 4, BY_FOLDS)

    assert by_folds([*ours, *carts()]).met
    assert not by_folds([*ours, *carts(), *others]).met
    worse = [cell | {"accuracy": 0.7} if cell["set"] == "wine" else cell for cell in ours]
    assert not by_folds([*worse, *carts()]).met


def test_a_deal_that_is_not_whole_does_not_count():
    ours = cells("heirwood", BETTER, 4, FIRST_ANSWER, deals=2)
    broken = [cell | {"failed": "late"} if cell["seed"] == 1 and cell["case"]["fold"] == 3 else cell for cell in ours]

    found = duels([*broken, *carts(deals=2)], "cart_sizes", FIRST_ANSWER)

    assert len(found["iris"].differences) == 5


def test_nothing_is_judged_before_it_is_run():
    assert first_answer([]).met is None
    assert by_folds([]).met is None
    assert "Not run yet." in sizes_section([])


def test_the_report_names_what_is_lost():
    ours = cells("heirwood", [0.7] * 5, 4, FIRST_ANSWER, sets=("iris",))

    text = "\n".join(sizes_section([*ours, *carts([0.8] * 5)]))

    assert "Clearly behind: iris (default, cart_sizes), iris (default, cart_pruned)." in text
    assert "| iris | **0.7000 / 4.0 to 0.8000 / 9.0, -0.1000 ± 0.0000** |" in text


@pytest.mark.parametrize(
    ("rows", "by_folds", "met"), [(9_999, 4.9, True), (9_999, 5.1, False), (10_000, 2.9, True), (10_000, 3.1, False)]
)
def test_folds_may_take_as_long_as_some_fits(rows, by_folds, met):
    one = cells("heirwood", ALIKE, 4, FIRST_ANSWER, rows=rows, cpu=1.0)

    verdict = time_by_folds([*one, *cells("heirwood", ALIKE, 4, BY_FOLDS, rows=rows, cpu=by_folds)])

    assert verdict.met is met
    assert f"at most {by_folds:.2f}, on " in verdict.measured
    assert time_by_folds(one).met is None
