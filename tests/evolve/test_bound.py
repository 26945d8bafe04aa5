"""The bound on errors + cost per leaf is never better than the best tree there is, which brute force finds."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heirwood.payoff.bound import best_leaf_cost, equal_rows

CELLS = st.sampled_from([0.0, 1.0, 2.0, float("nan")])
COSTS = st.sampled_from([0.0, 0.002, 0.01, 0.1, 0.3, 2.0])


@st.composite
def tables(draw):
    n_rows = draw(st.integers(1, 7))
    n_columns = draw(st.integers(0, 2))
    rows = st.lists(CELLS, min_size=n_columns, max_size=n_columns)
    values = np.array(draw(st.lists(rows, min_size=n_rows, max_size=n_rows)), float).reshape(n_rows, n_columns)
    codes = np.array(draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows)), np.int64)
    weights = np.array(draw(st.lists(st.integers(1, 4), min_size=n_rows, max_size=n_rows)), np.int64)
    return values, codes, weights


def questions(values):
    """Every way in which any question can divide the rows: cuts, levels, and missing values on either side."""
    for column in values.T:
        missing = np.isnan(column)
        yield missing
        for value in np.unique(column[~missing]):
            for passes in (column <= value, column == value):
                yield passes
                yield passes | missing


def best_tree(values, codes, weights, cost):
    """Return the lowest errors + cost per leaf of any tree, by trying all of them."""
    sides = [frozenset(np.flatnonzero(passes).tolist()) for passes in questions(values)]
    total = weights.sum()

    @cache
    def best(rows):
        weight = np.bincount(codes[list(rows)], weights[list(rows)], 3)
        found = (weight.sum() - weight.max()) / total + cost
        for side in sides:
            if 0 < len(rows & side) < len(rows):
                found = min(found, best(rows & side) + best(rows - side))
        return found

    return best(frozenset(range(len(codes))))


@given(tables(), COSTS)
@settings(max_examples=300, deadline=None)
def test_no_tree_is_better_than_the_bound(table, cost):
    values, codes, weights = table

    bound = 1 - best_leaf_cost(values, codes, weights, 3, cost=cost)

    assert bound <= best_tree(values, codes, weights, cost) + 1e-12  # both are sums of floats in other orders


def test_equal_rows_of_two_classes_are_errors_of_any_tree():
    values = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, np.nan], [2.0, 0.0]])
    codes, weights = np.array([0, 0, 1, 1]), np.ones(4, np.int64)

    assert equal_rows(values).tolist() == [0, 0, 0, 1]
    assert 1 - best_leaf_cost(values, codes, weights, 2, cost=0.01) == pytest.approx(1 / 4 + 2 * 0.01)


def test_three_classes_need_three_leaves():
    values, codes, weights = np.arange(3.0)[:, None], np.arange(3), np.ones(3, np.int64)

    assert 1 - best_leaf_cost(values, codes, weights, 3, cost=0.01) == pytest.approx(0.03)
    assert 1 - best_leaf_cost(values, codes, weights, 3, cost=0.5) == pytest.approx(2 / 3 + 0.5)


def test_a_table_without_columns_has_one_leaf():
    values, codes, weights = np.zeros((4, 0)), np.array([0, 0, 0, 1]), np.ones(4, np.int64)

    assert 1 - best_leaf_cost(values, codes, weights, 2, cost=0.01) == pytest.approx(1 / 4 + 0.01)
