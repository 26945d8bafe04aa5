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
from heirwood.core.arena import ROOT, find_path
from heirwood.core.settle import settle_child
from heirwood.core.tally import clear, tally, walk_path


class Scratch(NamedTuple):
    """Working memory of one thread; nothing in it outlives a call."""

    reach: np.ndarray  # (max_depth + 2, block) uint64: one row set per level, level 0 is everyone
    parents: np.ndarray  # (max_depth + 2,) int32: the node that each level hangs from
    path: np.ndarray  # (capacity,) int32
    counts: np.ndarray  # (batch, capacity, n_counts) int64: tallies of a batch of children


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
