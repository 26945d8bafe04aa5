"""Whole runs with exact cuts: they join the bank, leave it, and a run that is taken up again has them."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.bitsets import pack
from heirwood.data.test_bank import FREE
from heirwood.evolve import State, evolve
from heirwood.settings import Payoff
from tests.lockstep.runs import population_of, prepare, run
from tests.lockstep.test_resume import hall_of, stories
from tests.lockstep.test_runs import SCHEMES
from tests.tables import make_problem, mixed_table

CLASSES = np.arange(3)
RULES, LOOP = SCHEMES["sharpened"]


def genes_alive(evolution):
    """Return the genes of population and hall."""
    hall = evolution.hall
    handles = [*evolution.handles, *hall.handles[hall.leaves]]
    return [evolution.backend.genes(int(handle))[0] for handle in handles]


def check_room(problem, seed, evolution):
    """Places are taken exactly by the cuts that trees ask, each has its bit row, and no two are the same question."""
    bank, values = problem.bank, mixed_table(seed).values
    taken = bank.n_tests + np.flatnonzero(bank.kinds[bank.n_tests :] != FREE)
    asked = np.unique(np.concatenate(genes_alive(evolution)))
    assert taken.tolist() == asked[asked >= bank.n_tests].tolist()
    for test in taken:
        column = values[:, bank.columns[test]]
        passed = (column <= bank.values[test]) | (np.isnan(column) & bank.missing_passes[test])
        assert bank.bits[test].tolist() == pack(passed).tolist()
    questions = [str(bank.question(int(test))) for test in [*range(bank.n_tests), *taken]]
    assert len(set(questions)) == len(questions)
    return len(taken)


@pytest.mark.parametrize("backend", BACKENDS)
def test_after_every_generation_the_bank_has_the_cuts_that_trees_ask_and_no_others(backend):
    problem = make_problem(5, **RULES)
    evolution = prepare(problem, backend, **LOOP)
    evolution.begin()

    numbers = [check_room(problem, 5, evolution)]
    for _ in range(12):
        evolution.step()
        numbers.append(check_room(problem, 5, evolution))

    assert numbers[0] == 0
    assert max(numbers) > 2


@pytest.mark.compiled
def test_a_long_run_with_few_places_goes_on():
    problem = make_problem(5, **{**RULES, "room": 3, "crossover_rate": 0.5})
    evolution = prepare(problem, population_size=30, steady=True, share=0.2, join_first=False, **LOOP)
    evolution.begin()

    numbers, questions = [], set()
    for _ in range(100):
        evolution.step()
        numbers.append(check_room(problem, 5, evolution))
        taken = np.flatnonzero(problem.bank.kinds[problem.bank.n_tests :] != FREE) + problem.bank.n_tests
        questions |= {str(problem.bank.question(int(test))) for test in taken}

    assert max(numbers) == 3
    assert len(questions) > 3  # places were used again


def test_a_run_may_use_the_bank_of_one_that_is_over():
    problem = make_problem(5, **RULES)

    first = run(problem, generations=10, **LOOP)
    assert (problem.bank.kinds[problem.bank.n_tests :] != FREE).any()  # it left cuts there

    assert run(problem, generations=10, **LOOP) == first


@pytest.mark.compiled
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_run_that_is_taken_up_on_a_new_bank_is_the_run_that_was_never_interrupted(backend):
    straight, told = prepare(make_problem(8, **RULES), backend, generations=14, **LOOP), []
    straight.begin()
    evolve(straight, 14, [told.append])
    old, new = make_problem(8, **RULES), make_problem(8, **RULES)
    first, events = prepare(old, backend, generations=14, **LOOP), []
    first.begin()
    evolve(first, 7, [events.append])
    state = State.of(first, old.bank, CLASSES, Payoff(), (0, 14))
    first.step()  # what comes after is no part of the state
    assert len(state.places[0])

    assert state.fits(new.bank, CLASSES, 40, new.rules)
    state.seat(new.bank, mixed_table(8))
    second = prepare(new, backend, generations=14, **LOOP)
    state.restore(second, new.rules)
    evolve(second, 7, [events.append], tell_first=False)

    assert stories(events) == stories(told)
    assert population_of(second) == population_of(straight)
    assert hall_of(second) == hall_of(straight)
