"""Gathering: the best tree over the commonest tests of good trees, with as many of them as there is effort for."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.core.optimal.search_frame import HIT
from heirwood.evolve import exactly, gather, narrow
from heirwood.evolve.gather import Gathering
from heirwood.evolve.pool import in_use
from tests.lockstep.runs import prepare
from tests.tables import INFORMED_OPERATORS, make_problem

TABLE = {"majority": True, "n_rows": 40, "max_cuts": 4}
PRICE = int(0.02 * 40 * HIT)
TREES = [np.array([gene for test in tests for gene in (test, -1)] + [-2], np.int32)
         for tests in ((3, 9, 1), (9, 4), (9, 3, 12), (15, 7), (7, 3))]  # fmt: skip


class Counted:
    """A backend that notes which tests are searched."""

    def __init__(self, backend):
        self._backend = backend
        self.problem = backend.problem
        self.searched = []

    def optimum(self, tests, price, levels):
        """Return the backend's search."""
        self.searched.append(tests.tolist())
        return self._backend.optimum(tests, price, levels)


@pytest.fixture(params=BACKENDS)
def backend(request):
    """Return a backend of either kind that counts."""
    return Counted(BACKENDS[request.param](make_problem(4, **TABLE)))


def due(gathering, most=10_000):
    """Wait until it is; return for how many generations."""
    return next(n for n in range(1, most) if gathering.is_due(n))


def test_it_finds_the_best_tree_over_the_tests_of_the_trees(backend):
    gathering = Gathering(PRICE, 19, 20, 0, gather.LEAST)
    due(gathering)

    genes = gathering.best_tree(TREES, backend, 0, 1)

    search = backend.optimum(in_use(TREES, 16), PRICE, 19)
    search.go_on(2**60, -PRICE)
    assert backend.searched[0] == [1, 3, 4, 7, 9, 12, 15]
    assert genes.tolist() == list(search.genes())
    assert len(genes) > 1


def test_nothing_that_is_no_better_is_offered(backend):
    search = backend.optimum(in_use(TREES, 16), PRICE, 19)
    search.go_on(2**60, -PRICE)
    genes = np.asarray(search.genes())
    leaves = (len(genes) + 1) // 2
    hits = (search.found + leaves * PRICE) // int(HIT)

    as_good, worse = (Gathering(PRICE, 19, 20, 0, gather.LEAST) for _ in range(2))
    due(as_good)
    due(worse)

    assert as_good.best_tree(TREES, backend, hits, leaves) is None
    assert worse.best_tree(TREES, backend, hits - 1, leaves).tolist() == genes.tolist()


def test_every_other_time_the_tests_are_those_of_the_best_trees(backend, monkeypatch):
    monkeypatch.setattr(gather, "BEST", 2)
    gathering = Gathering(PRICE, 19, 20, 0, gather.LEAST)
    for _ in range(2):
        due(gathering)
        gathering.best_tree(TREES, backend, 0, 1)

    assert backend.searched == [[1, 3, 4, 7, 9, 12, 15], [1, 3, 4, 9]]


def test_tests_whose_best_tree_is_known_are_not_searched_again(backend, monkeypatch):
    monkeypatch.setattr(gather, "BEST", len(TREES))
    gathering = Gathering(PRICE, 19, 20, 0, gather.LEAST)
    for _ in range(4):
        due(gathering)
        gathering.best_tree(TREES, backend, 39, 5)

    assert len(backend.searched) == 1


def test_where_searches_end_more_tests_are_gathered_and_where_not_fewer(backend, monkeypatch):
    trees = [np.array([test, -1, -2], np.int32) for test in range(20)]
    monkeypatch.setattr(gather, "BEST", len(trees))
    gathering = Gathering(PRICE, 19, 20, 0, gather.LEAST)
    for _ in range(3):
        due(gathering)
        gathering.best_tree(trees, backend, 39, 5)
    assert [len(tests) for tests in backend.searched] == [16, 17, 19]

    monkeypatch.setattr(gather, "LEAST", 2000)
    poor = Gathering(PRICE, 19, 20, 0, 2000)
    backend.searched.clear()
    for _ in range(3):
        due(poor)
        poor.best_tree(trees, backend, 0, 1)
    assert [len(tests) for tests in backend.searched] == [16, 14, 12]


def test_where_the_trees_ask_fewer_tests_than_wanted_the_number_stays(backend):
    gathering = Gathering(PRICE, 19, 20, 0, gather.LEAST)
    due(gathering)
    gathering.best_tree(TREES, backend, 39, 5)

    assert gathering._n_tests == gather.FIRST_TESTS


def test_a_tree_with_too_many_leaves_is_found_in_vain(backend):
    free, tight = (Gathering(PRICE // 8, 19, most, 0, gather.LEAST) for most in (20, 2))
    due(free)
    due(tight)

    assert len(free.best_tree(TREES, backend, 0, 1)) > 3
    assert tight.best_tree(TREES, backend, 0, 1) is None
    assert (free._n_vain, tight._n_vain) == (0, 1)


def test_to_learn_of_many_rows_is_paid_for_too(backend):
    light, heavy = (Gathering(PRICE, 19, 20, n_rows, gather.LEAST) for n_rows in (0, 10**5))
    for gathering in (light, heavy):
        due(gathering)
        gathering.best_tree(TREES, backend, 39, 5)

    assert light._credit - heavy._credit == 10**5 * gather.SETUP
    assert heavy._needed > light._needed


def test_what_a_search_takes_is_saved_up_before_and_less_where_it_was_in_vain_often(backend):
    gathering = Gathering(PRICE, 19, 20, 0, gather.LEAST // 4)
    assert due(gathering) == 4
    for _ in range(2 * gather.FAILURES):
        gathering._credit = 0
        gathering.best_tree(TREES, backend, 39, 5)  # no better tree, and after the first time none is searched for

    assert gathering._wait == 1 + gather.LONGEST_PAUSE
    assert due(gathering) == 4 * 2**2


def test_it_goes_on_beside_a_search_of_many_tests_but_not_of_few(monkeypatch):
    cost = {"payoff": "leaf_cost", "parameters": {"cost": 0.02}, "population_size": 20, "generations": 12}
    evolution = prepare(make_problem(4, **TABLE, mutation_rate=0.5), "slow", exactly=True, **cost)
    evolution.begin()
    beside = evolution.exactly
    asked = []
    beside.quest.covers_all = True
    monkeypatch.setattr(beside.gathering, "is_due", asked.append)
    monkeypatch.setattr("heirwood.evolve.quest.STEP", 1)
    monkeypatch.setattr("heirwood.evolve.quest.STRIDE", 1)
    monkeypatch.setattr("heirwood.evolve.quest.STEPS", 1)
    monkeypatch.setattr("heirwood.evolve.quest.SHARE", 1)
    monkeypatch.setattr("heirwood.evolve.quest.FIRST", 1)

    evolution.step()
    assert not asked  # of so few tests the end is near
    monkeypatch.setattr("heirwood.evolve.quest.FEW", 5)
    evolution.step()
    assert asked == [2]
    beside.quest._search.n_closed = 1
    evolution.step()
    assert asked == [2]
    assert not beside.quest.is_over


def test_it_has_more_of_the_time_where_no_narrow_scout_has_it(monkeypatch):
    problem = make_problem(4, **TABLE, operators=INFORMED_OPERATORS)
    cost = {"payoff": "leaf_cost", "parameters": {"cost": 0.02}, "population_size": 20, "priced": True}
    alone = prepare(problem, exactly=True, scouting=True, **cost).exactly.gathering
    monkeypatch.setattr(narrow, "FEWEST_TESTS", problem.bank.n_tests)
    beside = prepare(problem, exactly=True, scouting=True, **cost).exactly.gathering

    assert alone._allowance * exactly.GATHERED == beside._allowance * exactly.MORE_GATHERED
    assert alone._allowance > beside._allowance
