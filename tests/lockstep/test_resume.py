"""A run that was put away and taken up again is the run that was never interrupted."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.evolve import State, evolve
from heirwood.settings import Payoff
from tests.lockstep.runs import population_of, prepare
from tests.lockstep.test_runs import EVERY_QUICK_SCHEME, SCHEMES
from tests.tables import make_problem

CLASSES = np.arange(3)


def stories(events):
    """Generations as told, but for the best tree, which a resumed run tells anew."""
    return [
        {key: value for key, value in event.items() if key != "tree"}
        for event in events
        if event["event"] == "generation"
    ]


def hall_of(evolution):
    hall = evolution.hall
    genes = [[array.tolist() for array in evolution.backend.genes(int(hall.handles[n]))] for n in hall.leaves]
    return hall.leaves.tolist(), hall.payoffs[hall.leaves].tolist(), genes


def interrupted_run(problem, backend, loop, at, generations):
    """Evolve to generation `at`, keep the state, and go on in a new run of a new backend."""
    events = []
    first = prepare(problem, backend, generations=generations, **loop)
    first.begin()
    evolve(first, at, [events.append])
    state = State.of(first, problem.bank, CLASSES, Payoff(), (0, generations))
    second = prepare(problem, backend, generations=generations, **loop)
    state.restore(second, problem.rules)
    reason = evolve(second, generations - at, [events.append], tell_first=False)
    assert reason == "generations"
    return second, events


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("scheme", EVERY_QUICK_SCHEME)
def test_a_resumed_run_tells_the_same_story(scheme, backend):
    rules, loop = SCHEMES[scheme]
    problem = make_problem(8, **rules)
    straight, straight_events = prepare(problem, backend, generations=9, **loop), []
    straight.begin()
    evolve(straight, 9, [straight_events.append])

    resumed, resumed_events = interrupted_run(problem, backend, loop, 4, 9)

    assert stories(resumed_events) == stories(straight_events)
    assert population_of(resumed) == population_of(straight)
    assert hall_of(resumed) == hall_of(straight)
    assert resumed.ledger.tolist() == straight.ledger.tolist()
    assert resumed.n_children == straight.n_children


def test_a_state_fits_only_where_its_genes_mean_the_same():
    problem = make_problem(8)
    evolution = prepare(problem, population_size=10)
    evolution.begin()
    rules = problem.rules

    state = State.of(evolution, problem.bank, CLASSES, Payoff(), (0, 5))

    assert state.fits(make_problem(8).bank, CLASSES, 10, rules)
    assert not state.fits(make_problem(9).bank, CLASSES, 10, rules)
    assert not state.fits(problem.bank, CLASSES[:2], 10, rules)
    assert not state.fits(problem.bank, CLASSES, 11, rules)
    assert not state.fits(problem.bank, CLASSES, 10, rules._replace(max_leaf_nodes=1))
    assert not state.fits(problem.bank, CLASSES, 10, rules._replace(max_depth=0))


def test_a_state_is_not_restored_under_a_limit_its_trees_break():
    problem = make_problem(8)
    evolution = prepare(problem, population_size=10)
    evolution.begin()
    state = State.of(evolution, problem.bank, CLASSES, Payoff(), (0, 5))

    with pytest.raises(ValueError, match="min_samples_leaf"):
        state.restore(prepare(problem, population_size=10), problem.rules._replace(min_rows=80))


@pytest.mark.parametrize(
    ("stops", "reason", "told"),
    [
        ({}, "generations", 6),
        ({"interrupted": lambda: True}, "interrupted", 1),
        ({"out_of_time": lambda: True}, "time_limit", 2),  # something is bred
    ],
    ids=["generations", "interrupted", "time limit"],
)
def test_a_run_says_why_it_ended(stops, reason, told):
    events = []
    evolution = prepare(make_problem(8), population_size=10)
    evolution.begin()

    ended = evolve(evolution, 5, [events.append], **stops)

    assert ended == reason
    assert len(stories(events)) == told


@pytest.mark.parametrize("last", [0, 3])
def test_a_listener_that_answers_true_ends_the_run(last):
    evolution = prepare(make_problem(8), population_size=10)
    evolution.begin()

    ended = evolve(evolution, 5, [lambda event: event["generation"] == last])

    assert ended == "listener"
    assert evolution.generation == last
