"""Bins are what comparisons say, and bit rows what bins say."""

import numpy as np
import pytest

from heirwood.core.binning import BLOCK, FEW, WIDTH, bin_values, scatter_bins
from heirwood.core.bitsets import n_words, pack

SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 200, 513, 600]


@pytest.mark.parametrize("missing", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("n_cuts", [0, 1, 2, FEW - 1, FEW, FEW + 1, 2 * FEW, 2 * FEW + 1, 255, 300])
@pytest.mark.parametrize("n_rows", [1, BLOCK - 1, BLOCK, BLOCK + 1])
def test_a_bin_is_the_first_cut_that_is_passed(n_rows, n_cuts, missing):
    rng = np.random.default_rng(n_rows + n_cuts)
    cuts = np.sort(rng.choice(1000, n_cuts, replace=False)).astype(np.float64)
    values = rng.integers(-2, 1002, n_rows).astype(np.float64)
    values[rng.random(n_rows) < missing] = np.nan
    bins = np.zeros(n_rows, np.uint16)

    bin_values(values, cuts, np.empty(BLOCK, np.int64), bins)

    expected = np.where(np.isnan(values), n_cuts + 1, np.searchsorted(cuts, values))
    assert bins.tolist() == expected.tolist()


def test_negative_zero_is_zero():
    values = np.array([-0.0, 0.0, -1.0, 1.0])
    for zero in (0.0, -0.0):
        bins = np.zeros(4, np.uint16)

        bin_values(values, np.array([zero]), np.empty(BLOCK, np.int64), bins)

        assert bins.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("cumulative", [False, True], ids=["equal to", "at most"])
@pytest.mark.parametrize("n_bins", [1, 2, 7])
@pytest.mark.parametrize("n_rows", [*SIZES, 64 * WIDTH, 64 * WIDTH + 1])
def test_bins_are_scattered_as_comparisons_say(n_rows, n_bins, cumulative):
    bins = np.random.default_rng(n_rows).integers(0, n_bins + 2, n_rows).astype(np.uint16)
    bits = np.full((n_bins, n_words(n_rows)), 2**64 - 1, np.uint64)
    filled = np.full((n_bins + 4, WIDTH), 2**64 - 1, np.uint64)

    scatter_bins(bins, cumulative, filled, bits)

    levels = np.arange(n_bins)[:, None]
    np.testing.assert_array_equal(bits, pack(bins <= levels if cumulative else bins == levels))
