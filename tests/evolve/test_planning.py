"""From parameters to numbers: checked before anything is built."""

import os

import numpy as np
import pytest

from heirwood import Payoff, Succession
from heirwood.evolve.planning import (
    as_payoff,
    describe_payoff,
    find_seed,
    make_succession,
    n_threads,
    positive,
    share,
    whole,
)


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_a_whole_number_of_any_type_is_one(value):
    assert whole("n", value, 1) == 3
    assert type(whole("n", value, 1)) is int


@pytest.mark.parametrize("value", [0, True, 2.0, "2", None, np.nan])
def test_what_is_no_whole_number_is_named(value):
    with pytest.raises(ValueError, match=r"^n=.* is not valid; expected a whole number of at least 1$"):
        whole("n", value, 1)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5)])
def test_a_share_is_between_zero_and_one(value):
    assert share("s", value) == value


@pytest.mark.parametrize("value", [-0.1, 1.1, True, None, "x", float("nan")])
def test_what_is_no_share_is_named(value):
    with pytest.raises(ValueError, match=r"^s="):
        share("s", value)


@pytest.mark.parametrize("value", [0, -1, float("nan"), None, True])
def test_what_is_not_positive_is_named(value):
    with pytest.raises(ValueError, match=r"^t="):
        positive("t", value)


def test_threads_count_from_the_cores():
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()

    assert [n_threads(n_jobs) for n_jobs in (None, 1, 7, -1, -1000)] == [1, 1, 7, cores, 1]


def test_a_random_state_is_asked_for_its_seed():
    assert find_seed(np.random.RandomState(0)) == np.random.RandomState(0).randint(2**31 - 1)
    assert find_seed(np.int16(4)) == 4


def test_payoffs_come_as_names_functions_or_objects():
    given = Payoff("leaf_cost", cost=1.0)

    assert as_payoff(given) is given
    assert as_payoff("gatree") == Payoff("gatree")


def test_a_function_goes_by_its_name():
    def mine(trees):
        return trees.hits

    assert describe_payoff(mine) == "Payoff('mine')"
    assert describe_payoff(Payoff(mine, cost=(1, 2))) == "Payoff('mine', cost=(1, 2))"
    assert describe_payoff("gatree") == "Payoff('gatree')"


@pytest.mark.parametrize(
    ("settings", "n_children"),
    [
        (Succession(), 20),
        (Succession(kind="generational"), 19),
        (Succession(kind="generational", islands=1), 39),
        (Succession(kind="generational", elites=0, islands=1), 40),
        (Succession(kind="steady", share=0.25, islands=1), 10),
        (Succession(kind="steady", share=0.25, islands=4), 2),
        (Succession(kind="steady", share=0.0), 1),
        (Succession(kind="steady", share=1.0, islands=1), 40),
    ],
)
def test_how_many_children_an_island_has(settings, n_children):
    assert make_succession(settings, 40).n_children == n_children
