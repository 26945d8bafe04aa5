"""A limited run is the unlimited one, cut; and where not all tests can be made in time, it has fewer and breeds."""

import signal
import warnings
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, Monitoring, Payoff, fitting
from heirwood import run as runs
from heirwood.backends import BACKENDS
from heirwood.data import make_bank, read_table
from heirwood.data import test_bits as bank_answers
from heirwood.data import test_plan as bank_plan
from heirwood.data import test_scope as bank_scope
from heirwood.evolve import Evolution
from tests.busy import fewest_seconds, tries
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=300)
begin = Evolution.begin
RUNS = {
    "cost per leaf": {"payoff": Payoff("leaf_cost", cost=0.01)},
    "gatree": {"payoff": "gatree"},
    "seeds by CART": {"payoff": Payoff("leaf_cost", cost=0.005), "initial_trees": "cart"},
    "depth": {"payoff": "fewest_errors", "max_depth": 3},
    "many leaves": {"payoff": "fewest_errors", "max_leaf_nodes": 40},
    "two threads": {"payoff": Payoff("leaf_cost", cost=0.01), "n_jobs": 2},
}


def told(**given):
    """Return a fit and what it told, clocks and the end aside."""
    events = []
    tree = EvolvedTreeClassifier(
        population_size=40,
        generations=30,
        n_iter_no_change=None,
        random_state=1,
        monitoring=Monitoring(listeners=[events.append]),
    )
    tree.set_params(**given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree.fit(X, Y)
    return tree, [event for event in events if event["event"] not in ("clock", "end")]


@pytest.mark.parametrize("given", RUNS.values(), ids=RUNS)
def test_a_limited_run_is_the_unlimited_one_cut(given, hands):
    whole, all_events = told(**given)

    for limit in (0.005, 0.205):
        cut, events = told(**given, time_limit=limit)

        assert cut.stop_reason_ in ("time_limit", whole.stop_reason_)
        assert 0 < cut.n_generations_ <= whole.n_generations_
        assert events == all_events[: len(events)]


def test_a_default_run_is_so_where_the_noise_could_be_measured(hands, recwarn):
    """Ten generations of a short run take a tenth of a second here, and it has a quarter of the limit."""
    whole, all_events = told(generations=80)

    cut, events = told(generations=80, time_limit=0.505)

    assert 0 < len(events) < len(all_events)
    assert events == all_events[: len(events)]
    assert cut.leaf_cost_ == whole.leaf_cost_


@pytest.mark.parametrize("limit", [0.205, 0.045])
def test_where_the_noise_could_not_be_measured_a_warning_says_so(hands, limit):
    with pytest.warns(UserWarning, match=r"too short to measure the noise in the classes: leaf_cost_=0\.\d+") as said:
        tree = EvolvedTreeClassifier(population_size=40, generations=30, random_state=1, time_limit=limit).fit(X, Y)

    assert len(said) == 1
    assert f"leaf_cost_={tree.leaf_cost_:g}, which" in str(said[0].message)


def test_what_was_asked_needs_no_measure(hands, recwarn):
    quick(leaf_cost=0.01, time_limit=0.105).fit(X, Y)
    quick(payoff="log_loss", leaf_cost="auto", time_limit=0.105).fit(X, Y)  # whose cost goes by the rows alone

    assert not [each for each in recwarn if "noise" in str(each.message)]


def test_a_search_that_takes_long_to_be_set_up_is_the_same_within_a_limit(hands, monkeypatch):
    monkeypatch.setattr("heirwood.evolve.exactly.ROWS_A_SECOND", 1.0)  # it would take 300 s

    _, all_events = told(payoff=Payoff("leaf_cost", cost=0.01))
    _, events = told(payoff=Payoff("leaf_cost", cost=0.01), time_limit=0.1)

    assert events == all_events[: len(events)]


def test_what_takes_too_long_before_the_first_generation_is_given_up_and_the_run_ends(hands, monkeypatch):
    """Then there is a tree all the same, of the first ones."""

    def dawdle(*_, **__):
        hands[0] += 0.35
        return []

    monkeypatch.setattr("heirwood.evolve.loop.offers_of", dawdle)
    with pytest.warns(UserWarning, match="before a generation was bred"):
        tree = quick(payoff=Payoff("leaf_cost", cost=0.01), time_limit=0.2).fit(X, Y)

    assert (tree.stop_reason_, tree.n_generations_) == ("time_limit", 0)
    assert tree.predict(X).shape == Y.shape


@pytest.mark.parametrize(
    ("seconds", "is_large", "goes_on"), [(0.6, True, True), (0.7, True, False), (0.7, False, True)]
)
def test_a_large_table_whose_tests_left_no_time_gets_no_run(seconds, is_large, goes_on, hands, monkeypatch):
    """To prepare a run takes half as long as the tests, which take so many seconds of one here."""
    prepared = []

    def slowly(*given, **options):
        hands[0] += seconds
        return make_bank(*given, **options)

    monkeypatch.setattr(runs, "make_bank", slowly)
    monkeypatch.setattr(runs, "LARGE", len(X) if is_large else len(X) + 1)
    monkeypatch.setattr(Evolution, "begin", lambda self, seeds: prepared.append(begin(self, seeds)))
    with pytest.warns(UserWarning, match="before a generation was bred") if not goes_on else nullcontext():
        tree = quick(payoff=Payoff("leaf_cost", cost=0.01), time_limit=1.0).fit(X, Y)

    assert bool(prepared) == (tree.n_generations_ > 0) == goes_on
    assert tree.predict(X).shape == Y.shape


# ---- fewer tests ----


def slowed(monkeypatch, seconds):
    """Let the answers to the tests of one column take so many seconds, by a clock of their own."""
    shown = [0.0]
    scatter = bank_answers.scatter_bins

    def slow(bins, *rest):
        shown[0] += seconds
        return scatter(bins, *rest)

    monkeypatch.setattr(bank_answers, "scatter_bins", slow)
    return lambda limit: lambda: limit - shown[0]


def bank_within(left):
    return make_bank(read_table(np.random.default_rng(0).normal(size=(200, 12))), left=left)


def test_columns_that_are_late_have_fewer_cuts_and_later_ones_none(monkeypatch):
    left = slowed(monkeypatch, 1.0)(4.5)

    bank = bank_within(left)

    n_cuts = np.bincount(bank.columns, minlength=12).tolist()
    assert n_cuts == [199] * 5 + [bank_plan.THIN] * 2 + [0] * 5
    words = bank.scope.describe(12)
    assert "2 columns have up to 3 cuts" in words
    assert "only 7 of 12 columns have tests" in words


def test_tests_of_a_bank_that_was_late_are_right(monkeypatch):
    left = slowed(monkeypatch, 1.0)(4.5)
    values = np.random.default_rng(0).normal(size=(200, 12))

    bank = bank_within(left)

    for test in range(bank.n_tests):
        passes = values[:, bank.columns[test]] <= bank.cut(test)
        bits = np.unpackbits(bank.bits[test].view(np.uint8), bitorder="little")[:200]
        assert (bits == passes).all()


def test_fewer_cuts_come_before_fewer_columns(monkeypatch):
    """Of what is measured, a column costs a part of a second and each of its cuts a part of that."""
    seconds = {255: 100.0, 1: 1.0, 31: 4.0}

    def asked(limit):
        class Measure:
            def __init__(self, *_):
                pass

            def seconds(self, n_looked_at, max_cuts):
                return seconds[max_cuts]

        monkeypatch.setattr(bank_scope, "_Measure", Measure)
        monkeypatch.setattr(bank_scope, "MOMENT", 0.0)
        table = SimpleNamespace(shape=(2_000_000, 50))
        return bank_scope.find_scope(table, False, 255, lambda: limit, None)

    assert asked(200.0).is_all
    assert (asked(30.0).max_cuts, asked(30.0).columns) == (255, None)  # by the values of some rows
    assert (asked(8.0).max_cuts, asked(8.0).columns) == (63, None)
    assert (asked(1.5).max_cuts, asked(1.5).columns) == (3, None)
    assert (asked(0.5).max_cuts, len(asked(0.5).columns)) == (1, 25)
    assert asked(0.0001).columns.tolist() == [0]


def test_a_scope_for_other_rows_cuts_by_rows_of_theirs():
    scope = bank_scope.TestScope(31, 255, bank_scope.draw_sample(100_000))

    fewer = scope.of_rows(50_000)

    assert fewer.sample.max() < 50_000
    assert len(fewer.sample) > 1000
    assert scope.of_rows(100).sample is None


@pytest.mark.compiled
@pytest.mark.usefixtures("working_time")
def test_a_table_too_large_for_its_limit_is_told_once_and_trees_are_bred():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(20_000, 150))
    y = (table[:, 0] > 0).astype(int)

    def fit(limit):
        tree = EvolvedTreeClassifier(random_state=0, n_iter_no_change=None, generations=10**9, time_limit=limit)
        with pytest.warns(UserWarning, match="is too short to make all tests of 20,000 rows x 150 columns") as caught:
            tree.fit(table, y)
        assert len([warning for warning in caught if "time_limit" in str(warning.message)]) == 1
        return tree

    for _ in tries():  # the first may look for code on a disk
        tree = fit(0.3)
        if tree.n_generations_ > 0:
            break

    assert tree.n_generations_ > 0
    assert tree.score(table, y) > 0.5


def test_folds_and_the_run_on_all_rows_have_the_same_tests(monkeypatch):
    """Else sizes would be compared by trees of different tests."""
    banks = []
    scopes = [bank_scope.TestScope(n, 255) for n in (15, 7, 7, 7, 7, 255)]  # by a clock the first fold had more time
    backend = BACKENDS["cpu"]
    monkeypatch.setitem(BACKENDS, "cpu", lambda problem: banks.append(problem.bank.scope.max_cuts) or backend(problem))
    monkeypatch.setattr("heirwood.data.test_bank.find_scope", lambda *_: scopes.pop(0))

    with pytest.warns(UserWarning, match="up to 15 cuts instead of 255"):
        quick(size_selection="cv", time_limit=600).fit(X, Y)

    assert len(scopes) == 5
    assert len(banks) == 6
    assert set(banks) == {15}


# ---- what does not count ----


def test_parsing_does_not_count(hands, monkeypatch):
    """Neither that of a file, nor that of a table of Python objects, which takes as long."""
    read_rows = fitting.read_rows

    def slow(*given):
        hands[0] += 0.5
        return read_rows(*given)

    monkeypatch.setattr(fitting, "read_rows", slow)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = quick(time_limit=0.3, generations=3).fit(X.astype(object), Y)

    assert tree.n_generations_ == 3


# ---- the end ----


@pytest.mark.compiled
@pytest.mark.usefixtures("working_time")
def test_the_trees_of_a_large_hall_are_made_ready_within_the_limit():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(5_000, 6))
    y = (rng.normal(size=len(table)) + table[:, 0] > 0).astype(int)
    tree = EvolvedTreeClassifier(max_leaf_nodes=300, payoff="fewest_errors", random_state=0, n_iter_no_change=None)
    tree.set_params(generations=2).fit(table, y)  # what is compiled does not count

    took = fewest_seconds(1.3, lambda: tree.set_params(generations=10**9, time_limit=1.0).fit(table, y))

    assert len(tree.hall_) > 50
    assert took < 1.3  # seconds; it once took three times the limit


@pytest.mark.usefixtures("hears_ctrl_c")
def test_an_interrupt_while_it_is_being_warned_does_not_lose_the_run(monkeypatch):
    def interrupted(fit):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(fitting._Fit, "warn", interrupted)
    tree = quick().fit(X, Y)

    assert tree.predict(X).shape == Y.shape


@pytest.mark.usefixtures("hears_ctrl_c")
def test_an_interrupt_as_the_last_run_begins_keeps_what_folds_found():
    def press(event):
        if event["event"] == "start":
            signal.raise_signal(signal.SIGINT)

    folds = quick(
        size_selection="cv", generations=40, payoff="leaf_cost", monitoring=Monitoring(listeners=[press])
    ).fit(X, Y)
    plain = quick(generations=0, payoff="leaf_cost").fit(X, Y)

    assert folds.stop_reason_ == "interrupted"
    assert folds.score(X, Y) > plain.score(X, Y)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_few_trees_are_weighed_where_somebody_waits(monkeypatch):
    from heirwood import fallback as module

    weighed = []
    weigh = module.weigh_anew
    monkeypatch.setattr(module, "WEIGHING", -1.0)
    monkeypatch.setattr(module, "weigh_anew", lambda *given: weighed.append(1) or weigh(*given))

    def press(event):
        if event["event"] == "fold" and event["fold"] == 3:
            signal.raise_signal(signal.SIGINT)

    tree = quick(size_selection="cv", monitoring=Monitoring(listeners=[press])).fit(X, Y)

    assert weighed == [1]  # the tree in use of the first fold
    assert tree.get_n_leaves() > 1
