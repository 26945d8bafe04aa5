"""A third of the rows is held back, by values and not by order; a row of weight two is dealt like two rows."""

from collections import Counter

import numpy as np
import pytest

from heirwood.data import read_rows
from heirwood.data.holdout_split import hash_rows, hold_out
from heirwood.estimator import EvolvedTreeClassifier

ALL = 10**6


def some_rows(n_rows=300, weights=None, order=None, class_weight=None, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (n_rows, 3)).astype(float), rng.integers(0, 3, n_rows)
    X[rng.random(X.shape) < 0.1] = np.nan
    order = np.arange(n_rows) if order is None else order
    weights = None if weights is None else weights[order]
    return read_rows(X[order], y[order], weights, class_weight, EvolvedTreeClassifier())


def content(part):
    """Return what a part of the rows weighs, by values and class."""
    found = Counter()
    for values, code, weight in zip(part.table.values, part.target.codes, part.target.weights, strict=True):
        found[(*np.nan_to_num(values, nan=-1.0).tolist(), int(code))] += int(weight)
    return found


@pytest.mark.parametrize("n_rows", [2, 3, 7, 300])
def test_every_row_is_in_one_part(n_rows):
    rows = some_rows(n_rows)

    part, held_back = hold_out(rows, 5, ALL)

    assert len(part) + len(held_back) == n_rows
    assert len(held_back) == n_rows // 3
    assert content(part) + content(held_back) == content(rows)


def test_each_class_has_its_share_in_both_parts():
    part, held_back = hold_out(some_rows(), 1, ALL)

    assert abs(np.bincount(part.target.codes) - 2 * np.bincount(held_back.target.codes)).max() <= 3


def test_the_order_of_the_rows_does_not_count():
    order = np.random.default_rng(1).permutation(300)

    for one, other in zip(hold_out(some_rows(), 5, ALL), hold_out(some_rows(order=order), 5, ALL), strict=True):
        assert content(one) == content(other)


def test_another_seed_deals_otherwise():
    assert content(hold_out(some_rows(), 1, ALL)[1]) != content(hold_out(some_rows(), 2, ALL)[1])


@pytest.mark.parametrize("class_weight", [None, {0: 1, 1: 4, 2: 3}])
def test_a_row_of_weight_two_is_dealt_like_two_rows(class_weight):
    weights = np.random.default_rng(2).integers(0, 5, 300)
    weights[:2] = 1, 2  # with no common factor
    weighted = some_rows(weights=weights, class_weight=class_weight)
    repeated = some_rows(order=np.repeat(np.arange(300), weights), class_weight=class_weight)

    assert weighted.n_counted == repeated.n_counted == weights.sum()
    for one, other in zip(hold_out(weighted, 5, ALL), hold_out(repeated, 5, ALL), strict=True):
        assert content(one) == content(other)
        assert one.n_counted == other.n_counted


@pytest.mark.parametrize(
    "weights",
    [np.full(300, 7), np.random.default_rng(3).random(300) + 0.1, np.where(np.arange(300) < 9, 2.0**52, 1)],
    ids=["all the same", "fractions", "too heavy"],
)
def test_weights_that_are_no_counts_leave_rows_whole(weights):
    rows = some_rows(weights=weights)

    part, held_back = hold_out(rows, 5, ALL)

    assert rows.n_counted == 300
    assert (len(part), len(held_back)) == (200, 100)


def test_of_many_rows_so_many_are_drawn():
    part, held_back = hold_out(some_rows(), 5, 90)
    again, other = hold_out(some_rows(), 5, 90), hold_out(some_rows(), 6, 90)

    assert (len(part), len(held_back)) == (60, 30)
    assert (content(part) + content(held_back)) <= content(some_rows())
    assert [content(part), content(held_back)] == [content(each) for each in again]
    assert content(part) != content(other[0])


def test_equal_values_have_equal_hashes():
    values = np.array([[0.0, np.nan], [-0.0, np.copysign(np.nan, -1.0)], [0.0, 1.0], [1.0, np.nan]])

    hashes = hash_rows(np.asfortranarray(values), np.zeros(4, np.int64), 3)

    assert len(set(hashes[:2].tolist())) == 1
    assert len(set(hashes.tolist())) == 3
    assert hash_rows(values, np.zeros(4, np.int64), 3).tolist() == hashes.tolist()  # by rows as by columns
    assert set(hash_rows(values, np.ones(4, np.int64), 3).tolist()).isdisjoint(hashes.tolist())
