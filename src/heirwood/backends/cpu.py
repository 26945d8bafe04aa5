"""The compiled backend: core's kernels over one arena, on one thread or several."""

from collections.abc import Iterator
from contextlib import contextmanager

import numba
import numpy as np

from heirwood.backends.problem import Problem
from heirwood.core.arena import make_arena
from heirwood.core.breed import N_ATTEMPTS, breed, breed_parallel, plant
from heirwood.core.inheritance import Scratch, refresh, refresh_parallel
from heirwood.core.settle import N_COLUMNS
from heirwood.core.target import Target, n_counts
from heirwood.payoff import Trees

N_CORES: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
COUNTS_BYTES = 4 * 2**20  # tallies of a batch of children stay in the cache


class CpuBackend:
    """Owns the trees under handles, which are rows of the arena."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._target = problem.target.planes(problem.majority)
        self._total = problem.target.total
        rules = problem.rules
        self._arena = make_arena(problem.n_trees, rules.max_leaves)
        self._scratch = make_scratch(
            self._target,
            2 * rules.max_leaves - 1,
            min(rules.max_depth, rules.max_leaves - 1) + 2,
            problem.block_words,
            stack=() if problem.n_threads == 1 else (problem.n_threads,),
        )
        self._free = np.arange(problem.n_trees)
        self._stale = np.zeros((problem.n_trees, 1 + rules.n_mutations), np.int32)
        self._n_stale = np.zeros(problem.n_trees, np.int32)
        self._ledger = np.zeros((problem.n_trees, N_COLUMNS), np.int64)
        self._held = np.zeros(problem.n_trees, bool)
        self._mothers = np.empty(0, np.int64)

    def start(self, keys: np.ndarray) -> np.ndarray:
        """Plant and evaluate one tree for each key; return their handles.

        A tree is the first of sixteen draws that holds the limits, else a single leaf.
        """
        trees = self._free[: len(keys)].copy()
        waiting = np.arange(len(keys))
        for attempt in range(N_ATTEMPTS + 1):
            n = len(waiting)
            stale, n_stale = self._stale[:n], self._n_stale[:n]
            plant(self._arena, trees[waiting], keys[waiting], self.problem.rules, attempt, stale, n_stale)
            self._evaluate(trees[waiting], trees[waiting])
            waiting = waiting[~self._held[:n]]
            if len(waiting) == 0:
                break
        self.keep(trees)
        return trees

    def adopt(self, rows_of_genes: list[np.ndarray]) -> np.ndarray:
        """Take in and evaluate trees given as genes; return their handles."""
        trees = self._free[: len(rows_of_genes)].copy()
        for tree, genes in zip(trees, rows_of_genes, strict=True):
            span, height = spans_and_heights(genes)
            self._arena.stumps[tree, : len(genes)] = stumps_below(span)
            self._arena.genes[tree, : len(genes)] = genes
            self._arena.span[tree, : len(genes)] = span
            self._arena.height[tree, : len(genes)] = height
        n = len(trees)
        self._stale[:n, 0], self._n_stale[:n] = 0, 1
        self._evaluate(trees, trees, min_rows=0)
        self.keep(trees)
        return trees

    def breed(self, mothers: np.ndarray, fathers: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Build one child per pair; return the children's handles. They are not evaluated yet."""
        n = len(keys)
        children = self._free[:n]
        stale, n_stale = self._stale[:n], self._n_stale[:n]
        shell = (self._arena, mothers, fathers, children, keys, self.problem.rules, stale, n_stale)
        if self.problem.n_threads == 1:
            breed(*shell, self._scratch.path)
        else:
            with threads(self.problem.n_threads):
                breed_parallel(*shell, self._scratch.path)
        self._mothers = mothers
        return children

    def refresh(self, children: np.ndarray) -> np.ndarray:
        """Evaluate the children just bred; return what they cost, summed (see the ledger's columns)."""
        self._evaluate(children, self._mothers)
        return self._ledger[: len(children)].sum(axis=0)

    def record(self, handles: np.ndarray) -> Trees:
        """Return the sums and sizes of some trees."""
        arena = self._arena
        leaves = (arena.span[handles, 0].astype(np.int64) + 1) >> 1
        depth = arena.height[handles, 0].astype(np.int64)
        return Trees(arena.hits[handles, 0], leaves, depth, self._total, self._target.n_rows)

    def keep(self, handles: np.ndarray) -> None:
        """Let go of every tree but these."""
        taken = np.zeros(self.problem.n_trees, bool)
        taken[handles] = True
        self._free = (~taken).nonzero()[0]

    def genes(self, handle: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the genes of one tree, and the rows and hits of its nodes."""
        arena = self._arena
        n = arena.span[handle, 0]
        return arena.genes[handle, :n].copy(), arena.rows[handle, :n].copy(), arena.hits[handle, :n].copy()

    def _evaluate(self, children: np.ndarray, mothers: np.ndarray, min_rows: int | None = None) -> None:
        problem = self.problem
        n = len(children)
        work = (
            self._arena,
            children,
            mothers,
            self._stale[:n],
            self._n_stale[:n],
            problem.inherit,
            problem.bank.bits,
            self._target,
            problem.rules.min_rows if min_rows is None else min_rows,
            self._scratch,
            self._ledger[:n],
            self._held[:n],
        )
        if problem.n_threads == 1:
            refresh(*work)
        else:
            with threads(problem.n_threads):
                refresh_parallel(*work)


def make_scratch(
    target: Target, capacity: int, levels: int, block_words: int, *, batch: int | None = None, stack: tuple = ()
) -> Scratch:
    """Return one thread's scratch, or several stacked.

    Parameters
    ----------
    target : Target
    capacity, levels : int
        The most nodes of a tree, and the most row sets that are alive at once.
    block_words : int
    batch : int, optional
        Children whose tallies are kept at once. With one block a child is settled as soon as it is tallied;
        with more, a batch shares each block.
    stack : tuple
        (), or the number of scratches.
    """
    words = len(target.everyone)
    block = min(block_words, words)
    width = n_counts(len(target.starts) - 1, target.majority)
    if batch is None:
        batch = 1 if block == words else int(np.clip(COUNTS_BYTES // (capacity * width * 8), 1, 256))
    return Scratch(
        np.zeros((*stack, levels, block), np.uint64),
        np.zeros((*stack, levels), np.int32),
        np.zeros((*stack, capacity), np.int32),
        np.zeros((*stack, batch, capacity, width), np.int64),
    )


def stumps_below(span: np.ndarray) -> np.ndarray:
    """Return how many tests with two leaves each subtree has."""
    running = np.concatenate([[0], np.cumsum(span == 3)])
    return running[np.arange(len(span)) + span] - running[:-1]


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Let parallel kernels use n threads, or as many as there are; chunks stay n either way.

    The number belongs to the whole process, so it is put back.
    """
    before = numba.get_num_threads()
    numba.set_num_threads(min(n, N_CORES))
    try:
        yield
    finally:
        numba.set_num_threads(before)


def spans_and_heights(genes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the span and height of every node of a tree in preorder."""
    span = np.ones(len(genes), np.int32)
    height = np.zeros(len(genes), np.int32)
    for node in range(len(genes) - 1, -1, -1):
        if genes[node] >= 0:
            left = node + 1
            right = left + span[left]
            span[node] = 1 + span[left] + span[right]
            height[node] = 1 + max(height[left], height[right])
    return span, height
