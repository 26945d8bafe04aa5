"""Which size is the best: what held-out rows say, and what a leaf must gain."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, Payoff
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.leaf_selection import Scores, error_of
from tests.estimator.some_data import quick

# ---- scores ----


def scores(*hits, smallest=1, totals=None, **more):
    table = np.array(hits, np.int64)
    return Scores(smallest, table, np.full(len(table), 10) if totals is None else np.array(totals), **more)


def best(table, size_selection="cv"):
    """Return the number of leaves that scores choose of a hall with trees of all sizes, a leaf's cost being given."""
    hall = HallOfFame([entry(leaves, leaves / 100) for leaves in range(1, 40)], 0)
    return replace(table, is_given=True).choose(hall, size_selection).leaves


def test_ties_go_to_fewer_leaves():
    assert best(scores([1, 2, 3], [2, 1, 0])) == 1


def test_means_are_exact():
    # The same three accuracies in another order: their float sums differ in the last digit.
    one, other = scores([1, 2], [2, 7], [7, 1], totals=[10, 10, 10]).means()

    assert one == other == Fraction(1, 3)


@pytest.mark.parametrize(("right", "wanted"), [
    ([8, 9, 9], 2),  # a leaf for a row
    ([8, 8, 9], 1),  # two for one
    ([8, 8, 10], 3),
    ([8, 8, 9, 11], 4),  # three for three
    ([8, 8, 9, 10], 1),
], ids=str)  # fmt: skip
def test_every_further_leaf_must_add_what_it_costs_where_that_was_given(right, wanted):
    fives = [5] * len(right)

    assert best(scores(fives, right, due=Fraction(1))) == wanted
    assert best(scores(fives, right)) == 1 + right.index(max(right))  # where nothing is


def test_within_one_standard_error_no_leaf_must_gain():
    table = [400, 800, 801, 800], [400, 800, 801, 802], [400, 800, 801, 803]

    for due, wanted in ((0, 4), (3, 3)):
        found = scores(*table, totals=[1_000] * 3, due=Fraction(due))
        assert best(found) == wanted
        assert best(found, "cv_1se") == 3


def test_one_standard_error_takes_the_fewest_leaves_that_are_near():
    table = scores([4, 7, 8, 9], [4, 7, 7, 7], [4, 6, 8, 8], smallest=2)

    assert best(table) == 5
    assert table.errors()[3] == np.std([0.9, 0.7, 0.8], ddof=1) / np.sqrt(3)
    assert best(table, "cv_1se") == 4  # 0.767 is within 0.8 - 0.058, 0.667 is not


def test_without_any_error_one_standard_error_is_the_best():
    assert best(scores([4, 9, 9], [4, 9, 9]), "cv_1se") == 2


@pytest.mark.parametrize(("held_back", "error", "trained", "wanted"), [
    ([5, 9, 8, 8, 8], 1, {1: 50, 2: 90}, 2),
    ([5, 9, 8, 8, 8], 1, {1: 50, 2: 90, 4: 99}, 4),
    ([5, 9, 8, 7, 7], 1, {1: 50, 2: 90, 4: 99}, 2),  # clearly worse on rows held back
    ([5, 9, 8, 7, 7], 2, {1: 50, 2: 90, 4: 99}, 4),
    ([0, 9, 9, 9, 9], 5, {1: 0, 2: 50, 3: 51, 4: 53}, 4),  # a fifth of five is what a leaf has to gain, or more
    ([0, 9, 9, 9, 9], 5, {1: 0, 2: 80, 3: 81, 4: 82}, 2),  # of equals, the fewest leaves,
    ([0, 9, 9, 9, 9], 5, {1: 0, 2: 28, 3: 29, 4: 30}, 2),  # which a float says otherwise of
    ([3, 3, 3], 1, {1: 30, 2: 30, 3: 30}, 1),
    ([5, 9, 9], 0, {1: 50, 2: 90, 3: 91}, 3),
    ([9, 9, 9, 9], 5, {2: 50, 4: 53}, 4),  # leaves are charged from the first tree there is
    ([5, 6, 7, 7, 8, 8], Fraction(1, 2), {1: 50, 3: 80, 6: 81}, 6),  # three are clearly worse, though five have no tree
    ([5, 6, 7, 7, 8, 7], Fraction(1, 2), {1: 50, 3: 80, 6: 81}, 3),  # and neither have others that are as good
    ([5, 9, 9], 9, {1: 50, 2: 51, 7: 99}, 1),  # of seven no fold has said anything
    ([5, 9, 9], 1, {7: 50, 8: 99}, 7),
], ids=str)  # fmt: skip
def test_of_sizes_that_are_as_good_as_the_best_training_rows_choose(held_back, error, trained, wanted):
    hall = HallOfFame([entry(leaves, right / 100) for leaves, right in trained.items()], 0)

    table = scores(np.zeros_like(held_back), held_back, totals=[40, 60], error=Fraction(error))

    assert table.choose(hall, "cv_best").leaves == wanted
    by_cost = replace(table, due=Fraction(error) / 5)  # the same rule, with a due that is the cost of a leaf
    assert by_cost.choose(hall, "cv").leaves == wanted


def test_where_mistakes_have_costs_those_of_training_rows_choose():
    costs = {1: 1.0, 2: 0.75, 3: 0.5, 4: 0.48}
    hall = HallOfFame([entry(leaves, 0.5, cost) for leaves, cost in costs.items()], 0)
    table = [-90, -70, -60, -59], [-90, -70, -60, -59]

    by_error = [
        scores(*table, totals=[20, 20], error=Fraction(error), unit=0.25).choose(hall, "cv_best").leaves
        for error in (1, 9, 19, 99, 999)  # of 160, 120, 80 and 77 steps of cost a leaf must save a fifth of it
    ]

    assert by_error == [4, 4, 3, 3, 1]


def test_the_standard_error_is_that_of_what_is_lost():
    lost = np.random.default_rng(0).integers(0, 50, 900) ** 3

    assert error_of(lost.tolist()) == pytest.approx(np.sqrt(900) * lost.std(), rel=1e-6)
    assert error_of([1] * 80 + [0] * 20) == 4
    assert error_of([7, 7]) == 0


def entry(leaves, accuracy=None, cost=None):
    """Return a tree that is better the larger it is, unless told otherwise."""
    return HallEntry(leaves, 1, leaves / 10 if accuracy is None else accuracy, 0.5, some_tree(), cost=cost)


@cache
def some_tree():
    return EvolvedTreeClassifier(population_size=4, generations=0, random_state=0).fit([[0.0], [1.0]], [0, 1]).tree_


def test_a_tree_that_is_no_better_than_a_smaller_one_is_not_chosen():
    hall = HallOfFame([entry(1, 0.5), entry(2, 0.8), entry(3, 0.8), entry(4, 0.7), entry(5, 0.9)], 0)
    by_size = [scores([1, 1, 1, 1, 1], np.arange(1, 6) == size, is_given=True).applied(hall, "cv").chosen
               for size in range(1, 6)]  # fmt: skip

    assert [found.leaves for found in hall.improving()] == [1, 2, 5]
    assert by_size == [0, 1, 1, 1, 4]


def test_with_costs_a_better_tree_is_a_cheaper_one():
    hall = HallOfFame([entry(1, 0.9, 3.0), entry(2, 0.8, 2.0), entry(3, 0.95, 2.0), entry(4, 0.7, 1.0)], 0)

    assert [found.leaves for found in hall.improving()] == [1, 2, 4]


def test_a_size_that_the_last_hall_lacks_falls_to_the_next_smaller():
    hall = HallOfFame([entry(2), entry(4), entry(9)], 2)
    table = scores([4, 5, 9, 5], [4, 5, 9, 5], smallest=3)  # best: 5 leaves

    applied = table.applied(hall, "cv")

    assert applied[applied.chosen].leaves == 4
    assert [found.cv_accuracy for found in applied] == [None, 0.5, 0.5]  # none known; four leaves; as six
    assert applied.cross_validated
    assert not hall.cross_validated


def test_a_best_size_below_all_trees_takes_the_smallest():
    hall = HallOfFame([entry(7), entry(8)], 1)

    assert scores([9, 5], [9, 5]).applied(hall, "cv").chosen == 0


# ---- a cost that was given ----


def test_the_size_has_the_least_objective_on_rows_held_back():
    rows = np.random.default_rng(7).normal(size=(400, 4))
    y = rows[:, 0] + rows[:, 1] > 0  # every further step of a staircase gains less
    sizes = []
    for cost in (0.0005, 0.02, 0.2):
        model = quick(
            size_selection="cv", generations=15, payoff=Payoff("leaf_cost", cost=cost), max_leaf_nodes=12
        ).fit(rows, y)
        held_back = {found.leaves: 1 - found.cv_accuracy + cost * found.leaves for found in model.hall_.improving()}
        sizes.append(min(held_back, key=held_back.get))
        assert model.get_n_leaves() == sizes[-1]

    assert sizes[0] > sizes[1] > sizes[2]
