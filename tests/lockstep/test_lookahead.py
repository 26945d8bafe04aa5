"""Looking ahead: every score and every worth is the oracle's, and so are the trees that a scout builds."""

from itertools import product

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.backends.cpu import spans_and_heights
from heirwood.backends.lookahead import COLUMN
from heirwood.core.greedy import MOST_LEVELS
from heirwood.core.node_context import ENTROPY, ERRORS, GINI
from heirwood.evolve import scout
from heirwood.evolve.scout import Branch, Look, Scout, make_scout
from tests.lockstep.runs import population_of, prepare, run
from tests.tables import INFORMED_OPERATORS, make_problem

TABLE = {"majority": True, "n_rows": 60, "max_cuts": 9, "operators": INFORMED_OPERATORS}
WEIGHTS = np.random.default_rng(1).integers(1, 9, 1500)
COSTS = [[0, 1, 4], [2, 0, 1], [1, 3, 0]]
PLAIN = {**TABLE, "missing": 0.0, "n_rows": 150, "max_cuts": 255}  # of a column many cuts, of which some are looked at
TABLES = [
    TABLE,
    {**TABLE, "missing": 0.0, "n_classes": 2, "min_rows": 4},
    {**TABLE, "weights": WEIGHTS[:60]},
    {**TABLE, "costs": COSTS},
    {**TABLE, "max_cuts": 255, "max_depth": 3, "max_leaf_nodes": 8},
    {**TABLE, "max_depth": 30, "max_leaf_nodes": 5},
    PLAIN,
    {**PLAIN, "weights": WEIGHTS[:150]},
    {**PLAIN, "weights": 2**52 + WEIGHTS[:150]},
    {**PLAIN, "costs": COSTS},
    {**PLAIN, "max_depth": 4, "max_leaf_nodes": 16},  # every cut is looked at
    {**PLAIN, "n_rows": 256, "max_cuts": 40, "weights": WEIGHTS[:256]},  # by bit rows
]
COST = {"payoff": "leaf_cost", "parameters": {"cost": 0.02}, "population_size": 20, "generations": 5, "priced": True}


def lookaheads(problem, price=1.5):
    backends = [BACKENDS[name](problem) for name in ("cpu", "slow")]
    for backend in backends:
        backend.adapt(price=price)
    return [backend.lookahead() for backend in backends]


def some_ways(problem):
    """Return ways to places with rows, the root first."""
    tests = np.random.default_rng(3).permutation(problem.bank.n_tests)[:2].tolist()
    return [(), ((tests[0], True),), ((tests[0], False),), ((tests[0], False), (tests[1], True))]


@pytest.mark.parametrize("table", TABLES)
def test_scores_and_worths_are_those_of_the_oracle(table):
    problem = make_problem(5, **table)
    fast, slow = lookaheads(problem)
    n_worths = 0
    for way in some_ways(problem):
        assert fast.arrive(way) == slow.arrive(way)
        scores = fast.scores()
        assert scores.tolist() == slow.scores()
        levels = min(problem.rules.max_depth - len(way), int(MOST_LEVELS))
        tests = np.flatnonzero(scores >= 0)
        tests = tests[:: max(len(tests) // 3, 1)].tolist()
        for criterion, n_answers in product((GINI, ENTROPY), (2**22, 100)):
            asked = (tests, levels, criterion, n_answers)
            assert fast.worths(*asked) == slow.worths(*asked)
            n_worths += len(tests)
    assert n_worths > 20


COARSE = {**TABLE, "room": 9, "max_cuts": 3}
COARSE_TABLES = [
    COARSE,
    {**COARSE, "missing": 0.0, "max_cuts": 4, "min_rows": 5},
    {**COARSE, "weights": WEIGHTS[:60]},
    {**COARSE, "costs": COSTS},
    {**COARSE, "max_cuts": 2, "loss": "log_loss"},
]


@pytest.mark.parametrize("table", COARSE_TABLES)
def test_the_purest_cut_is_that_of_the_oracle(table):
    problem = make_problem(5, **table)
    fast, slow = lookaheads(problem)
    assert fast.n_exact == slow.n_exact == 2
    for way, criterion in product(some_ways(problem), (ERRORS, GINI, ENTROPY)):
        fast.arrive(way)
        slow.arrive(way)

        score, left, gap = fast.purest(criterion)

        assert (score, left, gap) == slow.purest(criterion)


@pytest.mark.parametrize("name", ["cpu", "slow"])
def test_no_cut_is_purest_where_none_leaves_enough_rows(name):
    problem = make_problem(5, **COARSE, min_rows=31)  # of 60
    lookahead = BACKENDS[name](problem).lookahead()
    lookahead.arrive(())

    assert lookahead.purest(GINI) is None


def test_columns_of_a_bank_without_places_have_no_purest_cut():
    for lookahead in lookaheads(make_problem(5, **TABLE)):
        lookahead.arrive(())
        assert lookahead.n_exact == 0
        assert lookahead.purest(GINI) is None


def test_of_a_large_table_only_the_tests_of_the_bank_are_looked_at(monkeypatch):
    monkeypatch.setattr("heirwood.backends.lookahead.MOST_CELLS", 2 * (60 + COLUMN) - 1)
    fast, _ = lookaheads(make_problem(5, **COARSE))
    fast.arrive(())

    assert fast.n_exact == 0
    assert fast.purest(GINI) is None


def test_columns_are_ranked_until_nobody_waits_any_more():
    """Of ten thousand columns that takes a second."""
    problem = make_problem(5, **COARSE)
    fast, _ = lookaheads(problem)
    fast.arrive(())
    answers = iter([False, True])

    assert fast.purest(GINI, lambda: next(answers)) is None
    assert (problem.bank.exact.n_values > 0).tolist() == [True, False]
    assert fast.purest(GINI) is not None


def test_a_test_is_worth_the_tree_that_grows_below_it():
    problem = make_problem(5, **TABLE)
    lookahead, _ = lookaheads(problem, price=0.25)
    backend = BACKENDS["cpu"](problem)
    _, hits, most = lookahead.arrive(())

    worths = [
        lookahead.worths([test], 9, GINI, 2**22)[0]
        for test in range(problem.bank.n_tests)
        if lookahead.scores()[test] >= 0
    ]

    assert hits < max(worths) < most
    stump = backend.record(backend.adopt([np.array([0, ~0, ~0], np.int32)]))
    assert lookahead.worths([0], 1, GINI, 2**22)[0] == max(float(stump.hits[0]) - 0.25, float(hits))


@pytest.mark.oracle
@pytest.mark.parametrize(("table", "islands"), [*((table, 1) for table in TABLES), (TABLES[0], 2)])
def test_both_backends_have_the_same_run_with_a_scout(table, islands, monkeypatch):
    monkeypatch.setattr(scout, "FIRST", 2**14)
    monkeypatch.setattr(scout, "STEP", 2**8)
    problem = make_problem(5, **table)
    # Every cut of every column is a lot to look at in plain Python.
    how = {**COST, "generations": 2} if table.get("max_cuts") == 255 else COST

    fast, slow = (run(problem, name, scouting=True, islands=islands, **how) for name in ("cpu", "slow"))

    assert fast == slow


def test_with_a_scout_a_run_starts_with_a_good_tree():
    problem = make_problem(5, **{**TABLE, "n_rows": 500})
    payoffs = {}
    for scouting in (False, True):
        evolution = prepare(problem, scouting=scouting, **COST)
        evolution.begin()
        evolution.seek()
        payoffs[scouting] = evolution.hall.payoffs[evolution.hall.best]

    assert payoffs[True] > payoffs[False] + 0.05


def built(problem, n, price, seed=0):
    """Return the first trees of a scout."""
    (lookahead, _) = lookaheads(problem, price)
    guide = make_scout(lookahead, problem.bank, problem.rules, 100, seed)
    trees = []
    for _ in range(2000):
        genes = guide.go_on(price)
        if genes is not None:
            trees.append(genes.tolist())
        if len(trees) == n:
            break
    return trees, guide


@pytest.mark.compiled
def test_a_wider_look_is_worth_no_less_until_all_is_seen():
    problem = make_problem(6, **{**TABLE, "n_rows": 300, "max_cuts": 30})
    trees, guide = built(problem, 4, 3.0)
    backend = BACKENDS["cpu"](problem)
    record = backend.record(backend.adopt([np.array(genes, np.int32) for genes in trees]))
    worths = record.hits - 3.0 * record.leaves

    assert worths[0] == worths.min()
    assert worths.max() > worths[0]
    assert guide.n_drawn == 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("limits", "looks"),
    [
        ({}, [(1, GINI), (4, GINI), (16, GINI), (16, ENTROPY), (64, GINI), (64, ENTROPY)]),
        ({"max_depth": 3, "max_leaf_nodes": 8}, [(1, GINI), (4, GINI), (16, GINI), (64, GINI)]),  # searched, not grown
    ],
)
def test_a_wide_look_is_taken_by_either_measure_of_purity(limits, looks):
    problem = make_problem(6, **{**TABLE, "missing": 0.0, **limits})
    backend = BACKENDS["cpu"](problem)
    backend.adapt(price=0.5)
    pairs = backend.pairs() if limits else None
    guide = Scout(backend.lookahead(), problem.bank, problem.rules, 2**40, 2**40, 0, pairs)
    taken = []
    while not guide.has_seen_all:
        guide.go_on(0.5)
        taken.append((guide.plans.width, guide.plans.criterion))

    assert taken == looks
    drawn = set()
    for _ in range(4):
        guide.go_on(0.5)
        drawn.add(guide.plans.criterion)
    assert drawn == {GINI, ENTROPY}


@pytest.mark.compiled
def test_what_tests_are_worth_with_pairs_below_them_is_remembered():
    problem = make_problem(6, **{**TABLE, "max_depth": 3, "max_leaf_nodes": 8})
    backend = BACKENDS["cpu"](problem)
    pairs = backend.pairs()
    guide = Scout(backend.lookahead(), problem.bank, problem.rules, 2**40, 2**40, 0, pairs)
    guide.go_on(0.5)
    tests = np.flatnonzero(np.asarray(backend.lookahead().scores()) >= 0).tolist()
    rows = problem.target.planes(True).everyone
    exact = []
    for test in tests:
        sides = (rows & problem.bank.bits[test], rows & ~problem.bank.bits[test])
        exact.append(sum(pairs.pair(side, 0.5)[0] for side in sides) - 0.5)
    look = Look((), Branch(0), 0, worth=float(np.median(exact)))

    found = [guide._worth_of_pairs(look, test, pairs) for test in tests]
    again = [guide._worth_of_pairs(look, test, None) for test in tests]

    assert again == found
    least = guide._least(look)
    assert [worth if worth > least else least for worth in exact] == [max(worth, least) for worth in found]
    assert [worth > least for worth in found] == [worth > least for worth in exact]
    look.worth = min(exact)
    assert [guide._worth_of_pairs(look, test, pairs) for test in tests] == [max(w, guide._least(look)) for w in exact]


@pytest.mark.compiled
def test_a_scout_that_forgets_what_pairs_are_worth_builds_the_same_trees(monkeypatch):
    problem = make_problem(6, **{**TABLE, "max_depth": 3, "max_leaf_nodes": 8})
    settings = {**COST, "payoff": "fewest_errors", "parameters": {}, "scouting": True, "generations": 30}
    remembered = run(problem, "cpu", **settings)

    monkeypatch.setattr(scout, "MOST_KNOWN", 1)

    assert run(problem, "cpu", **settings) == remembered


@pytest.mark.compiled
def test_all_is_seen_where_both_measures_say_so():
    problem = make_problem(6, **{**TABLE, "missing": 0.0})
    (lookahead, _) = lookaheads(problem, 0.5)
    guide = Scout(lookahead, problem.bank, problem.rules, 2**40, 2**40, 0)
    guide.plans.widths.append(256)  # a wider look is to come
    while (guide.plans.width, guide.plans.criterion) != (64, GINI):
        guide.go_on(0.5)
    assert guide.plans.is_complete

    guide.plans.is_complete = False  # had the first of the two left something out
    guide.go_on(0.5)

    assert (guide.plans.width, guide.plans.criterion) == (64, ENTROPY)
    assert not guide.has_seen_all


def test_a_scout_that_is_taken_up_again_where_less_may_grow_goes_on_with_what_is_drawn():
    problem = make_problem(6, **{**TABLE, "max_cuts": 4, "max_depth": 3, "max_leaf_nodes": 8})
    backend = BACKENDS["cpu"](problem)
    guide = Scout(backend.lookahead(), problem.bank, problem.rules, 2**40, 2**40, 0, backend.pairs())
    guide.plans.widths, guide.plans.width = [], 64  # and the second of the widest looks was still to come

    assert guide.go_on(0.5) is not None
    assert guide.n_drawn == 1


@pytest.mark.compiled
def test_later_trees_try_what_is_drawn_and_differ_by_seed():
    problem = make_problem(6, **TABLE)
    one, guide = built(problem, 9, 0.5, seed=1)
    again, _ = built(problem, 9, 0.5, seed=1)
    other, _ = built(problem, 9, 0.5, seed=2)

    assert guide.n_drawn > 0
    assert one == again
    assert one != other
    n_wide = 9 - guide.n_drawn
    assert one[:n_wide] == other[:n_wide]


@pytest.mark.parametrize("limits", [{"max_leaf_nodes": 4, "max_depth": 3}, {"max_depth": 2}, {"min_rows": 9}])
def test_what_a_scout_builds_holds_the_limits(limits):
    problem = make_problem(6, **{**TABLE, **limits})
    trees, _ = built(problem, 5, 0.1)
    backend = BACKENDS["cpu"](problem)
    handles = backend.adopt([np.array(genes, np.int32) for genes in trees])
    record = backend.record(handles)

    assert (record.leaves <= problem.rules.max_leaf_nodes).all()
    assert (record.depth <= problem.rules.max_depth).all()
    for handle in handles.tolist():
        genes, rows, _ = backend.genes(handle)
        assert (rows[genes < 0] >= problem.rules.min_rows).all()


@pytest.mark.parametrize("limits", [{"max_leaf_nodes": 1, "max_depth": 0}, {}])
def test_a_scout_has_nothing_to_do_where_nothing_may_grow_or_never_stops(limits):
    problem = make_problem(6, **{**TABLE, **limits})
    price = 0.0 if not limits else 1.0  # a leaf that costs nothing grows until all is pure

    trees, _ = built(problem, 1, price)

    assert trees == []


def test_a_tree_that_is_too_large_loses_what_gains_least():
    weak = Branch(10, 1, (Branch(6), Branch(5)))
    strong = Branch(20, 2, (Branch(15), Branch(15)))
    tree = Branch(25, 0, (weak, strong))

    assert tree.n_leaves == 4
    assert tree.keep_what_pays(1.0) == 38.0  # a split that gains what it costs goes

    assert tree.genes() == [0, ~0, 2, ~0, ~0]


def test_of_many_cuts_of_a_column_only_peaks_are_tried():
    problem = make_problem(6, **{**TABLE, "missing": 0.0, "n_rows": 400, "max_cuts": 60})
    assert problem.bank.n_tests > scout.FEW
    (lookahead, _) = lookaheads(problem)
    guide = Scout(lookahead, problem.bank, problem.rules, 1, 0, 0)
    lookahead.arrive(())
    scores = lookahead.scores()

    tests = np.array(guide._promising(scores, 1000))

    assert (np.diff(scores[tests]) <= 0).all()
    for test in tests.tolist():
        if problem.bank.kinds[test] == 0:
            same = [near for near in (test - 1, test + 1) if 0 <= near < len(scores)
                    and problem.bank.columns[near] == problem.bank.columns[test]]  # fmt: skip
            assert all(scores[test] >= scores[near] for near in same)


def test_few_tests_are_all_tried_but_those_that_mirror_another():
    problem = make_problem(6, **{**TABLE, "missing": 0.0, "max_cuts": 5})
    (lookahead, _) = lookaheads(problem)
    guide = Scout(lookahead, problem.bank, problem.rules, 1, 0, 0)
    lookahead.arrive(())
    scores = lookahead.scores()
    married = np.flatnonzero(problem.bank.columns == 3)  # of two levels: the second test says what the first does
    assert len(married) == 2
    assert scores[married[0]] == scores[married[1]]

    tests = guide._promising(scores, 64)

    assert sorted(tests) == sorted(set(np.flatnonzero(scores >= 0).tolist()) - {int(married[1])})


class Worthy:
    """A lookahead in which two tests are worth the same, but for rounding."""

    def __init__(self, lookahead, worths):
        self._lookahead, self._worths = lookahead, worths

    def arrive(self, way):
        n_rows, hits, _ = self._lookahead.arrive(way)
        return n_rows, hits, hits if way else n_rows  # nothing grows below the root

    def scores(self):
        return np.where(np.isin(np.arange(len(self._lookahead.scores())), list(self._worths)), 1.0, -1.0)

    def worths(self, tests, levels, criterion, n_answers):
        return [self._worths[test] for test in tests]


@pytest.mark.parametrize(
    ("worths", "purest", "least_pure"),
    [({0: 90.0, 1: 90.0 + 1e-9}, 0, 1), ({0: 90.0, 1: 91.0}, 1, 1), ({0: 91.0, 1: 90.0}, 0, 0)],
)
def test_of_tests_worth_the_same_the_purest_stays_and_in_every_other_drawn_tree_the_last(
    worths, purest, least_pure, monkeypatch
):
    monkeypatch.setattr(scout, "DRAWN_SHARES", (1.0,))
    problem = make_problem(6, **{**TABLE, "missing": 0.0, "max_cuts": 5})
    (lookahead, _) = lookaheads(problem)
    guide = Scout(Worthy(lookahead, worths), problem.bank, problem.rules, 2**40, 2**40, 1)

    roots = [int(guide.go_on(1.0)[0]) for _ in range(8)]

    n_wide = len(roots) - guide.n_drawn
    assert set(roots[1:n_wide]) == {purest}  # the first looks at one test only
    assert roots[n_wide::2] == [least_pure] * len(roots[n_wide::2])
    assert roots[n_wide + 1 :: 2] == [purest] * len(roots[n_wide + 1 :: 2])


@pytest.mark.compiled
def test_trees_are_the_same_however_many_tests_are_tried_at_a_time(monkeypatch):
    monkeypatch.setattr(scout, "STEP", 1)
    problem = make_problem(6, **TABLE)
    built = []
    for allowance in (2**40, 2**10):
        (lookahead, _) = lookaheads(problem, 0.5)
        guide = Scout(lookahead, problem.bank, problem.rules, allowance, allowance, 1)
        trees = []
        while len(trees) < 5:
            genes = guide.go_on(0.5)
            trees += [] if genes is None else [genes.tolist()]
        built.append(trees)

    assert built[0] == built[1]


@pytest.mark.compiled  # as plain Python it takes minutes
@pytest.mark.parametrize(("depth", "limits"), [(5, {"max_depth": 4, "max_leaf_nodes": 15}), (1, {"min_rows": 20})])
def test_what_was_begun_under_other_limits_is_not_taken_in(depth, limits, monkeypatch):
    monkeypatch.setattr(scout, "FIRST", 2**14)
    monkeypatch.setattr(scout, "STEP", 2**8)
    cheap = {**COST, "parameters": {"cost": 0.001}}
    problem = make_problem(6, **PLAIN)
    begun = prepare(problem, scouting=True, **cheap)
    begun.begin()
    begun.scout.plans.widths = [4]
    plans = begun.scout.plans
    while plans.look is None or plans.look.tests is None or len(plans.look.way) < depth:
        begun.scout.go_on(begun.price)

    tight = prepare(make_problem(6, **{**PLAIN, **limits}), scouting=True, **cheap)
    tight.begin()
    tight.scout.plans = plans
    rules = tight.backend.problem.rules
    for _ in range(12):
        tight.step()
        for genes, rows, _ in population_of(tight):
            assert spans_and_heights(np.array(genes))[1][0] <= rules.max_depth
            assert len(genes) == 1 or min(n for gene, n in zip(genes, rows, strict=True) if gene < 0) >= rules.min_rows
