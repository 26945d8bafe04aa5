"""Lossless fitness inheritance: after breeding, only the stale slices are tallied again.

    path    who arrives at a stale node: the tests above it, ANDed
    tally   how many rows of each class arrive at each leaf below it, by popcounts
    settle  the leaf's label, its hits, and the new sums up the path

Rows come in blocks that fit the cache. Tallies of all blocks are added, and only then is
anything decided; so blocks, threads and machines cannot change a result. No set of rows is
stored with a tree: a reach lives only as long as its block is swept.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from heirwood.core._jit import kernel, parallel_kernel, small_kernel
from heirwood.core.arena import ONE, ROOT, copy_tree, find_path
from heirwood.core.bits import popcount

# The ledger's columns: with inheritance, and what a full evaluation would have cost.
ROWS, ROWS_FULL, CHECKS, CHECKS_FULL, WORDS, WORDS_FULL = range(6)
N_COLUMNS = 6


class Target(NamedTuple):
    """What is to be predicted: the weight of each class as bit planes.

    The weight of class c on a set of rows is the sum, over its planes p in starts[c] ..
    starts[c + 1] - 1, of scale[p] * popcount(rows & planes[p]).
    """

    planes: np.ndarray  # (n_planes, n_words) uint64
    starts: np.ndarray  # (n_classes + 1,) int64
    scale: np.ndarray  # (n_planes,) int64
    everyone: np.ndarray  # (n_words,) uint64: every row, and no padding
    n_rows: int
    weighted: bool  # False: one plane per class and scale 1, so the classes add up to the rows
    majority: bool  # leaves take the heaviest class; False: the label in the gene


class Scratch(NamedTuple):
    """Working memory of one thread; nothing in it outlives a call."""

    reach: np.ndarray  # (max_depth + 2, block) uint64: one row set per level, level 0 is everyone
    parents: np.ndarray  # (max_depth + 2,) int32: the node that each level hangs from
    path: np.ndarray  # (capacity,) int32
    counts: np.ndarray  # (batch, capacity, n_counts) int64: tallies of a batch of children


def n_counts(n_classes: int, majority: bool) -> int:
    """Return the tallies per leaf: every class and the rows, or hits and rows."""
    return n_classes + 1 if majority else 2


@small_kernel
def narrow(rows, test, flip, out):
    """Write the rows that pass a test (flip 0) or fail it (flip all ones)."""
    for w in range(out.shape[0]):
        out[w] = rows[w] & (test[w] ^ flip)


@small_kernel
def narrow_twice(rows, test, flip, second, second_flip, out):
    """Write the rows on one side of two tests, in one sweep."""
    for w in range(out.shape[0]):
        out[w] = rows[w] & (test[w] ^ flip) & (second[w] ^ second_flip)


@small_kernel
def count(rows, plane):
    """Return how many rows lie in a plane."""
    total = 0
    for w in range(rows.shape[0]):
        total += popcount(rows[w] & plane[w])
    return total


@small_kernel
def count_side(rows, test, flip, plane):
    """Return how many rows lie on one side of a test, and how many of them in a plane."""
    arrived = 0
    inside = 0
    for w in range(rows.shape[0]):
        side = rows[w] & (test[w] ^ flip)
        arrived += popcount(side)
        inside += popcount(side & plane[w])
    return arrived, inside


@small_kernel
def count_sides(rows, test, flip, below, left_plane, right_plane):
    """Count both leaves of a test `below` one side of another, in one sweep and with nothing stored.

    Return the rows on its left and how many of them lie in `left_plane`; the same on its right.
    """
    left_arrived = 0
    left_inside = 0
    right_arrived = 0
    right_inside = 0
    for w in range(rows.shape[0]):
        here = rows[w] & (test[w] ^ flip)
        left = here & below[w]
        right = here & ~below[w]
        left_arrived += popcount(left)
        left_inside += popcount(left & left_plane[w])
        right_arrived += popcount(right)
        right_inside += popcount(right & right_plane[w])
    return left_arrived, left_inside, right_arrived, right_inside


@small_kernel
def one_sweep(target):
    """Say whether a leaf needs a single plane: the label's, or the first of two classes."""
    return not target.weighted and (target.starts.shape[0] <= 3 or not target.majority)


@small_kernel
def add_counts(counts, arrived, inside, target):
    """Add to a leaf's counts what a single sweep found."""
    counts[0] += inside
    if target.majority and target.starts.shape[0] == 3:
        counts[1] += arrived - inside
    counts[counts.shape[0] - 1] += arrived


@small_kernel
def tally_stump(rows, test, flip, below, target, left_label, right_label, lo, left_counts, right_counts):
    """Add the rows of one block to the counts of two sister leaves."""
    hi = lo + rows.shape[0]
    left_plane = target.planes[0 if target.majority else left_label, lo:hi]
    right_plane = target.planes[0 if target.majority else right_label, lo:hi]
    found = count_sides(rows, test, flip, below, left_plane, right_plane)
    add_counts(left_counts, found[0], found[1], target)
    add_counts(right_counts, found[2], found[3], target)


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
        add_counts(counts, arrived, inside, target)
        return

    narrow(rows, test, flip, narrowed)
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
def tally(genes, span, tree, stale, parent, bits, target, lo, hi, reach, base, parents, counts):
    """Add up the classes at every leaf of the subtree at `stale`, for one block of rows.

    A preorder sweep with one row set per level and no recursion. Cost O(span[stale] * words).

    Parameters
    ----------
    genes, span : (n_trees, capacity) int32
    tree, stale : int
        The tree, and the root of the subtree to tally.
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
        Tallies of each leaf; blocks add up.
    """
    width = hi - lo
    depth = base
    node = stale
    end = stale + span[tree, stale]
    if parent < 0:
        if end == 1:
            rows = reach[base, :width]
            tally_leaf(rows, rows, np.uint64(0), reach[base + 1, :width], target, ~genes[tree, 0], lo, counts[0])
            return
        if end == 3 and one_sweep(target):
            rows = reach[base, :width]
            below = bits[genes[tree, 0], lo:hi]
            left_label, right_label = ~genes[tree, 1], ~genes[tree, 2]
            tally_stump(rows, rows, np.uint64(0), below, target, left_label, right_label, lo, counts[1], counts[2])
            return
        node = 1
        parent = 0
    parents[depth] = parent
    depth += 1
    left_child = node == parent + 1
    while node < end:
        rows = reach[depth - 1, :width]
        test = bits[genes[tree, parents[depth - 1]], lo:hi]
        flip = np.uint64(0) if left_child else ~np.uint64(0)
        if genes[tree, node] < 0:
            tally_leaf(rows, test, flip, reach[depth, :width], target, ~genes[tree, node], lo, counts[node])
            node += 1
            left_child = False
        elif span[tree, node] == 3 and one_sweep(target):
            below = bits[genes[tree, node], lo:hi]
            left_label, right_label = ~genes[tree, node + 1], ~genes[tree, node + 2]
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
            while parents[depth - 1] + 1 + span[tree, parents[depth - 1] + 1] != node:
                depth -= 1


@small_kernel
def walk_path(genes, tree, path, depth, bits, lo, hi, reach):
    """Write the block's rows that arrive at path[depth] to reach[1], from everyone in reach[0].

    Two tests at a time: half the reading and writing of row sets.
    """
    width = hi - lo
    rows = reach[0, :width]
    out = reach[1, :width]
    level = 0
    while level < depth:
        test = bits[genes[tree, path[level]], lo:hi]
        flip = np.uint64(0) if path[level + 1] == path[level] + 1 else ~np.uint64(0)
        if level + 1 < depth:
            second = bits[genes[tree, path[level + 1]], lo:hi]
            second_flip = np.uint64(0) if path[level + 2] == path[level + 1] + 1 else ~np.uint64(0)
            narrow_twice(rows, test, flip, second, second_flip, out)
        else:
            narrow(rows, test, flip, out)
        rows = out
        level += 2


@small_kernel
def clear(counts, stale, span):
    """Forget what the last tree left in a slice of the counts."""
    for node in range(stale, stale + span):
        for c in range(counts.shape[1]):
            counts[node, c] = 0


@small_kernel
def settle(arena, tree, stale, target, counts, path):
    """Decide labels and hits of the subtree at `stale` and carry the change up to the root.

    Ties go to the lowest class; a leaf that no row reaches keeps its label. Return the depth of
    `stale` and the number of rows at its smallest leaf.
    """
    smallest = target.n_rows
    last = counts.shape[1] - 1
    hits_before = arena.hits[tree, stale]
    checks_before = arena.checks[tree, stale]
    for node in range(stale + arena.span[tree, stale] - 1, stale - 1, -1):
        if arena.genes[tree, node] < 0:
            rows = counts[node, last]
            hits = counts[node, 0]
            if target.majority and rows > 0:
                label = 0
                for c in range(1, last):
                    if counts[node, c] > hits:
                        label = c
                        hits = counts[node, c]
                arena.genes[tree, node] = ~label
            arena.rows[tree, node] = rows
            arena.hits[tree, node] = hits
            arena.checks[tree, node] = rows
            smallest = min(smallest, rows)
        else:
            left = node + 1
            right = left + arena.span[tree, left]
            rows = arena.rows[tree, left] + arena.rows[tree, right]
            arena.rows[tree, node] = rows
            arena.hits[tree, node] = arena.hits[tree, left] + arena.hits[tree, right]
            arena.checks[tree, node] = rows + arena.checks[tree, left] + arena.checks[tree, right]
    more_hits = arena.hits[tree, stale] - hits_before
    more_checks = arena.checks[tree, stale] - checks_before
    depth = find_path(arena.span, tree, stale, path)
    for level in range(depth):
        arena.hits[tree, path[level]] += more_hits
        arena.checks[tree, path[level]] += more_checks
    return depth, smallest


@small_kernel
def leaf_words(target, label):
    """Return the words that one leaf's popcounts read, per word of the table."""
    n_classes = target.starts.shape[0] - 1
    if one_sweep(target):
        return ONE
    if not target.weighted:
        return np.int64(n_classes)
    if target.majority:
        return np.int64(target.planes.shape[0] + 1)
    return target.starts[label + 1] - target.starts[label] + 1


@small_kernel
def slice_words(arena, tree, node, target):
    """Return the words that evaluating the subtree at `node` reads, once the rows that arrive are known.

    A word for each AND with a test and for each plane that is counted. Two sister leaves share
    one sweep where a single plane is enough: their test is read once, and so is their plane
    where it is the same for both.
    """
    span = np.int64(arena.span[tree, node])
    words = span - 1  # an AND for each node but its root
    if one_sweep(target):
        stumps = 0
        for i in range(node, node + span):
            stumps += arena.span[tree, i] == 3
        words += (span + 1) // 2 - stumps * (2 if target.majority else 1)
    elif target.majority:
        words += (span + 1) // 2 * leaf_words(target, ROOT)
    else:
        for i in range(node, node + span):
            if arena.genes[tree, i] < 0:
                words += leaf_words(target, ~np.int64(arena.genes[tree, i]))
    return words * target.everyone.shape[0]


@small_kernel
def tally_child(arena, tree, stale, n_stale, inherit, bits, target, lo, hi, scratch, counts):
    """Tally one block of one child: from its stale nodes, or from its root."""
    for s in range(n_stale if inherit else 1):
        node = np.int64(stale[s]) if inherit else ROOT
        depth = find_path(arena.span, tree, node, scratch.path)
        parent = np.int64(-1)
        base = 0
        if depth > 0:
            # The last test of the path is left to tally, which needs no pass of its own for it.
            parent = np.int64(scratch.path[depth - 1])
            walk_path(arena.genes, tree, scratch.path, depth - 1, bits, lo, hi, scratch.reach)
            base = 1 if depth > 1 else 0
        tally(
            arena.genes, arena.span, tree, node, parent, bits, target, lo, hi, scratch.reach, base, scratch.parents,
            counts,
        )  # fmt: skip


@small_kernel
def settle_child(arena, tree, mother, stale, n_stale, inherit, target, min_rows, scratch, counts, ledger):
    """Settle one child and write its line of the ledger; say whether it holds the limit on rows per leaf.

    The ledger tells what the child cost with inheritance, and what a full evaluation would have
    cost. It is read off the finished child, so it is the same in both modes. A child beyond the
    limit becomes its first parent, but its cost still counts.
    """
    if not inherit:
        settle(arena, tree, ROOT, target, counts, scratch.path)
    smallest = target.n_rows
    rows = 0
    checks = 0
    words = 0
    for s in range(n_stale):
        node = np.int64(stale[s])
        if inherit:
            depth, fewest = settle(arena, tree, node, target, counts, scratch.path)
        else:
            depth = find_path(arena.span, tree, node, scratch.path)
            fewest = smallest_leaf(arena, tree, node)
        smallest = min(smallest, fewest)
        rows += arena.rows[tree, node]
        checks += arena.checks[tree, node]
        words += slice_words(arena, tree, node, target) + depth * target.everyone.shape[0]
    ledger[ROWS] = rows
    ledger[ROWS_FULL] = target.n_rows
    ledger[CHECKS] = checks
    ledger[CHECKS_FULL] = arena.checks[tree, 0]
    ledger[WORDS] = words
    ledger[WORDS_FULL] = slice_words(arena, tree, ROOT, target)
    if smallest < min_rows:
        copy_tree(arena, mother, tree)
        return False
    return True


@small_kernel
def smallest_leaf(arena, tree, node):
    """Return the fewest rows at any leaf below `node`."""
    smallest = arena.rows[tree, node]
    for i in range(node, node + arena.span[tree, node]):
        if arena.genes[tree, i] < 0:
            smallest = min(smallest, arena.rows[tree, i])
    return smallest


@kernel
def refresh(arena, children, mothers, stale, n_stale, inherit, bits, target, min_rows, scratch, ledger, held):
    """Evaluate children: path, tally, settle. Equal bit for bit with `inherit` on and off.

    Parameters
    ----------
    arena : Arena, updated in place
    children, mothers : (n_children,) int64
        Handles of the trees to evaluate, and of their first parents.
    stale, n_stale : (n_children, n) int32, (n_children,) int32
    inherit : bool
        False evaluates every child from its root: the same tally, no path.
    bits : (n_tests, n_words) uint64
    target : Target
    min_rows : int
        Fewest rows a leaf may have.
    scratch : Scratch
    ledger : (n_children, N_COLUMNS) int64, updated in place
    held : (n_children,) bool, updated in place
        Whether each child held the limit on rows per leaf.
    """
    n_words = target.everyone.shape[0]
    block = scratch.reach.shape[1]
    batch = scratch.counts.shape[0]
    loaded = -1
    for start in range(0, children.shape[0], batch):
        stop = min(start + batch, children.shape[0])
        for i in range(start, stop):
            if inherit:
                for s in range(n_stale[i]):
                    clear(scratch.counts[i - start], np.int64(stale[i, s]), arena.span[children[i], stale[i, s]])
            else:
                clear(scratch.counts[i - start], ROOT, arena.span[children[i], 0])
        for lo in range(0, n_words, block):
            hi = min(lo + block, n_words)
            if loaded != lo:
                for w in range(hi - lo):
                    scratch.reach[0, w] = target.everyone[lo + w]
                loaded = lo
            for i in range(start, stop):
                tally_child(
                    arena, children[i], stale[i], n_stale[i], inherit, bits, target, lo, hi, scratch,
                    scratch.counts[i - start],
                )  # fmt: skip
        for i in range(start, stop):
            held[i] = settle_child(
                arena, children[i], mothers[i], stale[i], n_stale[i], inherit, target, min_rows, scratch,
                scratch.counts[i - start], ledger[i],
            )  # fmt: skip


@parallel_kernel
def refresh_parallel(
    arena, children, mothers, stale, n_stale, inherit, bits, target, min_rows, scratches, ledger, held
):
    """Do what `refresh` does, in as many even chunks as there are scratches (a stacked Scratch)."""
    n_chunks = scratches.reach.shape[0]
    n_children = children.shape[0]
    for chunk in prange(n_chunks):
        lo = chunk * n_children // n_chunks
        hi = (chunk + 1) * n_children // n_chunks
        scratch = Scratch(
            scratches.reach[chunk], scratches.parents[chunk], scratches.path[chunk], scratches.counts[chunk]
        )
        refresh(
            arena,
            children[lo:hi],
            mothers[lo:hi],
            stale[lo:hi],
            n_stale[lo:hi],
            inherit,
            bits,
            target,
            min_rows,
            scratch,
            ledger[lo:hi],
            held[lo:hi],
        )
