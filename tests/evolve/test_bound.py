"""The ceiling of hits is never below what the best tree has, which brute force finds; and exact where it says so."""

from functools import cache, partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heirwood.payoff.bound import find_ceiling
from heirwood.payoff.bound.binned_table import rank
from heirwood.payoff.bound.branch_and_bound import by_leaf
from heirwood.payoff.bound.hits_upper_bound import equal_rows, make_root
from heirwood.payoff.leaf_cost import leaf_cost
from heirwood.stopped_error import StoppedError

CELLS = st.sampled_from([0.0, 1.0, 2.0, float("nan")])
COSTS = st.sampled_from([0.0, 0.002, 0.01, 0.1, 0.3, 1.0])
PLENTY = 10**9  # of effort


@st.composite
def tables(draw, cells=CELLS, most_rows=9):
    n_rows = draw(st.integers(1, most_rows))
    n_columns = draw(st.integers(0, 3))
    rows = st.lists(cells, min_size=n_columns, max_size=n_columns)
    values = np.array(draw(st.lists(rows, min_size=n_rows, max_size=n_rows)), float).reshape(n_rows, n_columns)
    nominal = np.array(draw(st.lists(st.booleans(), min_size=n_columns, max_size=n_columns)), bool)
    codes = np.array(draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows)), np.int64)
    weights = np.array(draw(st.lists(st.integers(1, 4), min_size=n_rows, max_size=n_rows)), np.int64)
    return values, nominal, codes, weights if draw(st.booleans()) else np.ones_like(weights)


def questions(values, nominal):
    """Every way in which a question can divide the rows: cuts or levels, and missing values on either side."""
    for column, of_levels in zip(values.T, nominal, strict=True):
        missing = np.isnan(column)
        yield missing
        for value in np.unique(column[~missing]):
            passes = column == value if of_levels else column <= value
            yield passes
            yield passes | missing


NO_COSTS = np.eye(3, dtype=np.int64)


@st.composite
def gains(draw):
    """What labels avoid of the costs of three classes: the most where they are right, as much for some mistakes."""
    costs = np.array(draw(st.lists(st.integers(0, 5), min_size=9, max_size=9))).reshape(3, 3)
    np.fill_diagonal(costs, 0)
    costs[0, 1] += not costs.any()
    return costs.max(axis=1)[:, None] - costs


def most_hits(values, nominal, codes, weights, leaves, depth, gains=NO_COSTS, min_rows=1):
    """Return the most hits of any tree within the limits, by trying all of them."""
    sides = {frozenset(np.flatnonzero(passes).tolist()) for passes in questions(values, nominal)}

    @cache
    def most(rows, leaves, depth):
        found = (np.bincount(codes[list(rows)], weights[list(rows)], 3) @ gains).max()
        if leaves > 1 and depth > 0:
            for side in sides:
                passing, failing = rows & side, rows - side
                for size in range(1, leaves) if min(len(passing), len(failing)) >= min_rows else ():
                    found = max(found, most(passing, size, depth - 1) + most(failing, leaves - size, depth - 1))
        return found

    return int(most(frozenset(range(len(codes))), leaves, depth))


def ceiling_of(table, cost=0.01, max_leaf_nodes=16, max_depth=16, effort=PLENTY, **more):
    return find_ceiling(
        *table, 3, leaf_cost, {"cost": cost}, max_leaf_nodes=max_leaf_nodes, max_depth=max_depth, effort=effort, **more
    )  # fmt: skip


@given(tables(), COSTS, st.integers(1, 5), st.integers(0, 3), st.sampled_from([0, 50_000, 500_000, PLENTY]))
@settings(max_examples=300, deadline=None)
def test_no_tree_has_more_hits_than_the_ceiling_and_where_it_is_exact_one_has_as_many(
    table, cost, max_leaf_nodes, max_depth, effort
):
    ceiling = ceiling_of(table, cost, max_leaf_nodes, max_depth, effort)

    assert len(ceiling.hits) == min(max_leaf_nodes, 2**max_depth) + 1
    for leaves in range(1, len(ceiling.hits)):
        most = most_hits(*table, leaves, max_depth)
        assert most <= ceiling.hits[leaves]
        if ceiling.exact[leaves]:
            assert most == ceiling.hits[leaves]


@given(tables(), gains(), COSTS, st.integers(1, 5), st.integers(0, 3), st.sampled_from([0, 50_000, 500_000, PLENTY]))
@settings(max_examples=200, deadline=None)
def test_no_tree_avoids_more_cost_than_the_ceiling_and_where_it_is_exact_one_avoids_as_much(
    table, gains, cost, max_leaf_nodes, max_depth, effort
):
    codes, weights = table[2:]
    assume((weights * gains[codes, codes]).any())

    ceiling = ceiling_of(table, cost, max_leaf_nodes, max_depth, effort, gains=gains)

    assert ceiling.total == (weights * gains[codes, codes]).sum()
    for leaves in range(1, len(ceiling.hits)):
        most = most_hits(*table, leaves, max_depth, gains)
        assert most <= ceiling.hits[leaves] <= ceiling.total
        if ceiling.exact[leaves]:
            assert most == ceiling.hits[leaves]


@given(tables(), gains(), st.integers(2, 5), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_with_effort_enough_the_least_cost_within_limits_is_exact(table, gains, max_leaf_nodes, max_depth):
    codes, weights = table[2:]
    assume((weights * gains[codes, codes]).any())
    leaves = min(max_leaf_nodes, 2**max_depth)

    ceiling = ceiling_of(table, 0.0, max_leaf_nodes, max_depth, gains=gains)

    assert ceiling.hits[leaves] == most_hits(*table, leaves, max_depth, gains)


@given(tables(), st.integers(2, 5), st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_with_effort_enough_the_fewest_errors_within_limits_are_exact(table, max_leaf_nodes, max_depth):
    leaves = min(max_leaf_nodes, 2**max_depth)
    ceiling = ceiling_of(table, 0.0, max_leaf_nodes, max_depth)  # no cost of leaves: the most leaves limit

    assert ceiling.hits[leaves] == most_hits(*table, leaves, max_depth)


@given(tables(), st.integers(0, PLENTY))
@settings(max_examples=100, deadline=None)
def test_one_and_two_leaves_are_always_exact(table, effort):
    ceiling = ceiling_of(table, effort=effort)

    assert ceiling.exact[1:3].all()
    assert [ceiling.hits[leaves] for leaves in (1, 2)] == [most_hits(*table, leaves, 1) for leaves in (1, 2)]


@given(tables(most_rows=7), st.sampled_from([0.01, 0.05, 0.1, 0.3, 1.0]))
@settings(max_examples=150, deadline=None)
def test_with_effort_enough_the_bound_is_the_optimum(table, cost):
    """Of small tables: up to 7 leaves are searched, and no tree needs more than it has rows."""
    ceiling = ceiling_of(table, cost)

    total = int(table[3].sum())
    best = max(most_hits(*table, leaves, leaves) / total - cost * leaves for leaves in range(1, 8))
    assert ceiling.payoff(leaf_cost, {"cost": cost}) == best


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_three_leaves_of_a_larger_table_are_found_without_looking_at_all_tests(data):
    seed = data.draw(st.integers(0, 2**32 - 1))
    draws = np.random.default_rng(seed)
    values = draws.integers(0, 9, (40, 3)).astype(float)
    codes = (values[:, 0] + values[:, 1] * draws.integers(0, 2, 40) > 6).astype(np.int64)
    table = (values, np.array([False, False, True]), codes, np.ones(40, np.int64))

    ceiling = ceiling_of(table, 0.0, 3, 2)

    assert ceiling.exact[3]
    assert ceiling.hits[3] == most_hits(*table, 3, 2)


def test_one_table_has_one_bound():
    draws = np.random.default_rng(0)
    table = (draws.normal(size=(200, 5)), np.zeros(5, bool), draws.integers(0, 3, 200), draws.integers(1, 5, 200))

    first, second = (ceiling_of(table, effort=3_000_000) for _ in range(2))

    assert first.hits.tolist() == second.hits.tolist()


def test_another_leaf_adds_a_share_of_the_hits_at_most():
    """Where the labels alone would allow three times as much."""
    assert by_leaf(np.array([0.0, 10, 20, 90, 90, 95])).tolist() == [0, 10, 20, 30, 40, 50]
    assert by_leaf(np.array([0.0, 10, 11, 90])).tolist() == [0, 10, 11, 16]


def test_equal_rows_of_two_classes_are_errors_of_any_tree():
    values = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, np.nan], [2.0, 0.0]])
    table = (values, np.zeros(2, bool), np.array([0, 0, 1, 1]), np.ones(4, np.int64))

    assert ceiling_of(table).hits[1:].tolist() == [2, *[3] * 15]


def test_equal_rows_are_found_whatever_the_columns():
    values = np.array([[1.0, np.nan], [2.0, 0.0], [1.0, np.nan], [1.0, 0.0]])
    groups = equal_rows(rank(values, np.zeros(2, bool)).bins)

    assert groups[0] == groups[2]
    assert len(set(groups.tolist())) == 3
    assert equal_rows(np.zeros((3, 0), np.int64)).tolist() == [0, 0, 0]


def test_rows_whose_digests_collide_are_told_apart():
    """The digest of one column is the column; of two, a second one can undo what the first one did."""
    factor, shift = 0x9E3779B97F4A7C15, 29
    first = np.array([1, 2], np.uint64)
    once = first ^ (first >> np.uint64(shift))
    with np.errstate(over="ignore"):
        second = once * np.uint64(factor)  # brings both digests to zero
    bins = np.column_stack([first, second]).astype(np.int64)

    assert len(set(equal_rows(bins).tolist())) == 2


def test_three_classes_need_three_leaves():
    table = (np.arange(3.0)[:, None], np.zeros(1, bool), np.arange(3), np.ones(3, np.int64))

    assert ceiling_of(table).payoff(leaf_cost, {"cost": 0.01}) == pytest.approx(1 - 0.03)
    assert ceiling_of(table).payoff(leaf_cost, {"cost": 0.5}) == pytest.approx(1 - (2 / 3 + 0.5))


def test_a_table_without_columns_has_one_leaf():
    table = (np.zeros((4, 0)), np.zeros(0, bool), np.array([0, 0, 0, 1]), np.ones(4, np.int64))

    assert ceiling_of(table).hits[1:].tolist() == [3] * 16


def test_weights_beyond_what_floats_count_and_tables_beyond_what_is_looked_at_are_bounded_by_their_labels():
    values, nominal = np.arange(4.0)[:, None], np.zeros(1, bool)
    heavy = np.full(4, 2**59, np.int64)
    codes = np.array([0, 1, 0, 1])

    assert ceiling_of((values, nominal, codes, heavy)).hits[1:4].tolist() == [2**60, 2**61, 2**61]

    for most_cells, hits in ((11, [2, 4, 4]), (12, [2, 3, 3])):  # four cells, three classes
        found = ceiling_of((values, nominal, codes, np.ones(4, np.int64)), most_cells=most_cells)
        assert found.hits[1:4].tolist() == hits


# ---- the end ----


def test_to_count_a_table_is_given_up_at_any_step():
    """One of ten thousand columns takes seconds until its rows are counted."""
    values = np.random.default_rng(0).integers(0, 5, (20, 4)).astype(float)
    codes, ones = np.arange(20) % 2, np.ones(20, np.int64)
    asked = []
    table = values, np.zeros(4, bool), codes, ones, np.eye(2, dtype=np.int64)
    make_root(*table, lambda: asked.append(None) is not None)
    assert len(asked) > 4 + 4 + 6  # columns that are ranked, columns that are compared, and the arrays of all tests

    for step in range(len(asked)):
        answers = iter([False] * step + [True])
        with pytest.raises(StoppedError):
            make_root(*table, partial(next, answers))
