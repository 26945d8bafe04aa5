"""The compiled backend: core's kernels over one arena, on one thread or several."""

import numpy as np

from heirwood.backends.problem import Problem, is_informed
from heirwood.backends.shares import Shares
from heirwood.core.arena import make_arena
from heirwood.core.breed import N_ATTEMPTS, breed, plant
from heirwood.core.improve import improve
from heirwood.core.inheritance import Scratch, refresh
from heirwood.core.settle import N_COLUMNS, N_ROOT
from heirwood.core.sight import DOWN, Sight
from heirwood.core.target import Target, n_counts
from heirwood.payoff import Trees

COUNTS_BYTES = 4 * 2**20  # tallies of a batch of children stay in the cache


class CpuBackend:
    """Owns the trees under handles, which are rows of the arena."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._target = problem.target.planes(problem.majority)
        self._total = problem.target.total
        rules = problem.rules
        self._arena = make_arena(problem.n_trees, rules.max_leaves)
        levels = min(rules.max_depth, rules.max_leaves - 1) + 2
        self._scratches = [
            make_scratch(self._target, self._arena.shape[1], levels, problem.block_words, n_stale=1 + rules.n_mutations)
            for _ in range(problem.n_threads)
        ]
        n_sights = problem.n_threads if is_informed(rules) else 0
        self._sights = [make_sight(problem.bank.bits, self._target, levels) for _ in range(n_sights)]
        self._shares = Shares(problem.n_threads)
        self._free = np.arange(problem.n_trees)
        self._stale = np.zeros((problem.n_trees, 1 + rules.n_mutations), np.int32)
        self._n_stale = np.zeros(problem.n_trees, np.int32)
        self._n_done = np.zeros(problem.n_trees, np.int32)
        self._ledger = np.zeros((problem.n_trees, N_COLUMNS), np.int64)
        self._held = np.zeros(problem.n_trees, bool)
        self._roots = np.zeros((problem.n_trees, N_ROOT), np.int64)
        self._parents = (np.empty(0, np.int64),) * 3  # mothers, fathers and keys of the last children

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
            self._evaluate(trees[waiting], trees[waiting], self.problem.rules.min_rows)
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
            nodes = self._arena[tree, : len(genes)]
            nodes["gene"], nodes["span"], nodes["height"], nodes["stumps"] = genes, span, height, stumps_below(span)
        n = len(trees)
        self._stale[:n, 0], self._n_stale[:n] = 0, 1
        self._evaluate(trees, trees, 0)
        self.keep(trees)
        return trees

    def breed(self, mothers: np.ndarray, fathers: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Build one child per pair; return the children's handles. They are not evaluated yet.

        Several threads build their children when they evaluate them: to wake them takes as long as to breed.
        """
        children = self._free[: len(keys)]
        self._parents = mothers, fathers, keys
        if self.problem.n_threads == 1:
            self._breed(children, slice(0, len(keys)), 0)
        return children

    def refresh(self, children: np.ndarray) -> np.ndarray:
        """Evaluate the children just bred; return what they cost, summed (see the ledger's columns)."""
        mothers = self._parents[0]
        limit = self.problem.rules.min_rows

        def breed_and_evaluate(share: slice, thread: int) -> None:
            if self.problem.n_threads > 1:
                self._breed(children, share, thread)
            self._evaluate(children, mothers, limit, share, thread)

        for scratch in self._scratches:
            scratch.spent[:] = 0
        self._shares.do(breed_and_evaluate, len(children))
        return sum(scratch.spent for scratch in self._scratches[1:]) + self._scratches[0].spent

    def record(self, handles: np.ndarray) -> Trees:
        """Return the sums and sizes of some trees."""
        hits, leaves, depth = self._roots.take(handles, axis=0).T.copy()
        return Trees(hits, leaves, depth, self._total, self._target.n_rows)

    def keep(self, handles: np.ndarray) -> None:
        """Let go of every tree but these."""
        taken = np.zeros(self.problem.n_trees, bool)
        taken[handles] = True
        self._free = (~taken).nonzero()[0]

    def genes(self, handle: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the genes of one tree, and the rows and hits of its nodes."""
        nodes = self._arena[handle, : self._arena[handle, 0]["span"]]
        return nodes["gene"].copy(), nodes["rows"].copy(), nodes["hits"].copy()

    def _breed(self, children: np.ndarray, share: slice, thread: int) -> None:
        mothers, fathers, keys = (array[share] for array in self._parents)
        rules, path = self.problem.rules, self._scratches[thread].path
        of_children = (self._stale[share], self._n_stale[share], self._n_done[share])
        breed(self._arena, mothers, fathers, children[share], keys, rules, *of_children, path)
        if self._sights:
            improve(self._arena, mothers, children[share], keys, rules, *of_children, path, self._sights[thread])

    def _evaluate(
        self, children: np.ndarray, mothers: np.ndarray, min_rows: int, share: slice = slice(None), thread: int = 0
    ) -> None:
        n = len(children)
        refresh(
            self._arena, children[share], mothers[share], self._stale[:n][share], self._n_stale[:n][share],
            self.problem.inherit, self.problem.bank.bits, self._target, min_rows, self._scratches[thread],
            self._roots, self._ledger[:n][share], self._held[:n][share],
        )  # fmt: skip


def make_sight(bits: np.ndarray, target: Target, levels: int) -> Sight:
    """Return one thread's sight."""
    return Sight(
        bits,
        target,
        np.zeros((DOWN + levels, len(target.everyone)), np.uint64),
        np.zeros(levels, np.int32),
        np.zeros((3, len(target.starts) - 1), np.int64),
    )


def make_scratch(
    target: Target,
    capacity: int,
    levels: int,
    block_words: int,
    *,
    n_stale: int = 1,
    batch: int | None = None,
) -> Scratch:
    """Return one thread's scratch.

    Parameters
    ----------
    target : Target
    capacity, levels : int
        The most nodes of a tree, and the most row sets that are alive at once.
    block_words : int
    n_stale : int
        The most stale nodes of a child.
    batch : int, optional
        Children whose tallies are kept at once. With one block a child is settled as soon as it is tallied;
        with more, a batch shares each block.
    """
    words = len(target.everyone)
    block = min(block_words, words)
    width = n_counts(len(target.starts) - 1, target.majority)
    if batch is None:
        batch = 1 if block == words else int(np.clip(COUNTS_BYTES // (capacity * width * 8), 1, 256))
    return Scratch(
        np.zeros((levels, block), np.uint64),
        np.zeros(levels, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros((batch, n_stale, levels), np.int32),
        np.zeros((batch, n_stale), np.int32),
        np.zeros((batch, capacity, width), np.int64),
        np.zeros(N_COLUMNS, np.int64),
    )


def stumps_below(span: np.ndarray) -> np.ndarray:
    """Return how many tests with two leaves each subtree has."""
    running = np.concatenate([[0], np.cumsum(span == 3)])
    return running[np.arange(len(span)) + span] - running[:-1]


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
