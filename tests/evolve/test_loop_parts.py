"""The parts of the loop: hall of fame, schedule, succession, figures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.evolve import Replacement, Schedule
from heirwood.evolve.hall import Hall
from heirwood.evolve.history import history_columns, savings
from heirwood.evolve.replacement import best_places, stand_last
from heirwood.payoff import Trees


def record(leaves, hits):
    leaves = np.array(leaves, np.int64)
    return Trees(np.array(hits, np.int64), leaves, leaves - 1, total=100, n_rows=100)


def accuracy(trees):
    return trees.hits / trees.total


# ---- hall ----


@given(st.lists(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 8)), min_size=1, max_size=8), max_size=8))
def test_the_hall_keeps_the_first_of_the_best_at_each_size(generations):
    hall = Hall(6)
    expected = {}
    handle = 0

    for trees in generations:
        leaves, hits = zip(*trees, strict=True)
        handles = np.arange(handle, handle + len(trees))
        of_trees = record(leaves, hits)
        hall.welcome(handles, of_trees, accuracy(of_trees))
        for size, hit in trees:
            if size not in expected or hit > expected[size][0]:
                expected[size] = (hit, handle)
            handle += 1

    assert {
        int(size): (int(hall.payoffs[size] * 100 + 0.5), int(hall.handles[size])) for size in hall.leaves
    } == expected
    if expected:
        assert hall.trees.hits.tolist() == [expected[size][0] for size in sorted(expected)]
        best = max(expected.values(), key=lambda seat: seat[0])[0]
        assert hall.best == min(size for size, (hit, _) in expected.items() if hit == best)


def test_a_tree_with_a_payoff_of_minus_infinity_finds_a_free_place():
    hall = Hall(3)

    welcome = hall.welcome(np.array([7]), record([2], [5]), np.array([-np.inf]))

    assert welcome
    assert hall.handles[2] == 7


def test_the_hall_is_rescored_when_payoffs_move():
    hall = Hall(4)
    trees = record([1, 3], [60, 70])
    hall.welcome(np.array([0, 1]), trees, accuracy(trees))

    hall.rescore(lambda trees: trees.hits / trees.total - 0.1 * trees.leaves)

    assert hall.best == 1
    assert hall.payoffs[[1, 3]].tolist() == [0.6 - 0.1 * 1, 0.7 - 0.1 * 3]


# ---- schedule ----


def test_a_constant_never_moves():
    schedule = Schedule({"x": 5.0}, 0, 10)

    assert not schedule.moves
    assert [schedule.at(generation) for generation in (0, 5, 99)] == [{"x": 5.0}] * 3


def test_a_pair_moves_linearly_and_stays_at_its_end():
    schedule = Schedule({"x": (10.0, 20.0), "cost": 1.0}, 2, 6)

    assert schedule.moves
    assert [schedule.at(g)["x"] for g in (0, 2, 3, 4, 6, 7)] == [10.0, 10.0, 12.5, 15.0, 20.0, 20.0]


def test_a_schedule_without_length_starts_at_its_start():
    assert Schedule({"x": (1.0, 2.0)}, 0, 0).at(0) == {"x": 1.0}


# ---- succession ----


@given(st.lists(st.sampled_from([-np.inf, -0.0, 0.0, 1.0, np.inf]), min_size=2, max_size=20), st.data())
def test_the_best_places_are_those_of_a_stable_sort(values, data):
    n = data.draw(st.integers(0, len(values)))

    places = best_places(np.array(values), n)

    assert places.tolist() == sorted(sorted(range(len(values)), key=lambda place: -values[place])[:n])


def test_generational_keeps_the_elites_in_order_of_place():
    rule = Replacement(steady=False, n_children=3, join_first=True)

    assert rule.stay(np.array([1.0, 5.0, 0.0, 5.0, 7.0])).tolist() == [1, 4]
    assert rule.leave(np.zeros(5), 5).tolist() == [0, 1, 2, 3, 4]


def test_steady_state_lets_all_stay_and_then_the_worst_leave():
    rule = Replacement(steady=True, n_children=2, join_first=True)

    assert rule.stay(np.array([3.0, 1.0, 2.0])).tolist() == [0, 1, 2]
    assert rule.leave(np.array([3.0, 1.0, 2.0, 0.0, 9.0]), 3).tolist() == [0, 2, 4]


def test_steady_state_can_let_the_worst_leave_outright():
    rule = Replacement(steady=True, n_children=2, join_first=False)

    assert rule.stay(np.array([3.0, 1.0, 2.0])).tolist() == [0]
    assert rule.leave(np.zeros(3), 3).tolist() == [0, 1, 2]


def test_of_trees_that_divide_the_rows_alike_all_but_the_first_stand_last():
    standing = stand_last(np.array([0.5, 0.9, 0.7, 0.9, 0.7]), np.array([7, 3, 7, 3, 1], np.uint64))

    assert standing.tolist() == [0.5, 0.9, -np.inf, -np.inf, 0.7]


def test_trees_that_all_differ_stand_where_they_did():
    payoffs = np.array([0.5, 0.9, 0.5])

    assert stand_last(payoffs, np.array([2, 1, 0], np.uint64)).tolist() == payoffs.tolist()


# ---- figures ----


def told(generation):
    figures = {"payoff": 0.5, "accuracy": 0.75, "leaves": 3}
    names = ("rows", "rows_full", "checks", "checks_full", "words", "words_full")
    return {"generation": generation, "best": figures, "mean": figures, "ledger": dict.fromkeys(names, generation)}


def test_a_history_goes_on_after_the_one_before():
    before = history_columns([told(0), told(1)])

    columns = history_columns([told(2)], before)

    assert columns["generation"].tolist() == [0, 1, 2]
    assert columns["rows_full"].tolist() == [0, 1, 2]
    assert columns["best_leaves"].tolist() == [3.0, 3.0, 3.0]


def test_savings_are_shares_of_the_full_cost():
    found = savings(np.array([25, 100, 10, 40, 0, 0]))

    assert (found["rows"], found["checks"], found["words"]) == (0.75, 0.75, 0.0)
    assert found["ledger"]["rows_full"] == 100


@pytest.mark.parametrize("places", [np.array([2, 0]), np.array([], np.int64)])
def test_a_record_of_some_trees_is_taken_and_joined(places):
    trees = record([1, 2, 3], [10, 20, 30])

    joined = trees.take(places).join(trees)

    assert joined.hits.tolist() == [*trees.hits[places].tolist(), 10, 20, 30]
    assert len(joined) == len(places) + 3
