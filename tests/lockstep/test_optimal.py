"""The search for the best tree there is: right by brute force, and step by step as the oracle's."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.backends import BACKENDS
from heirwood.backends import optimal_search as compiled
from heirwood.core.bitsets import pack
from heirwood.core.optimal.search_frame import HIT
from heirwood.core.optimal.search_steps import EXTRA, MOST_PAIRS, VISIT
from tests.tables import make_problem

HIT = int(HIT)
NOTHING = -(2**62)
FOREVER = 2**60


def brute_force(problem, price, levels):
    """Return what the best of all trees is worth, by trying every test at every node."""
    passes = [[bool(word >> np.uint64(row & 63) & np.uint64(1)) for row, word in enumerate(np.repeat(bits, 64))]
              for bits in problem.bank.bits[: problem.bank.n_tests]]  # fmt: skip
    codes = problem.target.codes.tolist()
    fewest = max(problem.rules.min_rows, 1)

    @cache
    def most(rows, levels):
        classes = [codes[row] for row in rows]
        best = HIT * max(classes.count(c) for c in set(classes)) - price
        for answers in passes if levels else []:
            left = tuple(row for row in rows if answers[row])
            if fewest <= len(left) <= len(rows) - fewest:
                right = tuple(row for row in rows if not answers[row])
                best = max(best, most(left, levels - 1) + most(right, levels - 1))
        return best

    return most(tuple(range(len(codes))), levels)


def worth(genes, problem, price):
    """Return what a tree is worth, as a backend evaluates it."""
    backend = BACKENDS["cpu"](problem)
    record = backend.record(backend.adopt([np.asarray(genes, np.int32)]))
    return HIT * int(record.hits[0]) - price * int(record.leaves[0])


def searches(problem, price, levels):
    return [BACKENDS[name](problem).optimum(np.arange(problem.bank.n_tests), price, levels) for name in ("cpu", "slow")]


@pytest.mark.parametrize("backend", BACKENDS)
@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(2, 12),
    missing=st.sampled_from([0.0, 0.3]),
    price=st.sampled_from([0, 2**20, HIT // 3, HIT, 5 * HIT // 2]),
    levels=st.integers(1, 5),
    n_classes=st.integers(2, 3),
    min_rows=st.integers(0, 3),
    is_nearly_known=st.booleans(),
)
def test_it_finds_what_brute_force_finds(
    backend, seed, n_rows, missing, price, levels, n_classes, min_rows, is_nearly_known
):
    problem = make_problem(
        seed, n_rows=n_rows, missing=missing, n_classes=n_classes, max_cuts=3, majority=True, min_rows=min_rows
    )
    search = BACKENDS[backend](problem).optimum(np.arange(problem.bank.n_tests), price, levels)
    best = brute_force(problem, price, levels)

    search.go_on(FOREVER, best - 1 if is_nearly_known else NOTHING)  # whatever it leaves out, not the best tree

    assert search.is_done
    assert search.found == best == worth(search.genes(), problem, price)


@given(
    seed=st.integers(0, 10**6),
    missing=st.sampled_from([0.0, 0.2]),
    n_classes=st.integers(2, 3),
    price=st.sampled_from([2**20, HIT // 2, HIT, 3 * HIT]),
    levels=st.integers(1, 5),
    min_rows=st.sampled_from([1, 3]),
    effort=st.integers(600, 20_000),
    need=st.integers(-5, 20),
    late=st.integers(-1, 3),
)
def test_step_by_step_it_does_what_the_oracle_does(
    seed, missing, n_classes, price, levels, min_rows, effort, need, late
):
    problem = make_problem(
        seed, n_rows=16, missing=missing, n_classes=n_classes, max_cuts=3, majority=True, min_rows=min_rows
    )
    fast, slow = searches(problem, price, levels)
    assert fast.n_tests == slow.n_tests

    for step in range(25):
        least = HIT * need if step > late else NOTHING  # what evolution finds on the way
        assert fast.go_on(effort, least) == slow.go_on(effort, least)
        assert (fast.found, fast.n_closed, fast.is_done) == (slow.found, slow.n_closed, slow.is_done)
        assert list(fast.genes()) == list(slow.genes())


@pytest.mark.parametrize(
    ("n_rows", "max_cuts", "n_classes", "min_rows", "effort"),
    [
        (150, 3, 2, 1, 5000),
        (150, 3, 3, 3, 5000),
        pytest.param(260, 3, 3, 1, 40_000, marks=pytest.mark.compiled),
        pytest.param(260, 16, 2, 1, 20_000, marks=pytest.mark.compiled),
        pytest.param(200, 4, 2, 5, 100_000, marks=pytest.mark.compiled),
    ],
)
def test_step_by_step_the_same_where_gaps_between_rows_are_closed(n_rows, max_cuts, n_classes, min_rows, effort):
    problem = make_problem(
        3, n_rows=n_rows, n_classes=n_classes, max_cuts=max_cuts, majority=True, min_rows=min_rows
    )  # fmt: skip
    fast, slow = searches(problem, 3 * HIT // 2, 9)
    assert fast._search.answers.shape[1] == (2 if max_cuts == 16 else 1)  # words of a row's answers

    for _ in range(6):
        assert fast.go_on(effort, NOTHING) == slow.go_on(effort, NOTHING)
        assert (fast.found, fast.n_closed, fast.is_done) == (slow.found, slow.n_closed, slow.is_done)
    widths = fast._search.frames["width"]
    assert ((widths > 0) & (widths < fast._search.rows.shape[1])).any()
    assert list(fast.genes()) == list(slow.genes())


@pytest.mark.parametrize("seed", [755, 953])  # two of a thousand: bounds are too low there, and must be so for both
def test_where_only_some_of_the_rows_that_answer_alike_are_there_it_does_what_the_oracle_does(seed):
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(8, 40))
    problem = make_problem(seed, n_rows=n_rows, n_classes=3, max_cuts=2, majority=True)
    rows = pack(rng.random(n_rows) < 0.6)
    fast, slow = searches(problem, HIT, 6)

    for search in (fast, slow):
        search.begin(rows, 6)

    assert fast.go_on(FOREVER, NOTHING) == slow.go_on(FOREVER, NOTHING)
    assert (fast.found, list(fast.genes())) == (slow.found, list(slow.genes()))


@pytest.mark.compiled
def test_searches_for_some_rows_after_others_are_those_of_the_oracle():
    problem = make_problem(3, n_rows=200, n_classes=2, max_cuts=4, majority=True)
    fast, slow = searches(problem, 3 * HIT // 2, 9)
    rng = np.random.default_rng(1)

    for share in (0.6, 0.2, 0.9, 0.2):
        rows = pack(rng.random(200) < share)
        for search in (fast, slow):
            search.begin(rows, 6)
        assert (fast.found, list(fast.genes())) == (slow.found, list(slow.genes()))  # nothing is known yet: a leaf
        assert fast.go_on(50_000, NOTHING) == slow.go_on(50_000, NOTHING)
        assert (fast.found, list(fast.genes())) == (slow.found, list(slow.genes()))


@pytest.mark.compiled
@pytest.mark.parametrize(("n_tests", "takes_pairs"), [(100, True), (1200, False)])
def test_a_look_at_all_pairs_is_not_taken_where_it_would_be_long(n_tests, takes_pairs):
    rng = np.random.default_rng(2)
    bits = pack(rng.random((n_tests, 500)) < 0.5)
    search = compiled.OptimalSearch(bits, np.arange(n_tests), rng.integers(0, 2, 500), 2, HIT, 5, 1)

    spent = search.go_on(1, NOTHING)  # one step: the root is looked at

    looked = VISIT + 8 * 3 + n_tests * (EXTRA + 8 * 2)
    assert (spent > looked) == takes_pairs
    assert spent <= looked + MOST_PAIRS


@given(seed=st.integers(0, 10**6), more=st.integers(0, 3))
def test_where_a_tree_as_good_is_known_it_ends_without_a_better_one(seed, more):
    problem = make_problem(seed, n_rows=12, max_cuts=2, majority=True)
    first, second = (BACKENDS["cpu"](problem).optimum(np.arange(problem.bank.n_tests), HIT, 4) for _ in range(2))
    first.go_on(FOREVER, NOTHING)

    second.go_on(FOREVER, first.found + more)

    assert second.is_done
    assert second.found <= first.found


@pytest.mark.compiled
def test_a_memo_that_grows_changes_nothing(monkeypatch):
    problem = make_problem(5, n_rows=20, max_cuts=4, majority=True)
    large = BACKENDS["cpu"](problem).optimum(np.arange(problem.bank.n_tests), HIT // 2, 6)
    monkeypatch.setattr(compiled, "FIRST_ENTRIES", 2**3)
    small = BACKENDS["cpu"](problem).optimum(np.arange(problem.bank.n_tests), HIT // 2, 6)

    assert large.go_on(FOREVER, NOTHING) == small.go_on(FOREVER, NOTHING)
    assert len(small._search.memo) > 2**3
    assert large.is_done
    assert small.is_done
    assert large.genes().tolist() == small.genes().tolist()


def test_without_memory_it_stops_and_has_what_it_found(monkeypatch):
    monkeypatch.setattr(compiled, "FIRST_ENTRIES", 2**3)
    monkeypatch.setattr(compiled, "MOST_ENTRIES", 2**5)
    problem = make_problem(5, n_rows=30, max_cuts=4, majority=True)
    search = BACKENDS["cpu"](problem).optimum(np.arange(problem.bank.n_tests), HIT // 2, 6)

    search.go_on(FOREVER, NOTHING)

    assert search.is_full
    assert not search.is_done
    assert worth(search.genes(), problem, HIT // 2) >= search.found


def test_a_table_that_nothing_divides_is_one_leaf():
    problem = make_problem(1, n_rows=1, missing=0.0, majority=True)
    for search in searches(problem, HIT, 3):
        search.go_on(FOREVER, NOTHING)

        assert search.is_done
        assert len(search.genes()) == 1
