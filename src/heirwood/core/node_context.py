"""The context of an informed operator at a node: the rows that arrive there, and what a test would make of them.

A blind operator draws; an informed one draws several times and takes the best. Row sets here are as wide as
the table, since a test is judged on all of its rows at once.
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle
from heirwood.core._jit import inner_kernel, part_kernel
from heirwood.core.arena import find_path
from heirwood.core.binned_columns import Columns
from heirwood.core.bitset_ops import count, narrow, unite_both
from heirwood.core.entropy import tidiness
from heirwood.core.exact_cuts import Exact, Values
from heirwood.core.leaf_loss import COSTS, HITS, LOG_LOSS, loss_avoided
from heirwood.core.mistake_costs import cheapest, cheapest_sides
from heirwood.core.target import Target

# What a good split is: few errors (or low costs), or pure sides, by either measure.
ERRORS, GINI, ENTROPY = np.int64(0), np.int64(1), np.int64(2)
NO_TEST = np.int64(-1)
TWO = np.int64(2)  # sides, or the first criteria, to draw from
HERE, ONE_SIDE, OTHER_SIDE, DOWN = range(4)  # row sets: all at the node, something of its sides, a way down


# A node that is grown: its test, if any; what it would be as a leaf; where its right side starts and its subtree
# ends; and what the subtree gets right, less the price of its further leaves.
GROWN = np.dtype(
    [
        ("test", np.int32),
        ("label", np.int32),
        ("right", np.int32),
        ("end", np.int32),
        ("hits", np.int64),
        ("worth", np.float64),
    ]
)


@bundle
class NodeContext(NamedTuple):
    """The table, and working memory of one thread."""

    bits: np.ndarray  # (n_tests, n_words) uint64
    target: Target
    columns: Columns
    exact: Exact
    values: Values
    rows: np.ndarray  # (DOWN + n_levels, n_words) uint64, row sets: of a tree, and of what is grown
    listed: np.ndarray  # (2, n_rows) uint32, the rows of one of them and where the bins of their classes start
    parents: np.ndarray  # (n_levels,) int32
    weights: np.ndarray  # (3, n_classes) int64: of all rows at a node; on the left of a test, now and at best
    binned: np.ndarray  # ((n_classes + 1) * n_bins,) int64: weights in each bin of a column, and rows
    counts: np.ndarray  # (n_bins,) int64: the last of them, rows in each bin
    occupied: np.ndarray  # (n_bins,) uint32: those with any row; the two before are zero between two uses
    lefts: np.ndarray  # (n_classes + 1, n_bins) int64: weights on the left of each test of a column, and rows
    most: np.ndarray  # (2, n_bins) int64: the heaviest of them on either side, or other sums of whole numbers
    sums: np.ndarray  # (4, n_bins) float64: what they come to
    grown: np.ndarray  # (n,) GROWN: a subtree as it is grown, in preorder
    split_cache: np.ndarray  # (n,) ENTRY: the best tests for rows that came before
    logs: np.ndarray  # (n,) int64: n log n, for entropy
    stop: np.ndarray  # (1,) int64: not zero once nobody waits any more; what is found after that is of no use
    total: np.int64  # the weight of all rows


@inner_kernel
def size_of(rows):
    """Return how many rows a set has; a call, for sweeps that are not worth compiling again at every place."""
    return count(rows, rows)


@inner_kernel
def keep_side(rows, test, flip, out):
    """Write the rows on one side of a test, likewise."""
    narrow(rows, test, flip, out)


@inner_kernel
def see(tree, node, path, context):
    """Write the rows that arrive at `node` to its row set HERE; return the node's depth."""
    rows = context.rows[HERE]
    for w in range(rows.shape[0]):
        rows[w] = context.target.everyone[w]
    depth = find_path(tree, node, path)
    for level in range(depth):
        following = path[level + 1] if level + 1 < depth else node
        flip = np.uint64(0) if following == path[level] + 1 else ~np.uint64(0)
        narrow(rows, context.bits[tree[path[level]]["gene"]], flip, rows)
    return depth


@inner_kernel
def weigh(rows, target, weights):
    """Write the weight of each class among some rows."""
    for c in range(target.starts.shape[0] - 1):
        weights[c] = 0
        for p in range(target.starts[c], target.starts[c + 1]):
            weights[c] += target.scale[p] * count(rows, target.planes[p])


@part_kernel
def weight_of_all(weights):
    """Return what all classes weigh together."""
    total = np.int64(0)
    for c in range(weights.shape[0]):
        total += weights[c]
    return total


@part_kernel
def heaviest(weights):
    """Return the heaviest class; ties go to the lowest."""
    best = np.int64(0)
    for c in range(1, weights.shape[0]):
        if weights[c] > weights[best]:
            best = np.int64(c)
    return best


@inner_kernel
def best_label(weights, target):
    """Return the label of a leaf with some weights of the classes, and its hits."""
    if target.hits_are == COSTS:
        return cheapest(weights, target.gains)
    label = heaviest(weights)
    if target.hits_are == HITS:
        return label, weights[label]
    return label, loss_avoided(weights, weights, np.int64(0), target)


@part_kernel
def most_hits(weights, target):
    """Return the hits of leaves that make no mistake, given the weight of each class."""
    most = np.int64(0)
    for c in range(target.gains.shape[0]):
        most += weights[c] * (target.most_loss if target.hits_are >= LOG_LOSS else target.gains[c, c])
    return most


@inner_kernel
def judge(left, whole, criterion, target, logs):
    """Return how good a split is: the hits that two leaves would have, or how pure they would be.

    Floats in a fixed order of operations: the same everywhere.
    """
    if criterion == ENTROPY:
        return np.float64(tidiness(left, whole, logs))
    if criterion == ERRORS:
        if target.hits_are == COSTS:
            return np.float64(cheapest_sides(left, whole, target.gains))
        if target.hits_are >= LOG_LOSS:
            return np.float64(
                loss_avoided(left, whole, np.int64(0), target) + loss_avoided(left, whole, np.int64(1), target)
            )
        most_left = left[0]
        most_right = whole[0] - left[0]
        for c in range(1, left.shape[0]):
            most_left = max(most_left, left[c])
            most_right = max(most_right, whole[c] - left[c])
        return np.float64(most_left + most_right)
    sum_left = 0.0
    sum_right = 0.0
    squares_left = 0.0
    squares_right = 0.0
    for c in range(left.shape[0]):
        here = np.float64(left[c])
        there = np.float64(whole[c] - left[c])
        sum_left += here
        sum_right += there
        squares_left += here * here
        squares_right += there * there
    return squares_left / sum_left + squares_right / sum_right


@inner_kernel
def is_purer(left, whole, score):
    """Say whether Gini's measure of a split is more than a score: by products, quicker than dividing."""
    sum_left = 0.0
    sum_right = 0.0
    squares_left = 0.0
    squares_right = 0.0
    for c in range(left.shape[0]):
        here = np.float64(left[c])
        there = np.float64(whole[c] - left[c])
        sum_left += here
        sum_right += there
        squares_left += here * here
        squares_right += there * there
    return squares_left * sum_right + squares_right * sum_left > score * (sum_left * sum_right)


@inner_kernel
def mark_right(tree, start, context, marked):
    """Mark those of the rows HERE that the subtree at `start` would get right, were they all sent there.

    Return the loss that its leaves would avoid with the shares of these rows, where hits are that; else 0. A preorder
    sweep with one row set per level, from DOWN on, and no recursion.
    """
    avoided = np.int64(0)
    for w in range(marked.shape[0]):
        marked[w] = np.uint64(0)
    end = start + tree[start]["span"]
    node = start
    depth = 0
    left_child = True
    while node < end:
        rows = context.rows[HERE]
        if depth > 0:
            flip = np.uint64(0) if left_child else ~np.uint64(0)
            above = context.rows[HERE] if depth == 1 else context.rows[DOWN + depth - 1]
            rows = context.rows[DOWN + depth]
            narrow(above, context.bits[tree[context.parents[depth - 1]]["gene"]], flip, rows)
        if tree[node]["gene"] < 0:
            if context.target.hits_are >= LOG_LOSS:
                weigh(rows, context.target, context.weights[0])
                avoided += loss_avoided(context.weights[0], context.weights[0], np.int64(0), context.target)
            label = ~tree[node]["gene"]
            for p in range(context.target.starts[label], context.target.starts[label + 1]):
                unite_both(marked, rows, context.target.planes[p])
            left_child = False
        else:
            context.parents[depth] = node
            depth += 1
            left_child = True
        node += 1
        if not left_child and node < end:
            while context.parents[depth - 1] + 1 + tree[context.parents[depth - 1] + 1]["span"] != node:
                depth -= 1
    return avoided
