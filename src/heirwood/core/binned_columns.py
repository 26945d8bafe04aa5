"""The table by columns: the bin of every row, for operators that look at all tests of a column at once.

The cuts c0 < c1 < ... of a column divide its values into bins, and so do the levels of a nominal one:

    numeric   bin b: passes the tests b, b + 1, ...      a value above all cuts: bin k
    nominal   bin b: passes the test b                   a level without a test: bin k
    missing   bin k + 1

With the weights of the classes in each bin, counted in one pass over the rows at a node, every test of the
column is judged by sums over bins. A bit row would be read for each test; where a column has few tests, or the
node many rows, that is quicker, and `split` does so.
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle
from heirwood.core._jit import inner_kernel, kernel, small_kernel
from heirwood.core.bitsets import popcount


@bundle
class Columns(NamedTuple):
    """Bins, classes and weights of the rows, and what the tests of each attribute are."""

    bins: np.ndarray  # (n_binned, n_rows) uint16
    place: np.ndarray  # (n_attributes,) int32: whose bins are where; -1 for an attribute with few tests
    equals: np.ndarray  # (n_attributes,) bool: its tests ask for a level, not for a cut
    n_plain: np.ndarray  # (n_attributes,) int32: its tests that a missing value fails
    codes: np.ndarray  # (n_rows,) int32: the class of every row
    weights: np.ndarray  # (n_rows,) int64
    stakes: np.ndarray  # (n_rows,) int64: the same, or with costs the most that a row can cost


@small_kernel
def lowest(word):
    """Return the place of the lowest bit that is set: as many bits are below it."""
    return popcount(~word & (word - np.uint64(1)))


@kernel
def read_bins(bits, cumulative, missing, bins):
    """Write the bin of every row, read off the bit rows of one attribute's plain tests.

    Parameters
    ----------
    bits : (k, n_words) uint64
    cumulative : bool
        Whether a row that passes a test passes all later ones.
    missing : (n_words,) uint64
    bins : (n_rows,) uint16, updated in place
    """
    k = bits.shape[0]
    for row in range(bins.shape[0]):
        absent = (missing[row >> 6] >> np.uint64(row & 63)) & np.uint64(1)
        bins[row] = k + 1 if absent else k
    for test in range(k):
        for w in range(bits.shape[1]):
            fresh = bits[test, w]
            if cumulative and test > 0:
                fresh &= ~bits[test - 1, w]
            while fresh != 0:
                bins[64 * w + lowest(fresh)] = test
                fresh &= fresh - np.uint64(1)


@inner_kernel
def list_rows(rows, codes, stride, listed):
    """Write the numbers of the rows of a set, and where the bins of their classes start; return how many there are.

    With a stride of one that is the class itself.
    """
    n = np.int64(0)
    for w in range(rows.shape[0]):
        word = rows[w]
        while word != 0:
            row = 64 * w + lowest(word)
            listed[0, n] = row
            listed[1, n] = codes[row] * stride
            n += 1
            word &= word - np.uint64(1)
    return n


@small_kernel
def weigh_bins(bins, shift, listed, n, columns, weighted, counted, weights, counts):
    """Add the weight of each class, and where asked for the number of rows, in every bin, of the first rows listed.

    Parameters
    ----------
    bins : (n_rows,) uint16
    shift : uint64
        2**shift neighbouring bins count as one.
    listed : (2, n_rows) uint32
        Rows, and where the bins of their classes start. Unsigned: a place is not asked whether it is below zero.
    n : int
    columns : Columns
    weighted : bool
        False: all weights are one.
    counted : bool
        Whether rows are counted too.
    weights : ((n_classes + 1) * n_bins,) int64, zero on entry, updated in place
    counts : (n_bins,) int64, zero on entry, updated in place
        The last of them.
    """
    for i in range(n):
        row = np.uint64(listed[0, i])
        place = np.uint64(listed[1, i]) + (np.uint64(bins[row]) >> shift)
        weights[place] += columns.weights[row] if weighted else np.int64(1)
    if counted:
        for i in range(n):
            counts[np.uint64(bins[np.uint64(listed[0, i])]) >> shift] += 1


@small_kernel
def list_bins(n_bins, counts, occupied):
    """Write which of the first bins have any row, ascending; return how many there are."""
    n = np.int64(0)
    for b in range(n_bins):
        occupied[n] = b  # written in any case: there is nothing to guess for the processor
        if counts[b] != 0:
            n += 1
    return n


@small_kernel
def clear_bins(bins, shift, listed, n, n_bins, few, weights, counts):
    """Empty the bins: of the first `n` rows listed, where they are few, or the first ones of all classes."""
    if few:
        for i in range(n):
            b = np.uint64(bins[np.uint64(listed[0, i])]) >> shift
            counts[b] = 0
            weights[np.uint64(listed[1, i]) + b] = 0
        return
    for start in range(0, weights.shape[0], counts.shape[0]):
        for b in range(n_bins):
            weights[start + b] = 0
