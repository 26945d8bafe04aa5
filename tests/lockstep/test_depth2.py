"""Depth2Search: the best trees of one and of two levels are the oracle's, which tries everything."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heirwood.backends import BACKENDS, can_pair
from heirwood.backends import problem as limits
from heirwood.core.bitsets import pack, unpack
from tests.tables import INFORMED_OPERATORS, make_problem

TABLE = {"majority": True, "n_rows": 50, "max_cuts": 6, "operators": INFORMED_OPERATORS}
TABLES = {
    "missing": TABLE,
    "complete": {**TABLE, "missing": 0.0, "n_classes": 2},
    "many cuts": {**TABLE, "missing": 0.0, "n_rows": 70, "max_cuts": 255, "n_classes": 2},
    "weights": {**TABLE, "weights": np.random.default_rng(1).integers(1, 9, 50)},
    "five classes": {**TABLE, "n_classes": 5},
    "twelve classes": {**TABLE, "n_classes": 12, "weights": np.random.default_rng(2).integers(1, 4, 50)},
}


def searches(problem):
    return [BACKENDS[name](problem).pairs() for name in ("cpu", "slow")]


def some_rows(n_rows, seed):
    """Return bit rows: everyone, a part, a few, one and none."""
    rng = np.random.default_rng(seed)
    return [pack(rng.random(n_rows) < share) for share in (2.0, 0.6, 0.1)] + [
        pack(np.arange(n_rows) < n) for n in (1, 0)
    ]


@pytest.mark.parametrize("price", [0.0, 1.5])
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_best_stump_and_the_best_pair_are_those_of_the_oracle(table, price):
    problem = make_problem(5, **table)
    fast, slow = searches(problem)
    for rows in some_rows(table["n_rows"], 1):
        assert fast.stump(rows, price) == slow.stump(rows, price)
        found = slow.pair(rows, price)
        assert fast.pair(rows, price) == found
        assert slow.pair(rows, price, found[0] - 1e-9) == found
        assert slow.pair(rows, price, found[0]) == (found[0], [])
        for least in (found[0] - 0.5, found[0] - 1e-9):
            assert fast.pair(rows, price, least) == found
        for least in (found[0], found[0] + 2):
            assert fast.pair(rows, price, least) == (least, [])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([0.0, 0.2]), st.integers(2, 30))
def test_whatever_the_table(seed, n_classes, missing, n_rows):
    problem = make_problem(
        seed, **{**TABLE, "n_rows": n_rows, "n_classes": n_classes, "missing": missing, "max_cuts": 4}
    )
    fast, slow = searches(problem)
    for rows in some_rows(n_rows, seed)[:2]:
        assert fast.pair(rows, 0.0) == slow.pair(rows, 0.0)


def test_of_levels_that_nobody_has_the_first_stands_for_what_is_missing():
    """Its test divides like "is missing" does, if missing passes; of equals the first is found."""
    problem = make_problem(5, **{**TABLE, "missing": 0.3, "n_classes": 2})
    bank = problem.bank
    start, stop = bank.first[2:4]  # of the column with three levels
    missing = bank.bits[stop - 1]
    codes = unpack(missing, bank.n_rows).astype(np.int64)
    fast, slow = searches(replace(problem, target=replace(problem.target, codes=codes)))
    found = set()
    for level in range(start, start + 3):
        rows = ~bank.bits[level] & pack(np.ones(bank.n_rows, bool))
        worth, genes = slow.stump(rows, 0.0)
        assert fast.stump(rows, 0.0) == (worth, genes)
        assert fast.pair(rows, 0.0) == slow.pair(rows, 0.0)
        assert (bank.bits[genes[0]] & rows == missing).all()
        found.add(genes[0])
    assert len(found) == 3  # none of them is what the others are
    assert stop - 1 not in found


@pytest.mark.parametrize("price", [0.0, 1.59])
@pytest.mark.parametrize("n_classes", [9, 32])
def test_many_classes_that_are_all_there(n_classes, price):
    problem = make_problem(5, **{**TABLE, "n_classes": n_classes, "n_rows": 90})
    codes = np.random.default_rng(3).permuted(np.arange(90) % n_classes)
    problem = replace(problem, target=replace(problem.target, codes=codes))
    assert can_pair(problem)
    fast, slow = searches(problem)
    for rows in some_rows(90, 2):
        assert fast.pair(rows, price) == slow.pair(rows, price)


@pytest.mark.parametrize(
    ("name", "enough"),
    [("MOST_CLASSES", 3), ("MOST_WEIGHT", 51), ("MOST_BINS", 400), ("MOST_CELLS", 63), ("MOST_LANE_BINS", 7)],
)
def test_pairs_are_searched_for_within_limits(name, enough, monkeypatch):
    problem = make_problem(5, **{**TABLE, "missing": 0.0})
    monkeypatch.setattr(limits, name, enough)
    assert can_pair(problem)

    monkeypatch.setattr(limits, name, enough - 1)
    assert not can_pair(problem)


@pytest.mark.parametrize("end", ["low", "high"])
def test_a_side_may_be_worth_all_it_weighs(end):
    """The cut beside which all rows of a class lie, at an end of the first column: no bound may rule it out."""
    problem = make_problem(5, **{**TABLE, "missing": 0.0, "max_cuts": 255})
    length, age = problem.values[:, 0], problem.values[:, 1]
    is_apart = length < np.quantile(length, 0.1) if end == "low" else length > np.quantile(length, 0.9)
    codes = np.where(is_apart, 2, age > np.median(age))
    fast, slow = searches(replace(problem, target=replace(problem.target, codes=codes)))
    everyone = pack(np.ones(50, bool))

    worth, genes = slow.pair(everyone, 1.5)

    assert worth == 50 - 2 * 1.5
    assert genes[0] < problem.bank.first[1]
    assert fast.pair(everyone, 1.5) == (worth, genes)
    assert fast.pair(everyone, 1.5, worth - 0.5) == (worth, genes)
