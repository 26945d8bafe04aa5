"""Tally: who arrives at a stale node, and how many rows of each class at each leaf below it."""

import numpy as np

from heirwood.core._jit import small_kernel
from heirwood.core.bitset_ops import count, count_path, count_side, count_sides, narrow, narrow_twice
from heirwood.core.target import one_sweep


@small_kernel
def side_of(tree, path, level, bits, lo, hi):
    """Return the test of a node on a path, and what it is flipped by so that rows that go on pass it."""
    node = path[level]
    flip = np.uint64(0) if path[level + 1] == node + 1 else ~np.uint64(0)
    return bits[tree[node]["gene"], lo:hi], flip


@small_kernel
def walk_path(tree, path, depth, bits, lo, hi, reach):
    """Write the block's rows that arrive at path[depth] to reach[1], from everyone in reach[0].

    Two tests at a time: half the reading and writing of row sets.
    """
    rows = reach[0, : hi - lo]
    out = reach[1, : hi - lo]
    for level in range(0, depth, 2):
        test, flip = side_of(tree, path, level, bits, lo, hi)
        if level + 1 < depth:
            second, second_flip = side_of(tree, path, level + 1, bits, lo, hi)
            narrow_twice(rows, test, flip, second, second_flip, out)
        else:
            narrow(rows, test, flip, out)
        rows = out


@small_kernel
def tally_stale_leaf(tree, path, depth, bits, target, lo, hi, reach, counts):
    """Add up the classes at a leaf, path[depth], for one block: its last four tests in one sweep that stores nothing.

    Only where `one_sweep` holds, and below at least one test. Where there are fewer than four the last is asked again:
    a second time it changes nothing, and what always goes the same way is sooner done than what must be decided.
    """
    rows = reach[0, : hi - lo]
    above = max(depth - 4, 0)
    if above > 0:
        walk_path(tree, path, above, bits, lo, hi, reach)
        rows = reach[1, : hi - lo]
    last = depth - 1
    first, first_flip = side_of(tree, path, above, bits, lo, hi)
    second, second_flip = side_of(tree, path, min(above + 1, last), bits, lo, hi)
    third, third_flip = side_of(tree, path, min(above + 2, last), bits, lo, hi)
    fourth, fourth_flip = side_of(tree, path, last, bits, lo, hi)
    plane = target.planes[0 if target.majority else ~tree[path[depth]]["gene"], lo:hi]
    arrived, inside = count_path(
        rows, first, first_flip, second, second_flip, third, third_flip, fourth, fourth_flip, plane
    )
    add_counts(counts, arrived, inside, target, lo)


@small_kernel
def tally(tree, stale, parent, bits, target, lo, hi, reach, base, parents, counts):
    """Add up the classes at every leaf of the subtree at `stale`, for one block of rows.

    A preorder sweep with one row set per level and no recursion. Cost O(span * words).

    Parameters
    ----------
    tree : (capacity,) NODE
    stale : int
        The root of the subtree to tally.
    parent : int
        The node above `stale`, or -1 where that is the root.
    bits : (n_tests, n_words) uint64
        Bit j of row t says whether row j of the table passes test t.
    target : Target
    lo, hi : int
        The words of this block.
    reach : (max_depth + 2, block) uint64, updated in place
        reach[base] holds the rows of the block that arrive at `parent`, or at the root; the rest
        is scratch.
    base : int
    parents : (max_depth + 2,) int32, scratch
    counts : (capacity, n_counts) int64, updated in place
        Tallies of each leaf; the first block writes them, later ones are added.
    """
    width = hi - lo
    depth = base
    node = stale
    end = stale + tree[stale]["span"]
    if parent < 0:
        if end == 1:
            rows = reach[base, :width]
            tally_leaf(rows, rows, np.uint64(0), reach[base + 1, :width], target, ~tree[0]["gene"], lo, counts[0])
            return
        if end == 3 and one_sweep(target):
            rows = reach[base, :width]
            below = bits[tree[0]["gene"], lo:hi]
            left_label, right_label = ~tree[1]["gene"], ~tree[2]["gene"]
            tally_stump(rows, rows, np.uint64(0), below, target, left_label, right_label, lo, counts[1], counts[2])
            return
        node = 1
        parent = 0
    parents[depth] = parent
    depth += 1
    left_child = node == parent + 1
    while node < end:
        rows = reach[depth - 1, :width]
        test = bits[tree[parents[depth - 1]]["gene"], lo:hi]
        flip = np.uint64(0) if left_child else ~np.uint64(0)
        if tree[node]["gene"] < 0:
            tally_leaf(rows, test, flip, reach[depth, :width], target, ~tree[node]["gene"], lo, counts[node])
            node += 1
            left_child = False
        elif tree[node]["span"] == 3 and one_sweep(target):
            below = bits[tree[node]["gene"], lo:hi]
            left_label, right_label = ~tree[node + 1]["gene"], ~tree[node + 2]["gene"]
            tally_stump(
                rows, test, flip, below, target, left_label, right_label, lo, counts[node + 1], counts[node + 2]
            )
            node += 3
            left_child = False
        else:
            narrow(rows, test, flip, reach[depth, :width])
            parents[depth] = node
            depth += 1
            node += 1
            left_child = True
        if not left_child and node < end:
            # Climb to the ancestor whose left side ends here. Its rows are intact: deeper levels
            # only wrote below it.
            while parents[depth - 1] + 1 + tree[parents[depth - 1] + 1]["span"] != node:
                depth -= 1


@small_kernel
def tally_leaf(rows, test, flip, narrowed, target, label, lo, counts):
    """Add one leaf's rows of one block to its counts.

    `rows` are those at the parent and `test` its test; `narrowed` is scratch.
    """
    hi = lo + rows.shape[0]
    n_classes = target.starts.shape[0] - 1
    if one_sweep(target):
        plane = target.planes[0 if target.majority else label, lo:hi]
        arrived, inside = count_side(rows, test, flip, plane)
        add_counts(counts, arrived, inside, target, lo)
        return

    narrow(rows, test, flip, narrowed)
    if lo == 0:
        for c in range(counts.shape[0]):
            counts[c] = 0
    if target.majority:
        seen = 0
        for c in range(n_classes):
            if not target.weighted and c == n_classes - 1:
                break
            for p in range(target.starts[c], target.starts[c + 1]):
                found = count(narrowed, target.planes[p, lo:hi])
                counts[c] += target.scale[p] * found
                seen += found
        arrived = count(narrowed, narrowed)
        if not target.weighted:
            counts[n_classes - 1] += arrived - seen
        counts[n_classes] += arrived
    else:
        for p in range(target.starts[label], target.starts[label + 1]):
            counts[0] += target.scale[p] * count(narrowed, target.planes[p, lo:hi])
        counts[1] += count(narrowed, narrowed)


@small_kernel
def tally_stump(rows, test, flip, below, target, left_label, right_label, lo, left_counts, right_counts):
    """Add the rows of one block to the counts of two sister leaves."""
    hi = lo + rows.shape[0]
    left_plane = target.planes[0 if target.majority else left_label, lo:hi]
    right_plane = target.planes[0 if target.majority else right_label, lo:hi]
    found = count_sides(rows, test, flip, below, left_plane, right_plane)
    add_counts(left_counts, found[0], found[1], target, lo)
    add_counts(right_counts, found[2], found[3], target, lo)


@small_kernel
def add_counts(counts, arrived, inside, target, lo):
    """Add to a leaf's counts what a single sweep found; the first block finds what the last tree left."""
    last = counts.shape[0] - 1
    kept = 0 if lo == 0 else 1
    counts[0] = kept * counts[0] + inside
    if target.majority and target.starts.shape[0] == 3:
        counts[1] = kept * counts[1] + arrived - inside
    counts[last] = kept * counts[last] + arrived
