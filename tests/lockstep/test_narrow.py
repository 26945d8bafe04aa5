"""A narrow scout: it tries the tests of the population alone, the same ones on both backends, and takes pauses."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.greedy import MOST_LEVELS
from heirwood.core.node_context import ENTROPY
from heirwood.evolve import State, beside, evolve, narrow, scout
from heirwood.evolve.narrow import NarrowScout, make_narrow_scout
from heirwood.evolve.pool import in_use
from heirwood.settings import Payoff
from tests.lockstep.runs import population_of, prepare, run
from tests.tables import INFORMED_OPERATORS, make_problem

TABLE = {"majority": True, "n_rows": 40, "max_cuts": 20, "operators": INFORMED_OPERATORS}
COST = {"payoff": "leaf_cost", "parameters": {"cost": 0.02}, "population_size": 20, "generations": 7, "priced": True}
TABLES = [
    TABLE,
    {**TABLE, "weights": np.random.default_rng(1).integers(1, 9, 40)},
    {**TABLE, "costs": [[0, 1, 4], [2, 0, 1], [1, 3, 0]]},
    {**TABLE, "n_classes": 2, "min_rows": 3, "missing": 0.0},
    {**TABLE, "room": 9, "max_cuts": 8, "operators": {**INFORMED_OPERATORS, "sharpen": 5.0}},
]


@pytest.fixture(autouse=True)
def few_tests(monkeypatch):
    """Let a small table have many tests, and a scout of few of them be done soon."""
    monkeypatch.setattr(narrow, "N_TESTS", 9)
    monkeypatch.setattr(narrow, "FEWEST_TESTS", 20)
    monkeypatch.setattr(narrow, "PAUSE", 1)
    monkeypatch.setattr(narrow, "FIRST", 2**17)
    monkeypatch.setattr(scout, "FIRST", 2**16)


def trees_of(*genes):
    return lambda: [np.array(row, np.int32) for row in genes]


def chain(*tests):
    """Return a tree with some tests, each below the one before."""
    return [gene for test in tests for gene in (test, -1)] + [-2]


@pytest.mark.parametrize("table", TABLES)
def test_a_narrowed_backend_sees_what_the_whole_one_sees_of_its_tests(table):
    problem = make_problem(5, **table)
    tests = np.array([11, 3, 17, 4])
    scores, worths = [], []
    for backend in (make(problem) for make in BACKENDS.values()):
        part = backend.narrowed(tests)
        part.adapt(price=1.5)
        looking, whole = part.lookahead(), backend.lookahead()
        assert looking.arrive(((1, True),)) == whole.arrive(((3, True),))
        assert looking.arrive(()) == whole.arrive(())
        scores.append(list(looking.scores()))
        assert scores[-1] == [whole.scores()[test] for test in tests]
        fit = [test for test, score in enumerate(scores[-1]) if score >= 0]
        worths.append(list(looking.worths(fit, int(MOST_LEVELS), int(ENTROPY), 2**20)))

    assert scores[0] == scores[1]
    assert worths[0] == worths[1]
    assert worths[0]


@pytest.mark.parametrize("table", [TABLES[0], *(pytest.param(table, marks=pytest.mark.oracle) for table in TABLES[1:])])
def test_both_backends_have_the_same_run(table, monkeypatch):
    problem = make_problem(4, **table)

    built = []
    go_on = NarrowScout.go_on
    monkeypatch.setattr(NarrowScout, "go_on", lambda *asked: built.append(go_on(*asked)) or built[-1])

    fast = run(problem, "cpu", scouting=True, **COST)
    n_built = sum(genes is not None for genes in built)
    slow = run(problem, "slow", scouting=True, **COST)

    assert fast == slow
    assert n_built > 0
    assert sum(genes is not None for genes in built) == 2 * n_built


def test_its_trees_ask_what_the_population_asks_and_no_exact_cuts():
    problem = make_problem(4, **{**TABLE, "room": 9})
    narrowly = NarrowScout(BACKENDS["cpu"](problem), 20, seed=3)
    n_fixed = problem.bank.n_tests
    asked = trees_of(chain(2, 8, 15), chain(8, n_fixed + 1, 30))
    built = [narrowly.go_on(1.0, 0.5, asked) for _ in range(40)]
    built = [genes for genes in built if genes is not None]

    assert built
    for genes in built:
        assert set(genes[genes >= 0].tolist()) <= {2, 8, 15, 30}
    assert max(len(genes) for genes in built) > 1


def test_of_many_tests_it_tries_the_commonest():
    problem = make_problem(4, **TABLE)
    narrowly = NarrowScout(BACKENDS["cpu"](problem), 20, seed=3)
    rows = [chain(*range(6)), chain(*range(3, 12)), chain(20, 21)]

    for _ in range(narrow.SOONEST):
        narrowly.go_on(1.0, 0.5, trees_of(*rows))

    assert narrowly.plans.tests.tolist() == in_use(trees_of(*rows)(), 9).tolist()
    assert len(narrowly.plans.tests) == 9
    assert {3, 4, 5} <= set(narrowly.plans.tests.tolist())


def rounds(scout, best, asked, generations):
    """Return in which generations other tests were chosen."""
    begun = []
    for generation in range(generations):
        was = scout.plans.building
        scout.go_on(1.0, best(generation), asked(generation))
        if scout.plans.building is not None and scout.plans.building is not was:
            begun.append(generation)
    return begun


def test_it_waits_for_other_tests_and_longer_where_its_trees_were_of_no_use(monkeypatch):
    monkeypatch.setattr(narrow, "FIRST", 2**40)  # a tree every generation
    backend = BACKENDS["cpu"](make_problem(4, **TABLE))
    others = lambda generation: trees_of(chain(generation % 30, (generation + 7) % 30))  # noqa: E731

    same = rounds(NarrowScout(backend, 20, 3), lambda g: g, lambda g: trees_of(chain(1, 2)), 60)
    better = rounds(NarrowScout(backend, 20, 3), lambda g: g, others, 60)
    in_vain = rounds(NarrowScout(backend, 20, 3), lambda g: 0.5, others, 60)

    assert len(same) == 1
    assert same[0] == better[0] == in_vain[0] == narrow.SOONEST - 1
    n_trees = better[1] - better[0] - narrow.PAUSE  # of one round
    assert set(np.diff(better)) == {n_trees + narrow.PAUSE}
    pauses = (np.diff(in_vain) - n_trees).tolist()
    assert pauses[:3] == [narrow.PAUSE, narrow.LONGER * narrow.PAUSE, narrow.LONGER**2 * narrow.PAUSE]


@pytest.mark.parametrize(
    "at", [1, pytest.param(3, marks=pytest.mark.compiled), pytest.param(5, marks=pytest.mark.compiled)]
)
def test_a_run_that_is_taken_up_again_has_the_same_one(at):
    problem = make_problem(4, **TABLE)
    straight = prepare(problem, scouting=True, **COST)
    straight.begin()
    evolve(straight, COST["generations"], [])
    first = prepare(problem, scouting=True, **COST)
    first.begin()
    evolve(first, at, [])
    state = State.of(first, problem.bank, np.arange(3), Payoff(), (0, COST["generations"]))

    second = prepare(problem, scouting=True, **COST)
    state.restore(second, problem.rules)
    evolve(second, COST["generations"] - at, [], tell_first=False)

    assert population_of(second) == population_of(straight)
    assert second.narrow_scout.plans.tests.tolist() == straight.narrow_scout.plans.tests.tolist()
    assert second.narrow_scout.plans.wait == straight.narrow_scout.plans.wait


def test_where_only_exact_cuts_are_asked_it_waits(monkeypatch):
    monkeypatch.setattr(narrow, "FIRST", 2**40)
    problem = make_problem(4, **{**TABLE, "room": 9})
    narrowly = NarrowScout(BACKENDS["cpu"](problem), 20, 3)
    exact = trees_of(chain(problem.bank.n_tests, problem.bank.n_tests + 1))

    assert rounds(narrowly, lambda g: g, lambda g: trees_of(chain(1, 2)) if g < 5 else exact, 30) == [2]
    assert rounds(narrowly, lambda g: g, lambda g: trees_of(chain(3, 4)), 10)


def test_there_is_none_where_tests_are_few_or_the_depth_ends_what_grows():
    assert make_narrow_scout(BACKENDS["cpu"](make_problem(4, **TABLE)), 20, 3) is not None
    assert make_narrow_scout(BACKENDS["cpu"](make_problem(4, **{**TABLE, "max_cuts": 1})), 20, 3) is None
    shallow = {**TABLE, "max_depth": 3, "max_leaf_nodes": 8}
    assert make_narrow_scout(BACKENDS["cpu"](make_problem(4, **shallow)), 20, 3) is None


def test_where_there_is_no_place_left_a_tree_is_not_taken_in(monkeypatch):
    problem = make_problem(4, **TABLE)
    evolution = prepare(problem, scouting=True, **{**COST, "population_size": 2})
    evolution.begin()
    leaf, stump = np.array([-1], np.int32), np.array([0, -1, -2], np.int32)
    found = [stump, leaf, leaf]
    monkeypatch.setattr(beside, "_scouted", lambda evolution, home, others: [(home, tree) for tree in found])

    evolution.seek()

    assert sorted(len(genes) for genes, _, _ in population_of(evolution)) == [1, 3]
