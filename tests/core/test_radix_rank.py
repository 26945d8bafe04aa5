"""Ranks are the places among the distinct values, whatever the floats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.core.radix_rank import SIZE, rank_values


def ranked(values):
    values = np.asarray(values, np.float64) + 0.0
    n = len(values)
    ranks = np.full(n, 77, np.int32)
    scratch = np.zeros((2, n), np.uint64), np.zeros((2, n), np.uint32), np.zeros(SIZE, np.int64)
    n_values = rank_values(values, values.view(np.uint64), *scratch, ranks)
    return ranks.tolist(), n_values


def expected(values):
    values = np.asarray(values, np.float64)
    distinct = np.unique(values[~np.isnan(values)])
    ranks = np.where(np.isnan(values), -1, np.searchsorted(distinct, values))
    return ranks.tolist(), len(distinct)


@given(st.lists(st.floats(allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324]), max_size=40))
def test_ranks_are_those_of_sorting(values):
    assert ranked(values) == expected(values)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("missing", [0.0, 0.3, 1.0])
def test_many_values_are_ranked(scale, missing):
    rng = np.random.default_rng(0)
    values = rng.normal(size=500) * scale
    values[::3] = np.round(values[::3] / scale, 1) * scale
    values[rng.random(500) < missing] = np.nan

    assert ranked(values) == expected(values)
