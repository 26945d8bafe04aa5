"""The tests of each column in the order they are tried, and who is counted where.

No bundles: loops here write to some arrays while they read others, and those of a bundle would be looked up again after
every number that is written (a seventh of the time, decision 0031).
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._jit import part_kernel

ABSENT, NOBODY = np.uint16(0), np.uint16(1)  # bins of rows that pass every test of a lane, or none;
FIRST = 2  # the others come after them


class Lanes(NamedTuple):
    """The lanes of a table, and the classes of its rows."""

    bins: np.ndarray  # (n_lanes, n_rows) uint16: from FIRST on, or ABSENT, NOBODY
    tests: np.ndarray  # (n_lanes, n_bins + 1) int32: the test of each bin; after a nominal twin's, what is missing
    n_bins: np.ndarray  # (n_lanes,) int32: not counting ABSENT and NOBODY
    stay: np.ndarray  # (n_lanes,) int32: -1 where a row passes all later tests too, 0 where only its own
    codes: np.ndarray  # (n_rows,) int32: the class of every row
    weights: np.ndarray  # (n_rows,) int64


class Counts(NamedTuple):
    """Working memory: what passes two tests.

    A cell is a class, a lane and a bin, in this order, and says what the rows there weigh. Where only two classes
    arrive they share their cells, and these say how much more the first ones weigh. The cells of a class lie together,
    those of all lanes, so that one instruction compares many with those of another.
    """

    listed: np.ndarray  # (2, n_rows) int32
    bins: np.ndarray  # (n_rows, n_lanes + 1) uint16: of those in use; the last one is the row's class
    heft: np.ndarray  # (n_rows,) int32: what each row weighs
    order: np.ndarray  # (n_rows,) int32: rows by their bin in one lane
    ends: np.ndarray  # (n_bins + 4,) int32: where each bin ends there
    asked: np.ndarray  # (n_lanes, n_bins + 1) int32: the test of each bin in use
    used: np.ndarray  # (n_lanes,) int32: how many are
    starts: np.ndarray  # (n_lanes + 1,) uint64: where the cells of each lane start, after those of a class do
    places: np.ndarray  # (n_classes, 2) int32: whose cells a class has, and the sign it has there
    heaviest: np.ndarray  # (n_classes,) int32: the classes that arrive
    whole: np.ndarray  # (n_cells,) int32: of all rows that pass a test,
    left: np.ndarray  # (n_cells,) int32: of those in each bin that pass the test on top,
    passed: np.ndarray  # (n_cells,) int32: and of those that pass both
    nothing: np.ndarray  # (n_cells of a class,) int32: zeros, for an absent class
    weights: np.ndarray  # (2, n_classes) int64: of all rows, and of those that pass the test on top


@part_kernel
def rank_classes(n, lanes, counts):
    """Weigh the rows, and order the classes that arrive, of equals the lower one first; return how many there are.

    Each has cells of its own but where there are two: these share theirs.
    """
    weights = counts.weights[0]
    for c in range(weights.shape[0]):
        weights[c] = 0
    for i in range(n):
        weight = lanes.weights[counts.listed[0, i]]
        counts.heft[i] = weight
        weights[counts.listed[1, i]] += weight
    n_ranked = np.int64(0)
    for _ in range(weights.shape[0]):
        heaviest = np.int64(0)
        for c in range(weights.shape[0]):
            if weights[c] > weights[heaviest]:
                heaviest = np.int64(c)
        if weights[heaviest] == 0:  # the others do not arrive
            break
        weights[heaviest] = 0
        counts.heaviest[n_ranked] = heaviest
        counts.places[heaviest, 0] = n_ranked
        counts.places[heaviest, 1] = 1
        n_ranked += 1
    if n_ranked == 2:
        counts.places[counts.heaviest[1], 0] = 0
        counts.places[counts.heaviest[1], 1] = -1
    return n_ranked


@part_kernel
def list_bins(lanes, n, counts):
    """Count off the bins that are in use in each lane, and say for each row which are its own."""
    numbers = counts.ends
    n_lanes = lanes.bins.shape[0]
    for lane in range(n_lanes):
        k = np.int64(lanes.n_bins[lane])
        for b in range(FIRST + k):
            numbers[b] = 0
        for i in range(n):
            numbers[lanes.bins[lane, counts.listed[0, i]]] = 1
        numbers[ABSENT], numbers[NOBODY] = ABSENT, NOBODY
        used = np.int64(0)
        spare = lanes.tests[lane, k] >= 0  # what is missing: the first level that nobody has divides like that
        for b in range(k):
            if numbers[FIRST + b] > 0 or spare:
                spare = spare and numbers[FIRST + b] > 0
                numbers[FIRST + b] = FIRST + used
                counts.asked[lane, used] = lanes.tests[lane, b]
                used += 1
        for i in range(n):
            counts.bins[i, lane] = numbers[lanes.bins[lane, counts.listed[0, i]]]
        if spare:
            counts.asked[lane, used] = lanes.tests[lane, k]
            used += 1
        counts.used[lane] = used
    for i in range(n):
        counts.bins[i, n_lanes] = counts.listed[1, i]


@part_kernel
def place_lanes(counts):
    """Find where the cells of each lane are; return how many a class has."""
    n_lanes = counts.used.shape[0]
    for lane in range(n_lanes):
        counts.starts[lane + 1] = counts.starts[lane] + np.uint64(FIRST + counts.used[lane])
    return np.int64(counts.starts[n_lanes])


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
            place = b - 1 if b >= FIRST else (0 if b == ABSENT else k + 1)
            if turn == 0:
                ends[place + 1] += 1
            else:
                counts.order[ends[place]] = i
                ends[place] += 1
        if turn == 0:
            for place in range(1, k + 3):
                ends[place] += ends[place - 1]
