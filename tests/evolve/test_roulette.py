"""Roulette: shares are scaled linearly, and nobody's is negative."""

import numpy as np
import pytest

from heirwood.selection.roulette import linear_scaling, roulette


@pytest.mark.parametrize(
    "payoffs", [[0.0, 1.0, 2.0, 3.0, 4.0], [-7.0, -6.0, -5.5, -5.0, -4.0], [1e6, 1e6 + 1, 1e6 + 2]]
)
def test_the_best_has_its_share_and_the_average_is_one(payoffs):
    shares = linear_scaling(np.array(payoffs), best=1.2)

    assert shares.max() == pytest.approx(1.2, rel=1e-12)
    assert shares.mean() == pytest.approx(1.0, rel=1e-12)
    assert (np.diff(shares) > 0).all()


def test_where_the_worst_would_have_less_than_nothing_the_best_has_less():
    shares = linear_scaling(np.array([0.0, 9.0, 10.0, 10.0]), best=3.0)

    assert shares.min() == 0.0
    assert 1.0 < shares.max() < 3.0
    assert shares.mean() == pytest.approx(1.0, rel=1e-12)


def test_equal_payoffs_have_equal_shares():
    assert linear_scaling(np.full(4, 0.3), best=2.0).tolist() == [1.0] * 4


def test_trees_are_drawn_as_often_as_their_shares_say():
    payoffs = np.array([1.0, 2.0, 3.0, 6.0])

    drawn = roulette(payoffs, 100_000, key=7, best=1.8)

    often = np.bincount(drawn, minlength=4) / 25_000
    assert often == pytest.approx(linear_scaling(payoffs, 1.8), abs=0.02)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_payoffs_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValueError, match="roulette needs finite payoffs; use tournament"):
        roulette(np.array([0.0, bad]), 3, key=1)
