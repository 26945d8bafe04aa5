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

from heirwood.core._bundle import bundle
from heirwood.core._jit import kernel, part_kernel
from heirwood.core.arena import ROOT, find_path
from heirwood.core.settle import N_COLUMNS, settle_child, write_root
from heirwood.core.tally import tally, tally_stale_leaf, walk_path
from heirwood.core.target import one_sweep


@bundle
class Scratch(NamedTuple):
    """Working memory of one thread; nothing but the ledger outlives a call."""

    reach: np.ndarray  # (max_depth + 2, block) uint64: one row set per level, level 0 is everyone
    parents: np.ndarray  # (max_depth + 2,) int32: the node that each level hangs from
    path: np.ndarray  # (capacity,) int32, while breeding
    paths: np.ndarray  # (batch, n_stale, max_depth + 2) int32: the ancestors of each stale node of a batch, and it
    depths: np.ndarray  # (batch, n_stale) int32: how many they are
    counts: np.ndarray  # (batch, capacity, n_counts) int64: tallies of a batch of children
    spent: np.ndarray  # (N_COLUMNS,) int64: the ledger of the children of a call, summed


@part_kernel
def find_paths(tree, stale, n_stale, paths, depths):
    """Write down how to reach every stale node of a child: tally goes there, settle comes back."""
    for s in range(n_stale):
        depths[s] = find_path(tree, np.int64(stale[s]), paths[s])


@part_kernel
def tally_child(tree, stale, n_stale, inherit, bits, target, lo, hi, scratch, paths, depths, counts):
    """Tally one block of one child: from its stale nodes, or from its root."""
    for s in range(n_stale if inherit else 1):
        node = np.int64(stale[s]) if inherit else ROOT
        depth = np.int64(depths[s]) if inherit else ROOT
        if depth > 0 and tree[node]["gene"] < 0 and one_sweep(target):
            tally_stale_leaf(tree, paths[s], depth, bits, target, lo, hi, scratch.reach, counts[node])
            continue
        parent = np.int64(-1)
        base = 0
        if depth > 0:
            # The last test of the path is left to tally, which needs no pass of its own for it.
            parent = np.int64(paths[s, depth - 1])
            walk_path(tree, paths[s], depth - 1, bits, lo, hi, scratch.reach)
            base = 1 if depth > 1 else 0
        tally(tree, node, parent, bits, target, lo, hi, scratch.reach, base, scratch.parents, counts)


@kernel
def refresh(arena, children, mothers, stale, n_stale, inherit, bits, target, min_rows, scratch, roots, ledger, held):
    """Evaluate children: path, tally, settle. Equal bit for bit with `inherit` on and off.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE, updated in place
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
    roots : (n_trees, N_ROOT) int64, updated in place
        Hits, leaves and depth of each tree, by handle.
    ledger : (n_children, N_COLUMNS) int64, updated in place
    held : (n_children,) bool, updated in place
        Whether each child held the limit on rows per leaf.
    """
    n_words = target.everyone.shape[0]
    block = scratch.reach.shape[1]
    batch = scratch.counts.shape[0]
    loaded = -1
    for column in range(N_COLUMNS):
        scratch.spent[column] = 0
    for start in range(0, children.shape[0], batch):
        stop = min(start + batch, children.shape[0])
        for i in range(start, stop):
            at = i - start
            find_paths(arena[children[i]], stale[i], n_stale[i], scratch.paths[at], scratch.depths[at])
        for lo in range(0, n_words, block):
            hi = min(lo + block, n_words)
            if loaded != lo:
                for w in range(hi - lo):
                    scratch.reach[0, w] = target.everyone[lo + w]
                loaded = lo
            for i in range(start, stop):
                at = i - start
                tally_child(
                    arena[children[i]], stale[i], n_stale[i], inherit, bits, target, lo, hi, scratch,
                    scratch.paths[at], scratch.depths[at], scratch.counts[at],
                )  # fmt: skip
        for i in range(start, stop):
            at = i - start
            held[i] = settle_child(
                arena[children[i]], arena[mothers[i]], stale[i], n_stale[i], inherit, target, min_rows,
                scratch.paths[at], scratch.depths[at], scratch.counts[at], ledger[i],
            )  # fmt: skip
            for column in range(N_COLUMNS):
                scratch.spent[column] += ledger[i, column]
            write_root(arena[children[i]], roots[children[i]])
