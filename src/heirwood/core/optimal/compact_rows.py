"""Compact rows: the answers of a node's rows to all tests, copied into dense words.

Deep in a tree a node has few rows, spread over all words of the table. Moved together they take a word or two, and
every count below is as much shorter. Words are kept one by one with all questions side by side, so that a count takes
many questions at once.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.binned_columns import lowest
from heirwood.core.bitsets import WORD, popcount

ALL = ~np.uint64(0)
LANES = 16  # tests that a processor counts at once: then no rest is counted one by one


@part_kernel
def words_of(n_rows):
    """Return the words that so many rows take."""
    return (n_rows + WORD - 1) // WORD


@inner_kernel
def transpose(block):
    """Let bit i of word j become bit j of word i; 64 words, in place."""
    shift = np.uint64(32)
    mask = ALL >> shift
    while shift > 0:
        step = np.int64(shift)
        for start in range(0, WORD, 2 * step):
            for i in range(start, start + step):
                moved = ((block[i] >> shift) ^ block[i + step]) & mask
                block[i + step] ^= moved
                block[i] ^= moved << shift
        shift >>= np.uint64(1)
        mask ^= mask << shift


@inner_kernel
def compact_rows_of(rows, n_rows, answers, packed, near):
    """Write the questions to some rows, with the gaps between these closed, and the rows as such.

    Parameters
    ----------
    rows : (n_words,) uint64
    n_rows : int
        How many they are.
    answers : (n_all, n_blocks) uint64
        Of every row of the table.
    packed : (words_of(n_rows), 64 * n_blocks) uint64, updated in place
    near : (words_of(n_rows) or more,) uint64, updated in place
    """
    n_blocks = answers.shape[1]
    n = np.int64(0)
    for w in range(rows.shape[0]):
        word = rows[w]
        while word != 0:
            row = WORD * w + lowest(word)
            for block in range(n_blocks):
                packed[n // WORD, WORD * block + n % WORD] = answers[row, block]
            n += 1
            word &= word - np.uint64(1)
    last = packed.shape[0] - 1
    for block in range(n_blocks):
        for i in range(n - WORD * last, WORD):
            packed[last, WORD * block + i] = 0
        for w in range(packed.shape[0]):
            transpose(packed[w, WORD * block : WORD * (block + 1)])
    for w in range(packed.shape[0]):
        near[w] = ALL if n_rows >= WORD * (w + 1) else ALL >> np.uint64(WORD * (w + 1) - n_rows)


@part_kernel
def n_slots(n_tests):
    """Return the places that tests take: whole lanes. Those that are left over are asked, and nobody passes."""
    return (n_tests + LANES - 1) // LANES * LANES


@inner_kernel
def count_compact(near, packed, question):
    """Return how many rows answer yes to one question."""
    total = np.int64(0)
    for w in range(packed.shape[0]):
        total += popcount(near[w] & packed[w, question])
    return total


@small_kernel
def count_all(near, packed, question, other, counts):
    """Write how many rows answer yes to a question, to another one, and to each of the tests."""
    rows, words = near[0] & packed[0, question] & packed[0, other], packed[0]
    for test in range(counts.shape[0]):
        counts[test] = popcount(rows & words[test])
    for w in range(1, packed.shape[0]):
        rows, words = near[w] & packed[w, question] & packed[w, other], packed[w]
        if rows != 0:
            for test in range(counts.shape[0]):
                counts[test] += popcount(rows & words[test])


@part_kernel
def narrow_compact(near, packed, test, flip, out):
    """Write the rows that pass a test (flip 0) or fail it (flip all ones)."""
    for w in range(packed.shape[0]):
        out[w] = near[w] & (packed[w, test] ^ flip)
