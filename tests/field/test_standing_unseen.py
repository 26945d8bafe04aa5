import pytest

from field import standing_unseen
from field.standing_unseen import Mean, Printed, duel_on_paper, means


def folds(learner, name, accuracy, leaves, n_folds=5, **more):
    cell = {"learner": learner, "set": name, "seed": 0, "accuracy": accuracy, "leaves": leaves, "wall": 1.0}
    return [cell | {"case": {"fold": fold}} | more for fold in range(n_folds)]


def test_a_set_counts_when_all_its_folds_are_done():
    cells = [
        *folds("cart_path", "iris", 0.75, 3),
        *folds("cart_path", "wine", 0.75, 3, n_folds=4),
        *folds("cart_path", "zoo", 0.75, 3, n_folds=4),
        *folds("cart_path", "zoo", 0.75, 3, failed="gone")[4:],
    ]

    assert means(cells) == {"cart_path": {"iris": Mean(0.75, 3.0, 1.0)}}


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


def test_a_duel_is_won_on_both_counts_on_average_and_in_most_sets():
    ours = {name: Mean(0.75, 3.0, 1.0) for name in "abc"}
    larger = {name: Printed(0.5, 9.0) for name in "abc"}
    smaller_on_two = {"a": Printed(0.5, 3.0), "b": Printed(0.5, 3.0), "c": Printed(0.5, 99.0)}

    assert duel_on_paper(ours, larger).won
    assert duel_on_paper(ours, larger).ours.nodes == 5.0  # of a binary tree with three leaves
    assert not duel_on_paper(ours, smaller_on_two).won


def test_the_papers_rivals_are_j48_and_four_printed_runs_on_eleven_sets():
    rivals = standing_unseen.paper_rivals()

    assert [len(by_set) for by_set in rivals.values()] == [11] * 6
    assert rivals["J48"]["paper/kr-vs-kp"] == Printed(0.9928, 57.0)
