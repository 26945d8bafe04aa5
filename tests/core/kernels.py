"""How tests call kernels: the only file here that knows their signatures and a backend's arrays."""

import numpy as np

from heirwood.backends.cpu import CpuBackend
from heirwood.core import arena as arena_kernels
from heirwood.core import breed, crossover, inheritance, mutation, sweeps
from heirwood.core import settle as settle_kernels
from heirwood.core.target import n_counts


def adopt(problem, *rows_of_genes):
    """Return a backend that owns some evaluated trees, and their handles."""
    backend = CpuBackend(problem)
    handles = backend.adopt([np.array(row, np.int32) for row in rows_of_genes])
    return backend, [int(handle) for handle in handles]


def shape_of(backend, tree):
    """Return a tree's genes, spans and heights as lists."""
    arena = backend._arena
    n = int(arena.span[tree, 0])
    return arena.genes[tree, :n].tolist(), arena.span[tree, :n].tolist(), arena.height[tree, :n].tolist()


def sums_of(backend, tree):
    """Return [(rows, hits), ...] of a tree's nodes."""
    _, rows, hits = backend.genes(tree)
    return list(zip(rows.tolist(), hits.tolist(), strict=True))


def path_to(backend, tree, node):
    """Return the ancestors of a node as `find_path` writes them."""
    path = np.zeros(backend._arena.span.shape[1], np.int32)
    depth = arena_kernels.find_path(backend._arena.span, tree, node, path)
    return path[:depth].tolist()


def copy_whole(backend, source, target):
    arena_kernels.copy_tree(backend._arena, source, target)


def mutate(backend, code, tree, node, key, slot):
    """Apply one mutation in place; return the stale node, or None beyond a limit."""
    path = np.zeros(backend._arena.span.shape[1], np.int32)
    stale = mutation.mutate(code, backend._arena, tree, node, backend.problem.rules, np.uint64(key), slot, path)
    return None if stale == mutation.BROKEN else int(stale)


def cross(backend, code, mother, father, child, key):
    """Write a child by one crossover; return [stale node], [] for nothing stale, or None beyond a limit."""
    path = np.zeros(backend._arena.span.shape[1], np.int32)
    operator = crossover.OPERATORS[code]
    stale = operator(backend._arena, mother, father, child, backend.problem.rules, np.uint64(key), path)
    if stale == crossover.BROKEN:
        return None
    return [] if stale == crossover.NOTHING_STALE else [int(stale)]


def mark_stale(spans, stale, node, old, new):
    """Return the stale nodes after the subtree at `node` went from `old` to `new` nodes."""
    marks = np.zeros(len(stale) + 1, np.int32)
    marks[: len(stale)] = stale
    n_stale = breed.mark_stale(np.array([spans], np.int32), 0, marks, len(stale), node, old, new)
    return marks[:n_stale].tolist()


def tally(backend, tree, node, block=None):
    """Tally the subtree at a node, block by block; return {leaf: counts}."""
    counts = _tally(backend, tree, node, block)
    genes, spans, _ = shape_of(backend, tree)
    return {leaf: counts[leaf].tolist() for leaf in range(node, node + spans[node]) if genes[leaf] < 0}


def settle(backend, tree, node, block=None):
    """Tally and settle the subtree at a node; return the rows at its smallest leaf."""
    counts = _tally(backend, tree, node, block)
    path = np.zeros(backend._arena.span.shape[1], np.int32)
    _, smallest = settle_kernels.settle(backend._arena, tree, node, backend._target, counts, path)
    return int(smallest)


def _tally(backend, tree, node, block):
    arena, target, bits = backend._arena, backend._target, backend.problem.bank.bits
    n_words = len(target.everyone)
    block = n_words if block is None else block
    width = n_counts(backend.problem.rules.n_classes, target.majority)
    capacity = arena.span.shape[1]
    scratch = inheritance.Scratch(
        np.zeros((capacity + 2, block), np.uint64),
        np.zeros(capacity + 2, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros((1, capacity, width), np.int64),
    )
    stale = np.array([node], np.int32)
    for lo in range(0, n_words, block):
        hi = min(lo + block, n_words)
        scratch.reach[0, : hi - lo] = target.everyone[lo:hi]
        inheritance.tally_child(arena, tree, stale, 1, True, bits, target, lo, hi, scratch, scratch.counts[0])
    return scratch.counts[0]


def reaches(backend):
    """Return the row sets of every level that the last evaluation left behind (one block, one thread)."""
    return backend._scratch.reach


def count(rows, plane):
    """Return how many rows of one packed set lie in another."""
    return int(sweeps.count(rows, plane))


def narrow(rows, test, passes):
    """Return the rows that pass or fail a test."""
    out = np.zeros_like(rows)
    sweeps.narrow(rows, test, np.uint64(0) if passes else ~np.uint64(0), out)
    return out
