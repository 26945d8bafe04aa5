"""Log loss and Brier score in whole numbers: what they are, to what they are rounded, and that no sum is too large."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.core.leaf_loss import COEFFICIENTS, MOST_TERMS, hits_of_weights, make_terms
from heirwood.data.target import LOSS_BITS, ClassTarget
from heirwood.oracle import leaf_loss as oracle
from heirwood.oracle.leaf_loss import LOSSES

LARGEST = 2**62
CLASSES = st.lists(st.integers(0, 10**6), min_size=3, max_size=3)


def target_of(weights, loss, n_classes=None):
    """Return a target with a row of each class that weighs so much."""
    rows = np.array(weights, np.int64)
    kept = rows > 0
    n_classes = len(rows) if n_classes is None else n_classes
    return ClassTarget(np.flatnonzero(kept), rows[kept], n_classes).measured_by(loss)


def bits(weights):
    """Return the log loss of a leaf, by Python's logarithm."""
    n = sum(weights)
    return sum(weight * math.log2(n / weight) for weight in weights if weight)


@pytest.mark.parametrize("m", [1, 2, 3, 5, 1023, 1024, 10**6 + 7, 2**31, 3 * 2**40, 2**53 - 1, 2**61])
def test_the_logarithm_is_a_logarithm(m):
    assert oracle.log2(float(m)) == pytest.approx(math.log2(m), rel=1e-15, abs=1e-15)
    if m & (m - 1) == 0:
        assert oracle.log2(float(m)) == math.log2(m)


def test_the_table_is_the_oracles_number_by_number():
    assert tuple(oracle.COEFFICIENTS) == COEFFICIENTS
    for scale in (2.0**LOSS_BITS, 2.0**3, 1.0):
        table = make_terms(3000, scale).tolist()
        assert table == [oracle.n_log_n(n, scale) for n in range(3001)]


@pytest.mark.parametrize("total", [0, 1, 2, MOST_TERMS - 1, MOST_TERMS, 10**12])
def test_the_table_has_a_bounded_size(total):
    assert len(make_terms(int(total), 4.0)) == min(total + 1, MOST_TERMS)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weights", [[3, 4], [10, 0, 1], [1, 1, 1, 1], [7], [2**20 + 1, 12345], [10**9, 1, 0, 5]])
def test_hits_are_the_loss_that_is_avoided(weights, loss):
    target = target_of(weights, loss)
    scale, n = target.scale_of_loss, sum(weights)
    expected = bits(weights) if loss == "log_loss" else sum(w * (n - w) / n for w in weights)

    hits = hits_of_weights(np.array(weights), target.planes(True))

    lost = (n * target.most_loss - hits) / scale
    assert lost == pytest.approx(expected, rel=1e-9, abs=2 * (len(weights) + 1) / scale)
    assert hits == n * target.most_loss - LOSSES[loss](weights, scale)


@pytest.mark.parametrize("loss", LOSSES)
@given(weights=st.lists(st.integers(0, 2**50), min_size=1, max_size=7).filter(any))
def test_core_and_oracle_round_alike(loss, weights):
    target = target_of(weights, loss)
    of_class = np.zeros(len(weights), np.int64)
    of_class[target.codes] = target.weights
    most = int(of_class.sum()) * target.most_loss

    hits = hits_of_weights(of_class, target.planes(True))

    assert hits == most - min(LOSSES[loss](of_class.tolist(), target.scale_of_loss), most)
    assert 0 <= hits <= most == target.total < LARGEST


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n_classes", [1, 2, 3, 100])
def test_no_sum_is_too_large_at_the_largest_weights(loss, n_classes):
    rows = np.full(3 * n_classes, (2**62 - 1) // (3 * n_classes))
    target = ClassTarget(np.arange(3 * n_classes) % n_classes, rows, n_classes).measured_by(loss)
    of_class = np.bincount(target.codes, target.weights, n_classes).astype(np.int64)

    assert 0 < target.total < LARGEST
    assert 0 <= hits_of_weights(of_class, target.planes(True)) <= target.total
    assert oracle.n_log_n(int(target.weights.sum()), target.scale_of_loss) < LARGEST
    assert target.scale_of_loss >= 1


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_that_are_not_too_large_stay_as_they_are(loss):
    weights = np.array([1, 5, 2**40])
    target = ClassTarget(np.array([0, 1, 1]), weights, 2)

    assert target.measured_by(loss).weights.tolist() == weights.tolist()
    assert ClassTarget(np.array([0, 1]), np.array([1, 3]), 2).measured_by(loss).scale_of_loss == 2.0**LOSS_BITS


@pytest.mark.parametrize("loss", LOSSES)
@given(left=CLASSES, right=CLASSES)
def test_a_split_loses_no_more_than_a_rounding(loss, left, right):
    whole = [a + b for a, b in zip(left, right, strict=True)]
    if not sum(whole):
        return
    scale = 2.0**LOSS_BITS

    apart = LOSSES[loss](left, scale) + LOSSES[loss](right, scale)

    assert apart <= LOSSES[loss](whole, scale) + len(whole) + 2
