"""The arena: trees as rows of integers in preorder, and how one is cut and joined.

A subtree is a slice, and the left child of node i is always node i + 1:

    genes   [ t4 | t1 | ~0 | ~1 | ~2 ]      t4 ── t1 ── class 0     >= 0: a test of the bank
    span    [  5 |  3 |  1 |  1 |  1 ]       │     └─── class 1      < 0: a leaf, ~gene its label
    height  [  2 |  1 |  0 |  0 |  0 ]       └── class 2
    stumps  [  1 |  1 |  0 |  0 |  0 ]      tests with two leaves: sister leaves share a sweep
    rows    [ 90 | 60 | 40 | 20 | 30 ]      rows that arrive at each node
    hits    [ 75 | 52 | 38 | 14 | 23 ]      weight that the subtree below gets right
    checks  [240 |120 | 40 | 20 | 30 ]      node-instance-checks of the subtree: its rows, summed
    node       0    1    2    3    4

Rows, hits and checks add up over branches: that is what a child inherits.
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._jit import kernel, small_kernel

# As NumPy integers: a plain constant would be a type of its own, and compile its callees once more.
ROOT = np.int64(0)
ONE = np.int64(1)


N_SHAPES, N_SUMS = 5, 2  # fields of a node: int32 and int64


class Arena(NamedTuple):
    """Room for many trees; row `handle` of every array belongs to one tree.

    The fields of a node lie side by side, so that a slice of a tree is two runs of memory. The named
    arrays are views into them.
    """

    shapes: np.ndarray  # (n_trees, capacity * N_SHAPES) int32: genes, span, height, stumps, rows of each node
    sums: np.ndarray  # (n_trees, capacity * N_SUMS) int64: hits, checks of each node
    genes: np.ndarray  # (n_trees, capacity) int32, a view
    span: np.ndarray  # (n_trees, capacity) int32, a view
    height: np.ndarray  # (n_trees, capacity) int32, a view
    stumps: np.ndarray  # (n_trees, capacity) int32, a view
    rows: np.ndarray  # (n_trees, capacity) int32, a view
    hits: np.ndarray  # (n_trees, capacity) int64, a view
    checks: np.ndarray  # (n_trees, capacity) int64, a view


def make_arena(n_trees: int, max_leaves: int) -> Arena:
    """Return an empty arena for trees of at most `max_leaves` leaves."""
    capacity = 2 * max_leaves - 1
    shapes = np.zeros((n_trees, capacity * N_SHAPES), np.int32)
    sums = np.zeros((n_trees, capacity * N_SUMS), np.int64)
    fields = [shapes[:, field::N_SHAPES] for field in range(N_SHAPES)]
    return Arena(shapes, sums, *fields, *(sums[:, field::N_SUMS] for field in range(N_SUMS)))


@small_kernel
def find_path(span, tree, node, path):
    """Write the ancestors of `node`, root first, to `path`; return how many there are.

    The way from path[i] goes left exactly when the next node is path[i] + 1.
    """
    depth = 0
    at = 0
    while at != node:
        path[depth] = at
        depth += 1
        left = at + 1
        right = left + span[tree, left]
        at = left if node < right else right
    return depth


@kernel
def copy_slice(arena, source, start, target, place, length):
    """Copy `length` nodes from `start` of one tree to `place` of another, or ahead in the same; sums included."""
    for i in range(length * N_SHAPES):
        arena.shapes[target, place * N_SHAPES + i] = arena.shapes[source, start * N_SHAPES + i]
    for i in range(length * N_SUMS):
        arena.sums[target, place * N_SUMS + i] = arena.sums[source, start * N_SUMS + i]


@small_kernel
def copy_tree(arena, source, target):
    """Copy a whole tree, its sums included."""
    copy_slice(arena, source, ROOT, target, ROOT, np.int64(arena.span[source, 0]))


@kernel
def move_tail(arena, tree, start, shift):
    """Move every node from `start` to the end of the tree by `shift` places."""
    end = np.int64(arena.span[tree, 0])
    if shift < 0:
        copy_slice(arena, tree, start, tree, start + shift, end - start)
    else:
        for node in range(end - 1, start - 1, -1):
            copy_slice(arena, tree, node, tree, node + shift, ONE)


@kernel
def grow_path(arena, tree, path, depth, growth):
    """Add `growth` to the spans along a path, and set its heights and stumps anew from below."""
    for level in range(depth):
        arena.span[tree, path[level]] += growth
    for level in range(depth - 1, -1, -1):
        node = path[level]
        left = node + 1
        right = left + arena.span[tree, left]
        height = 1 + max(arena.height[tree, left], arena.height[tree, right])
        arena.height[tree, node] = height
        arena.stumps[tree, node] = 1 if height == 1 else arena.stumps[tree, left] + arena.stumps[tree, right]


@small_kernel
def write_leaf(arena, tree, node, label):
    """Make `node` a leaf; its sums stay those of what it replaces until it is settled."""
    arena.genes[tree, node] = ~label
    arena.span[tree, node] = 1
    arena.height[tree, node] = 0
    arena.stumps[tree, node] = 0


@small_kernel
def write_stump(arena, tree, node, test, left_label, right_label):
    """Make `node` and the two places after it a test with two leaves."""
    arena.genes[tree, node] = test
    arena.span[tree, node] = 3
    arena.height[tree, node] = 1
    arena.stumps[tree, node] = 1
    write_leaf(arena, tree, node + 1, left_label)
    write_leaf(arena, tree, node + 2, right_label)
