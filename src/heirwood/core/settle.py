"""Settle: a leaf's label and hits, the new sums up the path, and the child's line of the ledger."""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.arena import ROOT, copy_tree
from heirwood.core.leaf_loss import COSTS, LOG_LOSS, loss_avoided
from heirwood.core.mistake_costs import cheapest
from heirwood.core.target import leaf_words, one_sweep

# The ledger's columns: with inheritance, and what a full evaluation would have cost.
ROWS, ROWS_FULL, CHECKS, CHECKS_FULL, WORDS, WORDS_FULL = range(6)
N_COLUMNS = 6

# What is told of a whole tree: its hits, leaves and depth.
ROOT_HITS, ROOT_LEAVES, ROOT_DEPTH = range(3)
N_ROOT = 3


@small_kernel
def settle(tree, stale, target, counts, path, depth):
    """Decide labels and hits of the subtree at `stale` and carry the change up to the root.

    `path` holds the `depth` ancestors of `stale`. Ties go to the lowest class; a leaf that no row
    reaches keeps its label. Return the number of rows at the smallest leaf.
    """
    smallest = target.n_rows
    last = counts.shape[1] - 1
    hits_before = tree[stale]["hits"]
    checks_before = tree[stale]["checks"]
    for node in range(stale + tree[stale]["span"] - 1, stale - 1, -1):
        if tree[node]["gene"] < 0:
            rows = counts[node, last]
            hits = counts[node, 0]
            if target.majority and rows > 0:
                label = 0
                if target.hits_are == COSTS:
                    label, hits = cheapest(counts[node], target.gains)
                else:
                    for c in range(1, last):
                        if counts[node, c] > hits:
                            label = c
                            hits = counts[node, c]
                    if target.hits_are >= LOG_LOSS:
                        hits = loss_avoided(counts[node], counts[node], np.int64(0), target)
                tree[node]["gene"] = ~label
            tree[node]["rows"] = rows
            tree[node]["hits"] = hits
            tree[node]["checks"] = rows
            smallest = min(smallest, rows)
        else:
            left = node + 1
            right = left + tree[left]["span"]
            rows = tree[left]["rows"] + tree[right]["rows"]
            tree[node]["rows"] = rows
            tree[node]["hits"] = tree[left]["hits"] + tree[right]["hits"]
            tree[node]["checks"] = rows + tree[left]["checks"] + tree[right]["checks"]
    more_hits = tree[stale]["hits"] - hits_before
    more_checks = tree[stale]["checks"] - checks_before
    for level in range(depth):
        tree[path[level]]["hits"] += more_hits
        tree[path[level]]["checks"] += more_checks
    return smallest


@part_kernel
def settle_child(tree, mother, stale, n_stale, inherit, target, min_rows, paths, depths, counts, ledger):
    """Settle one child and write its line of the ledger; say whether it holds the limit on rows per leaf.

    The ledger tells what the child cost with inheritance, and what a full evaluation would have
    cost. It is read off the finished child, so it is the same in both modes. A child beyond the
    limit becomes its first parent, but its cost still counts.
    """
    if not inherit:
        settle(tree, ROOT, target, counts, paths[0], ROOT)
    smallest = target.n_rows
    rows = 0
    checks = 0
    words = 0
    for s in range(n_stale):
        node = np.int64(stale[s])
        depth = np.int64(depths[s])
        fewest = settle(tree, node, target, counts, paths[s], depth) if inherit else smallest_leaf(tree, node)
        smallest = min(smallest, fewest)
        rows += tree[node]["rows"]
        checks += tree[node]["checks"]
        words += slice_words(tree, node, target) + depth * target.everyone.shape[0]
    ledger[ROWS] = rows
    ledger[ROWS_FULL] = target.n_rows
    ledger[CHECKS] = checks
    ledger[CHECKS_FULL] = tree[0]["checks"]
    ledger[WORDS] = words
    ledger[WORDS_FULL] = slice_words(tree, ROOT, target)
    if n_stale > 0 and smallest < min_rows:
        copy_tree(mother, tree)
        return False
    return True


@small_kernel
def write_root(tree, root):
    """Write down what the loop asks of a tree, while its root is at hand."""
    root[ROOT_HITS] = tree[0]["hits"]
    root[ROOT_LEAVES] = (tree[0]["span"] + 1) // 2
    root[ROOT_DEPTH] = tree[0]["height"]


@small_kernel
def slice_words(tree, node, target):
    """Return the words that evaluating the subtree at `node` reads, once the rows that arrive are known.

    A word for each AND with a test and for each plane that is counted. Two sister leaves share
    one sweep where a single plane is enough: their test is read once, and so is their plane
    where it is the same for both.
    """
    span = np.int64(tree[node]["span"])
    words = span - 1  # an AND for each node but its root
    if one_sweep(target):
        words += (span + 1) // 2 - tree[node]["stumps"] * (2 if target.majority else 1)
    elif target.majority:
        words += (span + 1) // 2 * leaf_words(target, ROOT)
    else:
        for i in range(node, node + span):
            if tree[i]["gene"] < 0:
                words += leaf_words(target, ~np.int64(tree[i]["gene"]))
    return words * target.everyone.shape[0]


@small_kernel
def smallest_leaf(tree, node):
    """Return the fewest rows at any leaf below `node`."""
    smallest = tree[node]["rows"]
    for i in range(node, node + tree[node]["span"]):
        if tree[i]["gene"] < 0:
            smallest = min(smallest, tree[i]["rows"])
    return smallest
