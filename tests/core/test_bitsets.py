"""Bit rows hold what was packed, and nothing in their padding."""

import numpy as np
import pytest

from heirwood.core.bitsets import n_words, pack, popcount, unpack
from tests.core import kernels

SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 200, 513, 600]


@pytest.mark.parametrize("n_rows", SIZES)
def test_what_is_packed_can_be_unpacked(n_rows):
    rows = np.random.default_rng(n_rows).random((3, n_rows)) < 0.4

    words = pack(rows)

    assert words.dtype == np.uint64
    assert words.shape == (3, n_words(n_rows))
    np.testing.assert_array_equal(unpack(words, n_rows), rows)


@pytest.mark.parametrize("n_rows", SIZES)
def test_row_j_is_bit_j_modulo_64_of_word_j_over_64(n_rows):
    for row in {0, n_rows // 2, n_rows - 1}:
        rows = np.arange(n_rows) == row

        words = pack(rows)

        assert [int(word) for word in words] == [
            1 << (row % 64) if w == row // 64 else 0 for w in range(n_words(n_rows))
        ]


@pytest.mark.parametrize("n_rows", SIZES)
def test_the_padding_of_a_packed_row_is_zero(n_rows):
    words = pack(np.ones(n_rows, bool))

    assert sum(int(word).bit_count() for word in words) == n_rows


def test_a_table_without_rows_has_no_words():
    assert n_words(0) == 0
    assert pack(np.zeros((2, 0), bool)).shape == (2, 0)


def test_popcount_counts_the_bits_of_a_word():
    words = np.random.default_rng(0).integers(0, 2**64, 50, dtype=np.uint64, endpoint=False)

    counted = [popcount(word) for word in words]

    assert counted == [int(word).bit_count() for word in words]


@pytest.mark.parametrize("n_rows", SIZES)
def test_kernels_count_and_narrow_as_sets_do(n_rows):
    rng = np.random.default_rng(n_rows)
    rows, test = rng.random(n_rows) < 0.6, rng.random(n_rows) < 0.5

    passed = kernels.narrow(pack(rows), pack(test), passes=True)
    failed = kernels.narrow(pack(rows), pack(test), passes=False)

    np.testing.assert_array_equal(passed, pack(rows & test))
    np.testing.assert_array_equal(failed, pack(rows & ~test))
    assert kernels.count(pack(rows), pack(test)) == np.count_nonzero(rows & test)
    assert kernels.count(pack(np.ones(n_rows, bool)), ~np.zeros(n_words(n_rows), np.uint64)) == n_rows
