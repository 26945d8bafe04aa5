"""From the values of a column to its cuts, its bins and its bit rows.

values   [ 0.7 | 0.1 | nan | 0.4 | 0.1 ]      cuts   0.1 | 0.4       the highest value that passes each
bins     [  2  |  0  |  3  |  1  |  0  ]      the first cut that a row passes; 2 for none, 3 where it has no value
bits     cut 0   rows 1, 4                    with `cumulative`, a row that passes a cut passes all later ones
cut 1   rows 1, 3, 4
"""

import numpy as np

from heirwood.core._jit import kernel

LOWER, UPPER = range(2)
N_CUTS, N_VALUES, N_MISSING = range(3)  # what is found of a column
BLOCK = 256  # rows whose bins are counted together
FEW = 32  # cuts that are compared with all values of a block; where there are more, others are searched
WIDTH = 16  # words of every bit row that are filled before the sweep moves on


@kernel
def choose_cuts(ordered, max_cuts, cuts, found):
    """Choose the cuts of some numeric columns, each between two neighbouring values.

    Cost O(n_columns * n_rows).

    Parameters
    ----------
    ordered : (n_columns, n_rows) float64
        The values of each column ascending, missing ones last.
    max_cuts : int
        With more gaps between neighbours than this, so many are cut, at even quantiles.
    cuts : (n_columns, 2, at most max_cuts) float64, updated in place
        The highest value that passes, and the lowest one that fails.
    found : (n_columns, 3) int64, updated in place
        The number of cuts, of distinct values, and of missing ones.
    """
    n_rows = ordered.shape[1]
    for c in range(ordered.shape[0]):
        values = ordered[c]
        n_present = n_rows
        while n_present > 0 and np.isnan(values[n_present - 1]):
            n_present -= 1
        n_values = np.int64(n_present > 0)
        for i in range(1, n_present):
            n_values += np.int64(values[i] > values[i - 1])
        n_gaps = max(n_values - 1, 0)
        n_cuts = min(n_gaps, max_cuts)
        step = np.float64(n_gaps) / np.float64(n_cuts + 1)
        chosen = np.int64(0)
        wanted = np.int64(step) if n_cuts < n_gaps else np.int64(0)
        gap = np.int64(0)
        for i in range(1, n_present):
            if chosen == n_cuts:
                break
            if values[i] > values[i - 1]:
                if gap == wanted:
                    cuts[c, LOWER, chosen] = values[i - 1]
                    cuts[c, UPPER, chosen] = values[i]
                    chosen += 1
                    wanted = np.int64(np.float64(chosen + 1) * step) if n_cuts < n_gaps else chosen
                gap += 1
        found[c, N_CUTS] = n_cuts
        found[c, N_VALUES] = n_values
        found[c, N_MISSING] = n_rows - n_present


@kernel
def bin_values(values, cuts, below, bins):
    """Write the bin of every row: the number of cuts below its value, that is the first cut that it passes.

    Parameters
    ----------
    values : (n_rows,) float64
    cuts : (n_cuts,) float64, ascending
    below : (BLOCK,) int64, scratch
    bins : (n_rows,) uint16, updated in place
        n_cuts where no cut is passed, n_cuts + 1 for a missing value.
    """
    n_rows, n_cuts = values.shape[0], cuts.shape[0]
    stride = np.int64(1)
    while n_cuts > FEW * stride:
        stride *= 2
    for start in range(0, n_rows, BLOCK):
        block, found = values[start : start + BLOCK], bins[start : start + BLOCK]  # places from 0 on: loops are vectors
        n = block.shape[0]
        for i in range(n):
            below[i] = 0
        for c in range(stride - 1, n_cuts, stride):
            cut = cuts[c]
            for i in range(n):
                below[i] += np.int64(cut < block[i])
        for i in range(n):
            value = block[i]
            low = below[i] * stride
            half = stride >> 1
            while half > 0:
                if low + half <= n_cuts and cuts[low + half - 1] < value:
                    low += half
                half >>= 1
            found[i] = n_cuts + 1 if np.isnan(value) else low


@kernel
def scatter_bins(bins, cumulative, filled, bits):
    """Set, for every row, the bit of its bin; optionally of all later bins too.

    With `cumulative`, bit row k answers "is the bin at most k", which is how all cuts of one
    column are packed in a single sweep over it. Rows whose bin is len(bits) or more are in none.
    Some words of every bit row are filled, where they lie together, before the sweep moves on.

    Parameters
    ----------
    bins : (n_rows,) uint16
        The bin of every row, from 0 to len(bits) + 1.
    cumulative : bool
        Whether bin k also belongs to every bit row after k.
    filled : (at least n_bins + 2, WIDTH) uint64, scratch
    bits : (n_bins, n_words) uint64, updated in place
    """
    n_rows = bins.shape[0]
    n_bins, n_words = bits.shape
    for start in range(0, n_words, WIDTH):
        for k in range(n_bins + 2):
            for w in range(WIDTH):
                filled[k, w] = np.uint64(0)
        for row in range(start * 64, min((start + WIDTH) * 64, n_rows)):
            filled[bins[row], (row >> 6) - start] |= np.uint64(1) << np.uint64(row & 63)
        if cumulative:
            for k in range(1, n_bins):
                for w in range(WIDTH):
                    filled[k, w] |= filled[k - 1, w]
        for k in range(n_bins):
            for w in range(start, min(start + WIDTH, n_words)):
                bits[k, w] = filled[k, w - start]
