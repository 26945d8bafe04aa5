"""The best test on both sides of the one on top, from sums over what was counted: many columns at once."""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.low.lanes import BLOCK

N_SUMS = 6
STAY, PASSED, LEFT_HIGH, LEFT_LOW, RIGHT_HIGH, RIGHT_LOW = range(0, N_SUMS * BLOCK, BLOCK)


@part_kernel
def begin_sums(block, stay, sums):
    """Start the sums of a block of lanes at nothing."""
    for k in range(N_SUMS * BLOCK):
        sums[k] = 0
    for j in range(min(BLOCK, stay.shape[0] - block * BLOCK)):
        sums[STAY + j] = stay[block * BLOCK + j]


@part_kernel
def sum_up(n_duels, stay, counts):
    """Turn the rows of each bin into those that pass its test, of all rows."""
    sums = counts.sums
    for block in range(counts.blocks.shape[0]):
        start, n_bins = counts.blocks[block]
        for duel in range(n_duels):
            begin_sums(block, stay, sums)
            absent = start + (n_bins * n_duels + duel) * BLOCK
            for b in range(n_bins):
                at = start + (b * n_duels + duel) * BLOCK
                for j in range(BLOCK):
                    here = (sums[STAY + j] & sums[PASSED + j]) + counts.whole[at + j] + counts.whole[absent + j]
                    sums[PASSED + j] = here
                    counts.whole[at + j] = here


@part_kernel
def sum_sides(start, n_bins, n_duels, duel, counts):
    """Find, for every lane of a block, the most and the least that a test leaves to either side of the test on top.

    Numbers are told to stay narrow at every step: Numba would widen them, and an instruction would do half as many.
    """
    sums = counts.sums
    absent = counts.left[start + (n_bins * n_duels + duel) * BLOCK :]
    for b in range(n_bins):
        at = start + (b * n_duels + duel) * BLOCK
        left, whole = counts.left[at:], counts.whole[at:]
        for j in range(BLOCK):
            stayed = np.int32(sums[STAY + j] & sums[PASSED + j])
            here = np.int32(stayed + left[j] + absent[j])
            there = np.int32(whole[j] - here)
            sums[PASSED + j] = here
            sums[LEFT_HIGH + j] = max(sums[LEFT_HIGH + j], here)
            sums[LEFT_LOW + j] = min(sums[LEFT_LOW + j], here)
            sums[RIGHT_HIGH + j] = max(sums[RIGHT_HIGH + j], there)
            sums[RIGHT_LOW + j] = min(sums[RIGHT_LOW + j], there)


@part_kernel
def best_stumps(lanes, counts):
    """Return the hits of the best stump, or of a leaf, on the left and on the right of the test on top."""
    sums, weights = counts.sums, counts.weights
    n_duels = lanes.duels.shape[0]
    most_left = np.int64(0)
    most_right = np.int64(0)
    for block in range(counts.blocks.shape[0]):
        start, n_bins = counts.blocks[block]
        for duel in range(n_duels):
            begin_sums(block, lanes.stay, sums)
            sum_sides(start, n_bins, n_duels, duel, counts)
            one, other = lanes.duels[duel]
            for j in range(BLOCK):
                most_left = max(
                    most_left, weights[1, other] + sums[LEFT_HIGH + j], weights[1, one] - sums[LEFT_LOW + j]
                )
                most_right = max(
                    most_right,
                    weights[0, other] - weights[1, other] + sums[RIGHT_HIGH + j],
                    weights[0, one] - weights[1, one] - sums[RIGHT_LOW + j],
                )
    return most_left, most_right


@part_kernel
def worth_of_sides(price, lanes, counts):
    """Return what the best tree below the test on top gets right, less the price of its leaves but one."""
    most_left, most_right = best_stumps(lanes, counts)
    leaf_left = np.int64(0)
    leaf_right = np.int64(0)
    for c in range(counts.weights.shape[1]):
        leaf_left = max(leaf_left, counts.weights[1, c])
        leaf_right = max(leaf_right, counts.weights[0, c] - counts.weights[1, c])
    left = max(np.float64(leaf_left), np.float64(most_left) - price)
    right = max(np.float64(leaf_right), np.float64(most_right) - price)
    return left + right - price
