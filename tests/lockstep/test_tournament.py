"""Tournaments: the kernel's winners are the oracle's, place for place."""

import numpy as np
import pytest

from heirwood.oracle import tournament as slow
from heirwood.selection import SELECTIONS

PAYOFFS = {
    "all apart": np.random.default_rng(0).normal(size=37),
    "many alike": np.random.default_rng(1).integers(0, 3, 50).astype(float),
    "all alike": np.zeros(8),
    "infinite ones": np.array([-np.inf, 1.0, np.inf, np.inf, -np.inf]),
    "a single tree": np.array([0.5]),
    "every other one of more": np.arange(40.0)[::-2],
}


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("payoffs", PAYOFFS.values(), ids=PAYOFFS)
def test_winners_are_the_oracles(payoffs, size):
    for key in (1, 2**64 - 1):
        places = SELECTIONS["tournament"](payoffs, 101, key, size=size)

        assert places.tolist() == slow.winners(payoffs.tolist(), 101, key, size)
