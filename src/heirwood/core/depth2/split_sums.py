"""The best test on both sides of the one on top, from sums over what was counted: many tests at once."""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.depth2.column_bins import FIRST


@small_kernel
def sum_up(n_kinds, n_cells, stay, starts, cells, passing):
    """Turn the rows of each bin into those that pass its test; nobody is left in the first two bins of a lane."""
    for kind in range(n_kinds):
        first = np.uint64(kind * n_cells)
        for lane in range(stay.shape[0]):
            start, stop = first + starts[lane], first + starts[lane + 1]
            passed = np.int64(cells[start])  # these pass every test
            for cell in range(start, start + np.uint64(FIRST)):
                passing[cell] = 0
            if stay[lane] != 0:
                for cell in range(start + np.uint64(FIRST), stop):
                    passed += cells[cell]
                    passing[cell] = passed
            else:
                for cell in range(start + np.uint64(FIRST), stop):
                    passing[cell] = passed + cells[cell]


@part_kernel
def extremes(one, other, whole_one, whole_other):
    """Return the most and the least that one class has more than another, on the left and on the right, by any test.

    Numbers are told to stay narrow at every step: Numba would widen them, and an instruction would do half as many.

    Parameters
    ----------
    one, other : (n_cells,) int32
        What passes each test and the one on top, of both classes.
    whole_one, whole_other : (n_cells,) int32
        What passes each test.
    """
    left_high = left_low = right_high = right_low = np.int32(0)
    for cell in range(one.shape[0]):
        here = np.int32(one[cell] - other[cell])
        there = np.int32(np.int32(whole_one[cell] - whole_other[cell]) - here)
        left_high, left_low = max(left_high, here), min(left_low, here)
        right_high, right_low = max(right_high, there), min(right_low, there)
    return left_high, left_low, right_high, right_low


@part_kernel
def best_stumps(n_ranked, n_cells, counts):
    """Return the hits of the best stump, or of a leaf, on the left and on the right of the test on top.

    Two classes need no look that weigh no more, on either side, than what was found for others.
    """
    weights, passed, whole = counts.weights, counts.passed, counts.whole
    most_left = np.int64(0)
    most_right = np.int64(0)
    for rank in range(1, n_ranked):
        start = rank * n_cells
        for k in range(rank):
            one, other = counts.heaviest[k], counts.heaviest[rank]
            left_one, left_other = weights[1, one], weights[1, other]
            right_one, right_other = weights[0, one] - left_one, weights[0, other] - left_other
            if left_one + left_other <= most_left and right_one + right_other <= most_right:
                continue
            passed_other = whole_other = counts.nothing[:n_cells]
            if n_ranked > 2:
                passed_other, whole_other = passed[start : start + n_cells], whole[start : start + n_cells]
            left_high, left_low, right_high, right_low = extremes(
                passed[k * n_cells : (k + 1) * n_cells],
                passed_other,
                whole[k * n_cells : (k + 1) * n_cells],
                whole_other,
            )
            most_left = max(most_left, left_other + left_high, left_one - left_low)
            most_right = max(most_right, right_other + right_high, right_one - right_low)
    return most_left, most_right


@part_kernel
def worth_of_sides(price, n_ranked, n_kinds, n_cells, lanes, counts):
    """Return what the best tree below the test on top gets right, less the price of its leaves but one."""
    sum_up(n_kinds, n_cells, lanes.stay, counts.starts, counts.left, counts.passed)
    most_left, most_right = best_stumps(n_ranked, n_cells, counts)
    leaf_left = np.int64(0)
    leaf_right = np.int64(0)
    for c in range(counts.weights.shape[1]):
        leaf_left = max(leaf_left, counts.weights[1, c])
        leaf_right = max(leaf_right, counts.weights[0, c] - counts.weights[1, c])
    left = max(np.float64(leaf_left), np.float64(most_left) - price)
    right = max(np.float64(leaf_right), np.float64(most_right) - price)
    return left + right - price
