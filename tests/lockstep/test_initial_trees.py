"""Runs with seeds are the same run on every backend, also where seeds ask what the bank does not draw."""

from dataclasses import replace

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.data.cut_slots import make_cut_slots
from heirwood.data.extra_tests import more_tests
from heirwood.data.test_plan import AT_MOST
from heirwood.evolve import State, evolve
from heirwood.settings import Payoff
from tests.lockstep.runs import population_of, prepare
from tests.lockstep.test_runs import EVERY_QUICK_SCHEME, SCHEMES
from tests.tables import make_problem, mixed_table

SEED = 8
CUTS = (-0.25, 0.125, 0.775)


def problem_with_more(**rules):
    """Return a problem whose bank has cuts that are never drawn, and seeds that ask for them."""
    room, table = rules.pop("room", 0), mixed_table(SEED)
    problem = make_problem(SEED, **rules)
    bank = more_tests(problem.bank, table, [0] * 3, [AT_MOST] * 3, CUTS, [False, True, False])
    bank = make_cut_slots(bank, table, at_least=room)
    first, second, third = range(bank.n_tests - 3, bank.n_tests)
    seeds = [[first, ~0, third, ~1, ~(problem.rules.n_classes - 1)], [second, ~1, ~0], [~0]]
    return replace(problem, bank=bank), [np.array(genes, np.int32) for genes in seeds]


def run(problem, seeds, backend, loop, **how):
    events = []
    evolution = prepare(replace(problem, **how), backend, generations=6, **loop)
    evolution.begin(seeds)
    evolve(evolution, 6, [events.append])
    told = [event for event in events if event["event"] == "generation"]
    return told, population_of(evolution), evolution.ledger.tolist()


@pytest.mark.parametrize("scheme", EVERY_QUICK_SCHEME)
def test_the_slow_run_is_the_fast_run(scheme):
    rules, loop = SCHEMES[scheme]
    problem, seeds = problem_with_more(**{**rules, "min_rows": 1})

    fast = run(problem, seeds, "cpu", loop)

    assert run(problem, seeds, "slow", loop) == fast
    assert run(problem, seeds, "cpu", loop, inherit=False) == fast


def test_what_seeds_ask_lives_on_in_what_is_bred():
    problem, seeds = problem_with_more(majority=True)

    _, population, _ = run(problem, seeds, "cpu", {})

    assert max(gene for genes, _, _ in population for gene in genes) >= problem.bank.first[-1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_seeds_take_the_first_places_and_the_others_are_planted_as_ever(backend):
    problem, seeds = problem_with_more(majority=True)
    seeded, plain = (prepare(problem, backend, population_size=10) for _ in range(2))

    seeded.begin(seeds)
    plain.begin()

    assert [genes for genes, _, _ in population_of(seeded)][:3] != [genes for genes, _, _ in population_of(plain)][:3]
    assert [genes[0] for genes, _, _ in population_of(seeded)][:2] == [seeds[0][0], seeds[1][0]]
    assert population_of(seeded)[3:] == population_of(plain)[3:]


@pytest.mark.parametrize("backend", BACKENDS)
def test_seeds_may_fill_the_whole_population(backend):
    problem, seeds = problem_with_more(majority=True)
    evolution = prepare(problem, backend, population_size=3)

    evolution.begin(seeds)

    assert [len(genes) for genes, _, _ in population_of(evolution)] == [5, 3, 1]
    assert evolution.hall.leaves.tolist() == [1, 2, 3]


def test_a_state_knows_the_questions_that_joined():
    problem, seeds = problem_with_more(majority=True)
    evolution = prepare(problem, population_size=10)
    evolution.begin(seeds)
    drawn = make_problem(SEED).bank

    state = State.of(evolution, problem.bank, np.arange(3), Payoff(), (0, 5))

    assert not state.fits(drawn, np.arange(3), 10, problem.rules)
    assert state.fits(state.asked_of(drawn, mixed_table(SEED)), np.arange(3), 10, problem.rules)
    assert not state.fits(
        state.asked_of(make_problem(SEED + 1).bank, mixed_table(SEED + 1)), np.arange(3), 10, problem.rules
    )
