import math

import pytest

from lab.field import standing
from lab.field.standing import Pair


def a_cell(learner="heirwood", name="iris", cost=0.01, seed=0, value=0.5, seconds=1.0, trace=None, **more):
    cell = {"learner": learner, "set": name, "case": {"cost": cost}, "seed": seed, "value": value}
    cell |= {"wall": seconds, "cpu": seconds, "leaves": 3, "rows": 100, "optimal": None}
    if learner == "heirwood":
        cell["trace"] = trace or [[seconds, value]]
    return cell | more


def test_a_run_has_its_best_value_so_far():
    run = a_cell(value=0.2, trace=[[0.1, 0.5], [0.7, 0.3], [2.0, 0.2]])

    assert standing.value_at(run, 0.05) == math.inf
    assert standing.value_at(run, 0.7) == 0.3
    assert standing.value_at(run, 100) == 0.2
    assert standing.reached_at(run, 0.3) == 0.7
    assert standing.reached_at(run, 0.1) == math.inf


def test_on_a_busy_machine_cpu_seconds_count():
    assert standing.seconds_of(a_cell("pycontree") | {"wall": 9.0, "cpu": 4.0}) == 4.0


def test_pairs_are_of_the_same_case_and_leave_out_what_failed():
    cells = [
        a_cell(),
        a_cell(seed=1),
        a_cell(cost=0.02),
        a_cell("licketysplit"),
        a_cell("licketysplit", cost=0.02) | {"failed": "gone"},
        a_cell("pystreed", cost=0.02),
    ]

    found = standing.pairs(cells, "licketysplit")

    assert [(pair.ours["seed"], pair.ours["case"]["cost"]) for pair in found] == [(0, 0.01), (1, 0.01)]


def test_behind_is_how_much_worse_we_are():
    pair = Pair(a_cell(value=0.25, trace=[[0.5, 0.5], [3.0, 0.25]]), a_cell("pystreed", value=0.375, seconds=2.0))

    assert pair.behind == -0.125
    assert pair.behind_at(2.0) == 0.125
    assert pair.reached_at == 3.0


@pytest.mark.parametrize(
    ("value", "seconds", "met"),
    [(0.3, 1.0, True), (0.2, 1.0, True), (0.3, 4.0, False), (0.3005, 1.0, False), (0.302, 1.0, False)],
    ids=["level", "lower", "too slow", "above what is proven", "far above"],
)
def test_the_certified_solver_is_met_at_its_optimum_in_a_twentieth_of_its_time(value, seconds, met):
    cells = [
        a_cell(value=value, seconds=seconds),
        a_cell("fastsmalltree", value=0.3, seconds=60.0, optimal=True),
    ]

    assert standing.against_fastsmalltree(cells).met is met


@pytest.mark.parametrize(("seconds", "its_seconds", "met"), [(0.5, 0.01, True), (0.6, 0.01, False), (7.0, 8.0, True)])
def test_licketysplit_is_met_within_its_time_or_half_a_second(seconds, its_seconds, met):
    cells = [a_cell(seconds=seconds), a_cell("licketysplit", seconds=its_seconds)]

    assert standing.against_licketysplit(cells).met is met


@pytest.mark.parametrize(("errors", "seconds", "met"), [(0.2, 1.0, True), (0.2, 3.0, False), (0.2005, 0.1, False)])
def test_pycontree_is_met_fifty_times_sooner_on_large_sets(errors, seconds, met):
    cells = [
        a_cell(name="magic", value=errors, seconds=seconds),
        a_cell("pycontree", name="magic", value=0.2, seconds=100.0),
    ]

    assert standing.against_pycontree(cells).met is met


@pytest.mark.parametrize(
    ("seconds", "met"),
    [([1, 1, 1, 1, 9], True), ([1, 1, 1, 3, 9], False), ([1, 1, 1, 1, 11], False), ([1, 1, 1, 1], False)],
)
def test_interactions_need_four_seeds_in_two_seconds_and_five_in_ten(seconds, met):
    ours = [a_cell(seed=seed, seconds=float(second)) for seed, second in enumerate(seconds)]
    peers = [a_cell("pystreed", value=0.7), a_cell("licketysplit", value=0.5)]

    assert standing.interactions([*ours, *peers]).met is met


def test_a_run_is_behind_a_peer_that_had_a_lower_value_first_and_from_one_second_on():
    run = a_cell(value=0.3, trace=[[0.2, 0.5], [5.0, 0.3]])
    peers = [
        a_cell("licketysplit", value=0.4, seconds=0.1),  # ahead from 0.1 s to 5 s
        a_cell("pystreed", value=0.4, seconds=6.0),  # never ahead
        a_cell("cart_path", value=0.5, seconds=0.1),  # ahead before one second only
        a_cell("fastsmalltree", value=0.2, seconds=60.0),  # ahead at the end
    ]

    (behind,) = standing.behind_from_one_second([run, *peers]).values()

    assert behind == ["licketysplit", "fastsmalltree"]


@pytest.mark.parametrize(
    "judge",
    [
        standing.against_fastsmalltree,
        standing.against_licketysplit,
        standing.against_pycontree,
        standing.interactions,
        standing.anytime,
    ],
)
def test_nothing_is_claimed_before_both_sides_were_run(judge):
    peers = [a_cell(learner) for learner in ("fastsmalltree", "licketysplit", "pycontree")]

    assert judge(peers).met is None
    assert judge([a_cell()]).met is None


@pytest.mark.parametrize(
    ("trace", "end", "due", "why"),
    [
        ([[0.1, 0.6], [0.7, 0.4]], 5.0, 0.5, "had it after 0.70 s"),
        ([[0.1, 0.6], [0.3, 0.5]], 5.0, 0.5, "no better tree after 0.3 of 5 s: a local optimum"),
        ([[0.1, 0.6], [4.0, 0.5]], 5.0, 0.5, "still got better at 4.0 of 5 s: too little time"),
    ],
)
def test_a_lost_case_has_its_reason(trace, end, due, why):
    ours = a_cell(value=trace[-1][1], seconds=end, trace=trace)
    pair = Pair(ours, a_cell("licketysplit", value=0.4, seconds=0.2))

    assert pair.due_at == due
    assert pair.behind_at(pair.due_at) > 0
    assert pair.why_behind() == why


def test_a_slow_peer_is_met_within_its_own_time_and_others_at_the_end():
    ours = a_cell(trace=[[0.1, 0.6]])

    assert Pair(ours, a_cell("licketysplit", seconds=3.0)).due_at == 3.0
    assert Pair(ours, a_cell("fastsmalltree", seconds=3.0)).due_at == math.inf
    assert Pair(ours, a_cell("fastsmalltree", value=0.1, optimal=True)).why_behind().startswith("proven the best on")
