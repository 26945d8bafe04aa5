"""Closing gaps: the questions to some rows, as if these were all there are."""

import numpy as np
import pytest

from heirwood.core.bitsets import pack, unpack
from heirwood.core.optimal import compact_rows as nearby
from tests.core.kernels import from_python

transpose, compact_rows_of = from_python(nearby.transpose), from_python(nearby.compact_rows_of)
count_all = from_python(nearby.count_all)


def test_bit_i_of_word_j_becomes_bit_j_of_word_i():
    bits = np.random.default_rng(1).random((64, 64)) < 0.5
    block = pack(bits)[:, 0].copy()

    transpose(block)

    assert (block == pack(bits.T)[:, 0]).all()


@pytest.mark.parametrize("n_chosen", [1, 63, 64, 65, 128, 130])
@pytest.mark.parametrize("n_questions", [5, 64, 70])
def test_what_is_packed_is_what_the_chosen_rows_answer(n_chosen, n_questions):
    rng = np.random.default_rng(n_chosen)
    answers = rng.random((300, n_questions)) < 0.4
    chosen = np.zeros(300, bool)
    chosen[rng.choice(300, n_chosen, replace=False)] = True
    n_words = -(-n_chosen // 64)
    words = pack(answers)
    packed = np.full((n_words, 64 * words.shape[1]), 2**64 - 1, np.uint64)
    near = np.zeros(5, np.uint64)

    compact_rows_of(pack(chosen), n_chosen, words, packed, near)

    assert (unpack(packed[:, :n_questions].T, n_chosen) == answers[chosen].T).all()
    assert unpack(near[:n_words], 64 * n_words).sum() == n_chosen
    assert unpack(near[:n_words], n_chosen).all()


def test_counts_are_of_rows_that_say_yes_to_all_three():
    rng = np.random.default_rng(2)
    answers = rng.random((130, 40)) < 0.5
    rows = rng.random(130) < 0.6
    packed = np.ascontiguousarray(pack(answers.T).T)
    counts = np.full(16, -1, np.int64)

    count_all(pack(rows), packed, 33, 20, counts)

    both = rows & answers[:, 33] & answers[:, 20]
    assert counts.tolist() == answers[both][:, :16].sum(axis=0).tolist()
