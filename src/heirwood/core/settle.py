"""Settle: a leaf's label and hits, the new sums up the path, and the child's line of the ledger."""

import numpy as np

from heirwood.core._jit import small_kernel
from heirwood.core.arena import ROOT, copy_tree, find_path
from heirwood.core.target import leaf_words, one_sweep

# The ledger's columns: with inheritance, and what a full evaluation would have cost.
ROWS, ROWS_FULL, CHECKS, CHECKS_FULL, WORDS, WORDS_FULL = range(6)
N_COLUMNS = 6


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
    if n_stale > 0 and smallest < min_rows:
        copy_tree(arena, mother, tree)
        return False
    return True


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
        words += (span + 1) // 2 - arena.stumps[tree, node] * (2 if target.majority else 1)
    elif target.majority:
        words += (span + 1) // 2 * leaf_words(target, ROOT)
    else:
        for i in range(node, node + span):
            if arena.genes[tree, i] < 0:
                words += leaf_words(target, ~np.int64(arena.genes[tree, i]))
    return words * target.everyone.shape[0]


@small_kernel
def smallest_leaf(arena, tree, node):
    """Return the fewest rows at any leaf below `node`."""
    smallest = arena.rows[tree, node]
    for i in range(node, node + arena.span[tree, node]):
        if arena.genes[tree, i] < 0:
            smallest = min(smallest, arena.rows[tree, i])
    return smallest
