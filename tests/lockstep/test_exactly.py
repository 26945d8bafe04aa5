"""Runs with exact searches beside them are the same run on both backends, and better than without."""

import numpy as np
import pytest

from heirwood.backends import optimal_search as compiled
from heirwood.evolve import exactly, gather, polish, pool, quest
from tests.lockstep.runs import prepare, run
from tests.tables import INFORMED_OPERATORS, make_problem

BINS = {"majority": True, "n_rows": 40, "max_cuts": 3, "mutation_rate": 0.5}
COST = {"payoff": "leaf_cost", "parameters": {"cost": 0.02}, "population_size": 20, "generations": 12}


@pytest.fixture
def little_effort(monkeypatch):
    """Let searches stop often, and have no prospect soon, so that every kind has its turn."""
    monkeypatch.setattr(quest, "FIRST", 2000)
    monkeypatch.setattr(quest, "STEP", 3000)
    monkeypatch.setattr(quest, "STRIDE", 5000)
    monkeypatch.setattr(quest, "SHARE", 4000)
    monkeypatch.setattr(quest, "EARLY", 9000)
    monkeypatch.setattr(quest, "LONG", 6000)
    monkeypatch.setattr(quest, "MOST_EFFORT", 30_000)
    monkeypatch.setattr(polish, "EFFORT", 4000)
    monkeypatch.setattr(gather, "LEAST", 3000)
    monkeypatch.setattr(gather, "MOST", 9000)
    monkeypatch.setattr(pool, "EFFORT", 2000)
    monkeypatch.setattr(pool, "EVERY", 3)


@pytest.mark.parametrize(
    ("table", "settings"),
    [
        (BINS, COST),
        ({**BINS, "weights": 3 * np.random.default_rng(1).integers(1, 4, 40)}, COST),
        ({**BINS, "n_classes": 2, "missing": 0.0, "min_rows": 3}, {**COST, "islands": 2}),
        ({**BINS, "max_depth": 2, "max_leaf_nodes": 4}, {**COST, "payoff": "fewest_errors", "parameters": {}}),
        ({**BINS, "room": 9, "max_depth": 3, "max_leaf_nodes": 8, "operators": {"grow_best": 1.0, "sharpen": 3.0}},
         {**COST, "payoff": "fewest_errors", "parameters": {}, "generations": 6}),
        ({**BINS, "operators": INFORMED_OPERATORS}, {**COST, "priced": True, "generations": 6}),
        ({**BINS, "room": 9, "operators": {"grow_best": 1.0, "sharpen": 3.0}}, {**COST, "generations": 8}),
        ({**BINS, "operators": INFORMED_OPERATORS, "max_depth": 4, "max_leaf_nodes": 16},
         {**COST, "payoff": "fewest_errors", "parameters": {}, "generations": 6}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("most_tests", [quest.MOST_TESTS, 5])
@pytest.mark.usefixtures("little_effort")
def test_both_backends_are_offered_the_same_trees(table, settings, most_tests, monkeypatch):
    monkeypatch.setattr(exactly, "MOST_TESTS", most_tests)
    monkeypatch.setattr(exactly, "SPREAD_EFFORT", 500)
    problem = make_problem(4, **table)

    fast = run(problem, "cpu", exactly=True, **settings)
    slow = run(problem, "slow", exactly=True, **settings)

    assert fast == slow


@pytest.mark.compiled
def test_a_run_that_was_offered_the_best_tree_has_proven_it():
    problem = make_problem(4, **{**BINS, "n_rows": 24})
    evolution = prepare(problem, exactly=True, **COST)
    evolution.begin()
    evolution.exactly.quest.covers_all = True

    evolution.seek()

    search = evolution.backend.optimum(np.arange(problem.bank.n_tests), int(0.02 * 24 * 2**32), 19)
    search.go_on(2**60, -(2**62))
    best, famous = evolution.hall.best, evolution.hall.by_size
    assert evolution.exactly.is_proven
    assert 2**32 * int(famous.hits[best]) - int(0.02 * 24 * 2**32) * best == search.found


@pytest.mark.usefixtures("little_effort")
def test_a_search_without_prospect_ends_and_proves_nothing():
    evolution = prepare(make_problem(4, **{**BINS, "max_cuts": 9}), exactly=True, **COST)
    evolution.begin()
    for _ in range(20):
        evolution.step()

    assert evolution.exactly.quest.is_over
    assert not evolution.exactly.is_proven


@pytest.mark.usefixtures("little_effort")
def test_polishing_makes_parts_better_and_never_the_whole_worse():
    problem = make_problem(4, **{**BINS, "max_cuts": 9})
    evolution = prepare(problem, exactly=True, **COST)
    evolution.begin()
    for _ in range(12):
        evolution.step()
    handles, backend = evolution.handles, evolution.backend
    genes = [backend.genes(int(handle))[0] for handle in handles]

    better = [evolution.exactly.polish.polished(row, problem.bank.bits) for row in genes]

    improved = [place for place, tree in enumerate(better) if tree is not None]
    assert improved
    after = backend.record(backend.adopt([better[place] for place in improved]))
    before = backend.record(handles[improved])
    price = 0.02 * 40
    assert (after.hits - price * after.leaves > before.hits - price * before.leaves).all()


def test_without_memory_nothing_is_polished(monkeypatch):
    monkeypatch.setattr(compiled, "FIRST_ENTRIES", 2**3)
    monkeypatch.setattr(compiled, "MOST_ENTRIES", 2**3)
    problem = make_problem(4, **{**BINS, "max_cuts": 9})
    evolution = prepare(problem, exactly=True, **{**COST, "parameters": {"cost": 0.1}})
    evolution.begin()
    polishing = evolution.exactly.polish
    polishing._search.go_on(2**20, -(2**62))
    assert polishing._search.is_full

    better = [
        polishing.polished(evolution.backend.genes(int(handle))[0], problem.bank.bits) for handle in evolution.handles
    ]

    assert better == [None] * len(evolution.handles)


@pytest.mark.parametrize(("n_words", "every"), [(18, 25), (256, 25), (400, 16), (2000, 12)])
def test_the_tests_of_a_population_are_searched_more_often_where_generations_take_longer(n_words, every):
    searched = pool.Pool(quest.TRACE, 3, n_words)

    assert [generation for generation in range(60) if searched.is_due(generation)] == list(range(every, 60, every))


class Polishing:
    """Notes when it is asked."""

    n_asked = 0

    def improve(self, payoffs, handles, backend):
        self.n_asked += 1
        return []


@pytest.mark.parametrize("covers_all", [False, True])
def test_polishing_waits_for_the_search_unless_that_takes_long(covers_all):
    evolution = prepare(make_problem(4, **{**BINS, "max_cuts": 9}), exactly=True, **COST)
    evolution.begin()
    evolution.exactly.polish = polishing = Polishing()
    seeking = evolution.exactly.quest
    seeking.covers_all = covers_all
    seeking.is_over = False
    seeking._search = Nearing()
    seeking._spent = quest.LONG - 1
    seeking.go_on = lambda hits, leaves: None
    evolution.step()
    assert polishing.n_asked == 0

    seeking._spent = quest.LONG
    evolution.step()
    assert polishing.n_asked == 1

    seeking._search.n_closed = 1  # on its way now
    evolution.step()
    assert polishing.n_asked == 1

    seeking.is_over = True
    evolution.step()
    assert polishing.n_asked == 2


@pytest.mark.compiled
def test_polishing_beside_a_search_leaves_it_its_way(monkeypatch):
    monkeypatch.setattr(quest, "LONG", 0)
    monkeypatch.setattr(quest, "SHARE", 2**12)
    monkeypatch.setattr(quest, "STEP", 2**10)
    problem = make_problem(4, **BINS)
    evolution = prepare(problem, exactly=True, **COST)
    evolution.begin()
    seeking, n_polished = evolution.exactly.quest, 0
    while not seeking.is_over:
        n_polished += seeking.takes_long
        evolution.step()

    search = evolution.backend.optimum(np.arange(problem.bank.n_tests), int(0.02 * 40 * 2**32), 19)
    search.go_on(2**60, -(2**62))
    assert n_polished > 0
    assert evolution.exactly.polish._polished
    assert evolution.exactly.polish._search is not seeking._search  # which would begin with other rows
    best, famous = evolution.hall.best, evolution.hall.by_size
    assert 2**32 * int(famous.hits[best]) - int(0.02 * 40 * 2**32) * best == search.found


def test_tests_are_spread_over_the_columns():
    first = np.array([0, 10, 12, 112])

    chosen = pool.spread(first, 20)

    assert len(chosen) <= 20
    owners = np.searchsorted(first, chosen, side="right") - 1
    assert np.bincount(owners).tolist() == [9, 2, 9]
    assert set(chosen) <= set(range(112))


def test_the_tests_of_a_population_are_those_that_most_trees_ask():
    trees = [
        np.array([3, -1, 5, -1, -2]),
        np.array([5, -1, -2]),
        np.array([9, 5, -1, -1, -2]),
        np.array([3, 3, -1, -1, -1]),
    ]

    assert pool.in_use(trees, 2).tolist() == [3, 5]
    assert pool.in_use(trees, 10).tolist() == [3, 5, 9]


@pytest.mark.parametrize(
    ("payoff", "limits", "price"),
    [
        ("leaf_cost", (32, 31), int(0.01 * 200 * 2**32)),
        ("fewest_errors", (8, 3), quest.TRACE),
        ("fewest_errors", (7, 3), None),  # leaves are the tighter limit
        ("gatree", (8, 3), None),
        (lambda trees: trees.hits, (8, 3), None),
    ],
)
def test_payoffs_that_can_be_searched_for_exactly(payoff, limits, price):
    assert quest.price_in_parts(payoff, {}, 200, *limits) == price


class Nearing:
    """A search that has done with one more test at the root each time it goes on."""

    n_tests, n_closed, found = 6, 0, -(2**62)
    is_done = is_full = False

    def __init__(self):
        self.efforts = []

    def go_on(self, effort, need):
        self.efforts.append(effort)
        self.n_closed += 1
        return effort


@pytest.mark.parametrize(("n_tests", "steps"), [(16, 4), (32, 4), (33, 1), (400, 1)])
def test_nobody_waits_for_the_first_words_and_few_tests_get_more_of_them(n_tests, steps):
    search = Nearing()
    search.n_tests = n_tests
    search.go_on = lambda effort, need: search.efforts.append(effort) or effort  # no test is ever done with
    nearing = quest.Quest(search, 1, 8, covers_all=True)
    while sum(search.efforts) < quest.EARLY:
        nearing.go_on(0, 1)
    n_early = len(search.efforts)
    while not nearing.is_over:
        nearing.go_on(0, 1)

    assert search.efforts[0] == quest.FIRST
    assert set(search.efforts[1:n_early]) == {max(quest.SHARE, steps * quest.STEP)}
    assert set(search.efforts[n_early:-1]) <= {steps * quest.STEP}
    assert sum(search.efforts) == quest.MOST_EFFORT // n_tests + 1  # and no more than it has a prospect for


def test_a_search_gets_more_of_the_time_the_nearer_it_is_to_its_end():
    search = Nearing()
    nearing = quest.Quest(search, 1, 8, covers_all=True)
    assert not nearing.is_under_way
    for _ in range(5):
        nearing.go_on(0, 1)

    least = quest.STEPS * quest.STEP
    assert search.efforts == [quest.FIRST, *(max(quest.STRIDE << done, least) for done in (1, 2, 3, 4))]
    assert nearing.is_under_way


@pytest.mark.compiled
def test_trees_that_try_what_is_drawn_wait_while_a_proof_is_under_way(monkeypatch):
    operators = {"grow_best": 1.0}
    evolution = prepare(make_problem(4, **BINS, operators=operators), exactly=True, scouting=True, priced=True, **COST)
    evolution.begin()
    evolution.scout.plans.has_seen_all = True
    for is_under_way, n_drawn in ((True, 0), (False, 1)):
        monkeypatch.setattr(quest.Quest, "is_under_way", is_under_way)
        evolution.seek()
        assert evolution.scout.n_drawn == n_drawn
