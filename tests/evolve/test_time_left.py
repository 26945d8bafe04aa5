"""The time left that is shown: by the limit, or by all generations or those without a better tree."""

import math
from types import SimpleNamespace

import pytest

from heirwood.evolve import evolve
from tests.lockstep.runs import prepare
from tests.tables import make_problem

SECOND = 1.0  # that a generation takes here


@pytest.fixture
def shown(monkeypatch):
    """Return the clock, which every generation moves on."""
    clock = [0.0]
    monkeypatch.setattr("heirwood.evolve.loop.time", SimpleNamespace(perf_counter=lambda: clock[0]))
    return clock


def left_of(shown, generations=30, limit=math.inf, **how):
    """Run; return the seconds that were said to be left, by generation, and why the run ended."""
    evolution = prepare(make_problem(3, majority=True), payoff="leaf_cost", parameters={"cost": 0.02})
    evolution.begin()
    left, improved = [], []
    step = evolution.step

    def slow_step():
        shown[0] += SECOND
        return step()

    evolution.step = slow_step

    def hear(event):
        if event["event"] == "clock":
            left.append(event.get("left"))
            improved.append(evolution.improved)

    reason = evolve(
        evolution,
        generations,
        [hear],
        seconds_left=lambda: limit - shown[0],
        out_of_time=lambda: shown[0] > limit,
        **how,
    )
    return left, improved, reason


def test_without_any_other_end_it_is_the_generations_at_their_pace(shown):
    left, _, reason = left_of(shown, generations=12)

    assert reason == "generations"
    assert left == [None, *range(11, -1, -1)]


def test_a_limit_that_comes_first_is_what_is_left(shown):
    left, _, reason = left_of(shown, generations=1_000, limit=6.5)

    assert reason == "time_limit"
    assert left == [6.5 - generation for generation in range(7)] + [0.0]


def test_a_limit_that_comes_later_is_not(shown):
    left, _, _ = left_of(shown, generations=5, limit=100.0)

    assert left == [100.0, 4, 3, 2, 1, 0]


def test_a_lack_of_better_trees_that_comes_first_is_what_is_left_if_nothing_better_is_found(shown):
    left, improved, reason = left_of(shown, generations=1_000, n_iter_no_change=7)

    assert reason == "no_change"
    assert len(set(improved)) > 1  # something better was found on the way
    assert left[1:] == [improved[n] + 7 - n for n in range(1, len(left))]
    assert left[-1] == 0


def test_of_all_three_it_is_the_least(shown):
    left, improved, _ = left_of(shown, generations=20, limit=15.5, n_iter_no_change=7)

    for n in range(1, len(left)):
        assert left[n] == max(min(20 - n, 15.5 - n, improved[n] + 7 - n), 0)
