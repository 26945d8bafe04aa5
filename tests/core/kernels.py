"""How tests call kernels: the only file here that knows their signatures and a backend's arrays."""

import os

import numba
import numpy as np
import pytest

from heirwood.backends.binned_columns import make_columns
from heirwood.backends.cpu import CpuBackend, make_context, make_scratch
from heirwood.backends.exact_cuts import make_exact, most_values
from heirwood.core import arena as arena_kernels
from heirwood.core import bitset_ops as sweeps
from heirwood.core import breed, crossover, inheritance, mutation
from heirwood.core import settle as settle_kernels
from heirwood.core.exact_cuts import UNRANKED


def adopt(problem, *rows_of_genes):
    """Return a backend that owns some evaluated trees, and their handles."""
    backend = CpuBackend(problem)
    handles = backend.adopt([np.array(row, np.int32) for row in rows_of_genes])
    return backend, [int(handle) for handle in handles]


def shape_of(backend, tree):
    """Return a tree's genes, spans and heights as lists."""
    nodes = backend._arena[tree, : backend._arena[tree, 0]["span"]]
    return nodes["gene"].tolist(), nodes["span"].tolist(), nodes["height"].tolist()


def sums_of(backend, tree):
    """Return [(rows, hits), ...] of a tree's nodes."""
    _, rows, hits = backend.genes(tree)
    return list(zip(rows.tolist(), hits.tolist(), strict=True))


def path_to(backend, tree, node):
    """Return the ancestors of a node as `find_path` writes them."""
    path = np.zeros(backend._arena.shape[1], np.int32)
    depth = _find_path(backend._arena[tree], node, path)
    return path[:depth].tolist()


def copy_whole(backend, source, target):
    _copy_tree(backend._arena[source], backend._arena[target])


def sight_of(backend, lent=-1):
    """Return what an informed operator sees; an exact cut may be written to the place `lent` of the bank."""
    problem = backend.problem
    columns, exact = make_columns(problem.bank, problem.target), make_exact(problem.bank)
    context = make_context(problem, backend._target, columns, exact, most_values(problem.bank), backend._arena.shape[1])
    context.values.lent[0] = lent
    return context


def from_python(kernel):
    """Return a function that Python may call, for a kernel that only kernels may."""

    @numba.njit
    def call(*arguments):
        return kernel(*arguments)

    return call


_find_path, _copy_tree = from_python(arena_kernels.find_path), from_python(arena_kernels.copy_tree)
_mark_stale, _settle = from_python(breed.mark_stale), from_python(settle_kernels.settle)
_count, _narrow = from_python(sweeps.count), from_python(sweeps.narrow)
_mutate = from_python(mutation.mutate)


def mutate(backend, code, tree, node, key, slot, context=None):
    """Apply one mutation in place; return the stale node, or None beyond a limit.

    Skips where indices are checked: each operator alone is compiled anew, half a minute in all. That lane has them
    within the kernels that improve children.
    """
    if code >= mutation.N_BLIND and os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1":
        pytest.skip("checked within improve_by_fitting and improve_by_splitting")
    path = np.zeros(backend._arena.shape[1], np.int32)
    context = sight_of(backend) if context is None else context
    nodes, rules = backend._arena[tree], backend.problem.rules
    if code < mutation.N_BLIND:
        stale = _mutate(code, nodes, node, rules, np.uint64(key), slot, path)
    else:
        look = mutation.OPERATORS[code]
        while (stale := look(nodes, node, rules, np.uint64(key), slot, path, context)) == UNRANKED:
            backend.problem.bank.exact.rank_wanted()
    return None if stale == mutation.BROKEN else int(stale)


def cross(backend, code, mother, father, child, key):
    """Write a child by one crossover; return [stale node], [] for nothing stale, or None beyond a limit."""
    path = np.zeros(backend._arena.shape[1], np.int32)
    operator = crossover.OPERATORS[code]
    trees = (backend._arena[handle] for handle in (mother, father, child))
    looking = (sight_of(backend),) if operator in crossover.INFORMED else ()
    stale = operator(*trees, backend.problem.rules, np.uint64(key), path, *looking)
    if stale == crossover.BROKEN:
        return None
    return [] if stale == crossover.NOTHING_STALE else [int(stale)]


def mark_stale(spans, stale, node, old, new):
    """Return the stale nodes after the subtree at `node` went from `old` to `new` nodes."""
    marks = np.zeros(len(stale) + 1, np.int32)
    marks[: len(stale)] = stale
    tree = np.zeros(len(spans), arena_kernels.NODE)
    tree["span"] = spans
    n_stale = _mark_stale(tree, marks, len(stale), node, old, new)
    return marks[:n_stale].tolist()


def tally(backend, tree, node, block=None):
    """Tally the subtree at a node, block by block; return {leaf: counts}."""
    counts = _tally(backend, tree, node, block)
    genes, spans, _ = shape_of(backend, tree)
    return {leaf: counts[leaf].tolist() for leaf in range(node, node + spans[node]) if genes[leaf] < 0}


def settle(backend, tree, node, block=None):
    """Tally and settle the subtree at a node; return the rows at its smallest leaf."""
    counts = _tally(backend, tree, node, block)
    path = np.array([*path_to(backend, tree, node), 0], np.int32)
    depth = len(path) - 1
    return int(_settle(backend._arena[tree], node, backend._target, counts, path, depth))


def _tally(backend, tree, node, block):
    target, bits = backend._target, backend.problem.bank.bits
    n_words = len(target.everyone)
    block = n_words if block is None else block
    capacity = backend._arena.shape[1]
    scratch = make_scratch(target, capacity, capacity + 2, block, batch=1)
    paths, depths, counts = scratch.paths[0], scratch.depths[0], scratch.counts[0]
    nodes, stale = backend._arena[tree], np.array([node], np.int32)
    inheritance.find_paths(nodes, stale, 1, paths, depths)
    counts[:] = -1  # what another tree might have left: the first block must not add to it
    for lo in range(0, n_words, block):
        hi = min(lo + block, n_words)
        scratch.reach[0, : hi - lo] = target.everyone[lo:hi]
        inheritance.tally_child(nodes, stale, 1, True, bits, target, lo, hi, scratch, paths, depths, counts)
    return counts


def reaches(backend):
    """Return the row sets of every level that the last evaluation left behind (one block, one thread)."""
    return backend._scratches[0].reach


def count(rows, plane):
    """Return how many rows of one packed set lie in another."""
    return int(_count(rows, plane))


def narrow(rows, test, passes):
    """Return the rows that pass or fail a test."""
    out = np.zeros_like(rows)
    _narrow(rows, test, np.uint64(0) if passes else ~np.uint64(0), out)
    return out
