"""One seed gives one run, whoever computes it; and every tree ever bred keeps the limits."""

import numpy as np
import pytest

import heirwood.run
from heirwood import Breeding, Encoding, EvolvedTreeClassifier, Payoff, Search, Selection, Succession
from heirwood.backends import BACKENDS
from heirwood.backends.cpu import spans_and_heights
from heirwood.journal import story
from heirwood.payoff import PAYOFFS
from tests.estimator.some_data import mixed, numbers, quick, same_trees

X, Y = numbers(n_rows=45)

SCHEMES = {
    "default": {},
    "weights": {"class_weight": {0: 3.0, 1: 1.0, 2: 0.5}},
    "x grows": {"leaf_cost": "auto", "payoff": Payoff("gatree", x=(100.0, 10_000.0)), "selection__method": "roulette"},
    "blind": EvolvedTreeClassifier.blind(population_size=24, generations=12, random_state=0).get_params(deep=False),
    "tight": {"max_leaf_nodes": 5, "max_depth": 3, "min_samples_leaf": 6, "breeding__mutations": 3},
    "paper": EvolvedTreeClassifier.gatree(population_size=24, generations=12, random_state=0).get_params(deep=False),
}
WAYS = {
    "again": {},
    "from scratch": {"engine__inherit": False},
    "slow": {"engine__backend": "slow"},
    "slow, from scratch": {"engine__backend": "slow", "engine__inherit": False},
    "two threads": {"n_jobs": 2},
    "three threads, from scratch": {"n_jobs": 3, "engine__inherit": False},
    "blocks of one word": {"engine__block_words": 1},
}


# With fewer cuts where the slow backend is asked, which tries every pair of tests.
FEW_CUTS = {"encoding__max_cuts": 9}


def journal_of(path, scheme, way, **changes):
    estimator = quick().set_params(**SCHEMES[scheme]).set_params(**WAYS[way], **changes, monitoring__journal=path)
    return estimator.fit(X, Y), story(path)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("way", [pytest.param(way, marks=pytest.mark.oracle if "slow" in way else ()) for way in WAYS])
def test_the_journal_depends_on_the_seed_alone(tmp_path, scheme, way):
    cuts = FEW_CUTS if "slow" in way else {}
    plain, told = journal_of(tmp_path / "plain.jsonl", scheme, "again", **cuts)

    other, also_told = journal_of(tmp_path / "other.jsonl", scheme, way, **cuts)

    assert sum('"event":"generation"' in line for line in told) == 13
    assert also_told == told
    assert same_trees(other, plain)
    assert other.savings_ == plain.savings_


def test_another_seed_tells_another_story(tmp_path):
    _, one = journal_of(tmp_path / "one.jsonl", "default", "again")

    quick(random_state=1).set_params(monitoring__journal=tmp_path / "two.jsonl").fit(X, Y)

    assert story(tmp_path / "two.jsonl") != one


def test_the_slow_backend_answers_as_the_fast_one_on_a_mixed_table():
    columns, y = mixed()
    rows = [list(row) for row in zip(*columns.values(), strict=True)]

    fast, slow = (
        quick(generations=20).set_params(engine__backend=name, **FEW_CUTS).fit(rows, y) for name in ("cpu", "slow")
    )

    assert same_trees(slow, fast)
    np.testing.assert_array_equal(slow.predict_proba(rows), fast.predict_proba(rows))


# ---- limits ----


class Inspected:
    """A backend that keeps the genes and rows of every tree that was ever bred, or that its loop took in."""

    def __init__(self, backend, seen):
        self._backend = backend
        self._seen = seen
        self._alive = set()  # handles of trees that were looked at

    def __getattr__(self, name):
        return getattr(self._backend, name)

    def refresh(self, children):
        spent = self._backend.refresh(children)
        self._see(children)
        return spent

    def keep(self, handles):
        self._backend.keep(handles)
        self._see(set(handles.tolist()) - self._alive)
        self._alive = set(handles.tolist())

    def _see(self, handles):
        self._seen.extend(self._backend.genes(int(handle))[:2] for handle in handles)
        self._alive.update(map(int, handles))


def every_tree(monkeypatch, estimator, table=(X, Y)):
    seen = []
    name = heirwood.run.setting(estimator, "engine").backend
    make = BACKENDS[name]
    monkeypatch.setitem(heirwood.run.BACKENDS, name, lambda problem: Inspected(make(problem), seen))
    estimator.fit(*table)
    return seen


LIMITS = [
    {"max_leaf_nodes": 1},
    {"max_leaf_nodes": 2},
    {"max_leaf_nodes": 5},
    {"max_depth": 0},
    {"max_depth": 1},
    {"max_depth": 2, "max_leaf_nodes": None},
    {"min_samples_leaf": 1},
    {"min_samples_leaf": 11},
    {"min_samples_leaf": 31},
    {"max_leaf_nodes": 6, "max_depth": 3, "min_samples_leaf": 5},
]


@pytest.mark.parametrize("backend", ["cpu", "slow"])
@pytest.mark.parametrize("labels", ["majority", "genes"])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_every_tree_ever_bred_keeps_the_limits(monkeypatch, limits, labels, backend):
    breeding = Breeding(labels=labels, mutations=2, mutation_rate=0.8)
    estimator = quick(breeding=breeding, payoff="gatree", **limits).set_params(engine__backend=backend)
    if backend == "slow":
        estimator.set_params(**FEW_CUTS)

    check_limits(every_tree(monkeypatch, estimator), limits)


@pytest.mark.parametrize("limits", LIMITS[2::3], ids=str)
def test_every_tree_ever_bred_keeps_the_limits_with_all_that_searches_beside(monkeypatch, limits):
    estimator = quick(generations=25, n_iter_no_change=None, succession=None, payoff="leaf_cost", **limits)

    check_limits(every_tree(monkeypatch, estimator), limits)


def check_limits(trees, limits):
    assert len(trees) >= 24 * 13
    for genes, rows in trees:
        leaves = (len(genes) + 1) // 2
        assert leaves <= (limits.get("max_leaf_nodes", 32) or 256)
        assert spans_and_heights(genes)[1][0] <= limits.get("max_depth", 256)
        assert leaves == 1 or rows[genes < 0].min() >= limits.get("min_samples_leaf", 1)


def test_the_limits_are_reached_not_just_kept():
    shallow = quick(max_depth=2, generations=60).fit(X, Y)
    small = quick(max_leaf_nodes=3, generations=60).fit(X, Y)

    assert shallow.get_depth() == 2
    assert small.get_n_leaves() == 3


def test_the_limit_of_rows_counts_rows_and_not_weight():
    estimator = quick(min_samples_leaf=10, generations=30).fit(X, Y, sample_weight=np.full(len(Y), 100.0))

    assert min(node.n_rows for entry in estimator.hall_ for node in entry.tree.nodes) >= 10


def test_every_tree_of_the_hall_keeps_the_limits():
    estimator = quick(max_leaf_nodes=6, max_depth=3, min_samples_leaf=5, generations=60).fit(X, Y)

    assert len(estimator.hall_) > 3
    for entry in estimator.hall_:
        assert entry.leaves <= 6
        assert entry.depth <= 3
        assert min(node.n_rows for node in entry.tree.nodes) >= 5


# ---- the paper's preset ----


def test_the_papers_preset_has_the_settings_its_docstring_says():
    estimator = EvolvedTreeClassifier.gatree()

    assert estimator.payoff == Payoff("gatree_nodes", x=10_000.0)
    assert estimator.breeding.get_params() == {
        "crossover_rate": 1.0,
        "mutation_rate": 0.5,
        "mutations": 1,
        "operators": None,
        "labels": "genes",
        "prune_root": False,
        "drawn_tests": 8,
        "adapt": False,
        "graft_rate": 0.0,
    }
    assert estimator.selection.get_params() == Selection(method="tournament", tournament_size=3, hall=0.0).get_params()
    rule = Succession(kind="steady", share=0.1, leave="after", distinct=False, islands=1)
    assert estimator.succession.get_params() == rule.get_params()
    assert estimator.search.get_params() == Search(optimum=False, lookahead=False).get_params()
    assert (estimator.population_size, estimator.generations, estimator.n_iter_no_change) == (400, 250, None)
    assert estimator.encoding.get_params() == Encoding(cuts="integers").get_params()
    assert estimator.max_leaf_nodes is None
    assert estimator.min_samples_leaf == 0


def test_the_papers_preset_takes_the_papers_variants_and_any_parameter():
    estimator = EvolvedTreeClassifier.gatree(
        mutation_rate=0.01, x=(10_000, 100_000), population_size=50, max_leaf_nodes=9
    )

    assert estimator.breeding.mutation_rate == 0.01
    assert estimator.payoff == Payoff("gatree_nodes", x=(10_000, 100_000))
    assert (estimator.population_size, estimator.max_leaf_nodes) == (50, 9)


def test_the_plain_genetic_search_has_the_settings_its_docstring_says():
    estimator = EvolvedTreeClassifier.blind()

    blind = {"node_change": 1.0, "node_prune": 1.0, "leaf_grow": 1.0}
    breeding = Breeding(crossover_rate=1.0, mutation_rate=0.5, operators=blind, adapt=False, graft_rate=0.0)
    succession = Succession(kind="generational", elites=1, distinct=False, islands=1)
    assert (estimator.population_size, estimator.generations, estimator.n_iter_no_change) == (400, 250, None)
    assert (estimator.payoff, estimator.max_leaf_nodes) == ("gatree", 16)
    assert estimator.breeding.get_params() == breeding.get_params()
    assert estimator.selection.get_params() == Selection(method="tournament", tournament_size=2, hall=0.0).get_params()
    assert estimator.succession.get_params() == succession.get_params()
    assert estimator.search.get_params() == Search(optimum=False, lookahead=False).get_params()
    assert (estimator.encoding, estimator.engine) == (None, None)


def test_the_plain_genetic_search_takes_any_parameter():
    estimator = EvolvedTreeClassifier.blind(population_size=50, payoff="leaf_cost", selection=None)

    assert (estimator.population_size, estimator.payoff, estimator.selection) == (50, "leaf_cost", None)


def test_the_papers_x_grows_over_the_run():
    seen = []

    def payoff(trees, *, x):
        seen.append(x)
        return PAYOFFS["gatree_nodes"](trees, x=x)

    estimator = EvolvedTreeClassifier.gatree(x=(10_000, 100_000), population_size=20, generations=9, random_state=0)
    estimator.set_params(payoff__name=payoff).fit(X * 10, Y)

    assert sorted(set(seen)) == [10_000 + 10_000 * step for step in range(10)]


def test_the_papers_mutations_never_prune_the_root(monkeypatch):
    estimator = EvolvedTreeClassifier.gatree(mutation_rate=1.0, population_size=24, generations=20, random_state=0)
    estimator.set_params(breeding__crossover_rate=0.0)

    trees = every_tree(monkeypatch, estimator, (X * 10, Y))

    assert min(len(genes) for genes, _ in trees) == 3


def test_where_the_root_may_be_pruned_it_is(monkeypatch):
    estimator = quick(breeding=Breeding(crossover_rate=0.0, mutation_rate=1.0, operators={"node_prune": 1.0}))

    trees = every_tree(monkeypatch, estimator)

    assert min(len(genes) for genes, _ in trees) == 1


def test_the_papers_preset_carries_labels_in_the_genes():
    rows, y = numbers()
    estimator = EvolvedTreeClassifier.gatree(population_size=24, generations=12, random_state=0).fit(rows * 10, y)

    leaves = [node for entry in estimator.hall_ for node in entry.tree.nodes if node.is_leaf]

    assert any(node.weights[node.label] < max(node.weights) for node in leaves)


def test_the_papers_preset_asks_for_integers_and_never_for_missing_values():
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X * 10)

    estimator = EvolvedTreeClassifier.gatree(population_size=40, generations=20, random_state=0).fit(holes, Y)

    questions = [node.question for entry in estimator.hall_ for node in entry.tree.nodes if node.question]
    assert len(questions) > 3
    assert all(question.kind == "<=" and float(question.value).is_integer() for question in questions)
    assert not any(question.missing_passes for question in questions)


def test_a_tenth_of_the_population_is_bred_in_each_generation_of_the_papers_preset():
    clock = []
    estimator = EvolvedTreeClassifier.gatree(population_size=100, generations=4, random_state=0)
    estimator.set_params(monitoring__listeners=[lambda event: clock.append(event.get("children"))])

    estimator.fit(X * 10, Y)

    assert [n for n in clock if n is not None] == [0, 10, 20, 30, 40]
