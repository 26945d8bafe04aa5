"""The tests of each column in the order they are tried, and who is counted where."""

from typing import NamedTuple

import numpy as np

from heirwood.core._jit import part_kernel

NOBODY, ABSENT = np.int64(-1), np.int64(-2)  # bins of rows that pass no test of a lane, or every one
BLOCK = 16  # lanes that are summed at once


class Lanes(NamedTuple):
    """The lanes of a table, and the classes of its rows."""

    bins: np.ndarray  # (n_lanes, n_rows) int32, or NOBODY, ABSENT
    tests: np.ndarray  # (n_lanes, n_bins + 1) int32: the test of each bin; after a nominal twin's, what is missing
    n_bins: np.ndarray  # (n_lanes,) int32
    stay: np.ndarray  # (n_lanes,) int32: -1 where a row passes all later tests too, 0 where only its own
    duels: np.ndarray  # (n_duels, 2) int32: every two classes, the lower one first
    codes: np.ndarray  # (n_rows,) int32: the class of every row
    weights: np.ndarray  # (n_rows,) int64


class Counts(NamedTuple):
    """Working memory: what passes two tests.

    A cell is a bin, a duel of two classes and a lane, and says how many more rows are of the first than of the second.
    The cells of BLOCK lanes lie together, so that one instruction does many.
    """

    listed: np.ndarray  # (2, n_rows) int32
    bins: np.ndarray  # (n_rows, n_lanes) int32: of those in use, or NOBODY, ABSENT
    cells: np.ndarray  # (n_rows, n_lanes) int32: where each row is counted, for the first duel
    order: np.ndarray  # (n_rows,) int32: rows by their bin in one lane
    ends: np.ndarray  # (n_bins + 4,) int32: where each bin ends there
    asked: np.ndarray  # (n_lanes, n_bins + 1) int32: the test of each bin in use
    used: np.ndarray  # (n_lanes,) int32: how many are
    blocks: np.ndarray  # (n_blocks, 2) int64: where the cells of a block start, and its most bins
    whole: np.ndarray  # (n_cells,) int32: of all rows that pass a test,
    left: np.ndarray  # (n_cells,) int32: and of those in each bin that pass the test on top
    sums: np.ndarray  # (N_SUMS * BLOCK,) int32
    weights: np.ndarray  # (2, n_classes) int64: of all rows, and of those that pass the test on top


@part_kernel
def list_bins(lanes, n, counts):
    """Count off the bins that are in use in each lane, and say for each row which are its own."""
    numbers = counts.ends
    for lane in range(lanes.bins.shape[0]):
        k = np.int64(lanes.n_bins[lane])
        for b in range(k):
            numbers[b] = 0
        for i in range(n):
            b = lanes.bins[lane, counts.listed[0, i]]
            if b >= 0:
                numbers[b] = 1
        used = np.int64(0)
        for b in range(k):
            if numbers[b] > 0:
                numbers[b] = used
                counts.asked[lane, used] = lanes.tests[lane, b]
                used += 1
        for i in range(n):
            b = lanes.bins[lane, counts.listed[0, i]]
            counts.bins[i, lane] = numbers[b] if b >= 0 else b
        if lanes.tests[lane, k] >= 0:
            counts.asked[lane, used] = lanes.tests[lane, k]
            used += 1
        counts.used[lane] = used


@part_kernel
def place_rows(n, n_duels, counts):
    """Find where each row is counted; return the number of cells.

    Rows that pass every test of a lane, or none, have cells of their own, after all bins.
    """
    n_lanes = counts.bins.shape[1]
    n_cells = np.int64(0)
    for block in range(counts.blocks.shape[0]):
        first, last = block * BLOCK, min((block + 1) * BLOCK, n_lanes)
        most = np.int64(0)
        for lane in range(first, last):
            most = max(most, np.int64(counts.used[lane]))
        counts.blocks[block, 0] = n_cells
        counts.blocks[block, 1] = most
        for i in range(n):
            for lane in range(first, last):
                b = np.int64(counts.bins[i, lane])
                if b < 0:
                    b = most if b == ABSENT else most + 1
                counts.cells[i, lane] = n_cells + b * n_duels * BLOCK + lane - first
        n_cells += (most + 2) * n_duels * BLOCK
    return n_cells


@part_kernel
def sort_rows(n, lane, counts):
    """Order the rows by their bin in a lane, those that pass all its tests before, those that pass none after."""
    ends = counts.ends
    k = np.int64(counts.used[lane])
    for place in range(k + 3):
        ends[place] = 0
    for turn in range(2):
        for i in range(n):
            b = np.int64(counts.bins[i, lane])
            place = b + 1 if b >= 0 else (0 if b == ABSENT else k + 1)
            if turn == 0:
                ends[place + 1] += 1
            else:
                counts.order[ends[place]] = i
                ends[place] += 1
        if turn == 0:
            for place in range(1, k + 3):
                ends[place] += ends[place - 1]
