"""The compiled backend: core's kernels over one arena, on one thread or several."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from heirwood.backends.aligned_alloc import aligned_zeros
from heirwood.backends.binned_columns import make_columns
from heirwood.backends.depth2_search import Depth2Search
from heirwood.backends.exact_cuts import make_exact, most_values
from heirwood.backends.lookahead import Lookahead
from heirwood.backends.optimal_search import OptimalSearch, repeated
from heirwood.backends.problem import Problem, is_informed, narrowed
from heirwood.backends.work_shares import WorkShares
from heirwood.core._jit import Typed
from heirwood.core.arena import make_arena
from heirwood.core.binned_columns import Columns
from heirwood.core.bitsets import n_words
from heirwood.core.breed import N_ATTEMPTS, breed, plant
from heirwood.core.entropy import make_logs
from heirwood.core.exact_cuts import Exact, Values, read_places
from heirwood.core.greedy import MOST_LEVELS
from heirwood.core.informed_breeding import improve_by_fitting, improve_by_splitting
from heirwood.core.inheritance import Scratch, refresh
from heirwood.core.node_context import DOWN, GROWN, NodeContext
from heirwood.core.settle import N_COLUMNS, N_ROOT
from heirwood.core.split_cache import ENTRY, N_CACHED, UNKNOWN
from heirwood.core.target import Target, n_counts
from heirwood.core.tree_hash import write_tree_hashes
from heirwood.data.cut_slots import CutSlots
from heirwood.data.exact_cuts import NOBODY, Gap
from heirwood.payoff import Trees

COUNTS_BYTES = 4 * 2**20  # tallies of a batch of children stay in the cache
HANDLE, KEY = np.dtype(np.int64), np.dtype(np.uint64)
# Words of a bit row, or of all of them, from which on so many children are bred before somebody looks whether it must
# end. With less, a generation takes no longer than anybody would wait for.
FEW_AT_ONCE = ((2**14, 2**25, 1), (2**11, 2**22, 8), (2**64, 2**19, 32))
WEIGHED = 4  # times the planes: what a look at all words takes with weights, which are counted plane by plane
ADAPTED = frozenset({"inner_odds", "leaf_odds", "price"})  # rules that no best test depends on (`core.recall`)


class CpuBackend:
    """Owns the trees under handles, which are rows of the arena."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._target = problem.target.planes(problem.majority)
        self._total = problem.target.total
        rules = problem.rules
        self._arena = make_arena(problem.n_trees, rules.max_leaf_nodes)
        levels = min(rules.max_depth, rules.max_leaf_nodes - 1) + 2
        self._scratches = [
            make_scratch(self._target, self._arena.shape[1], levels, problem.block_words, n_stale=1 + rules.n_mutations)
            for _ in range(problem.n_threads)
        ]
        self._contexts: list[NodeContext] = []
        self._pairs: Depth2Search | None = None
        if is_informed(rules):
            columns = make_columns(problem.bank, problem.target)
            exact = make_exact(problem.bank)
            self._contexts = [
                make_context(problem, self._target, columns, exact, most_values(problem.bank), levels)
                for _ in self._scratches
            ]
        self._room = None if problem.bank.exact is None else CutSlots(problem.bank)
        self._shares = WorkShares(problem.n_threads)
        self._free = np.arange(problem.n_trees)
        self._stale = np.zeros((problem.n_trees, 1 + rules.n_mutations), np.int32)
        self._n_stale = np.zeros(problem.n_trees, np.int32)
        self._n_done = np.zeros(problem.n_trees, np.int32)
        self._used = np.zeros(problem.n_trees, np.int32)
        self._ledger = np.zeros((problem.n_trees, N_COLUMNS), np.int64)
        self._held = np.zeros(problem.n_trees, bool)
        self._lent = np.full(problem.n_trees, -1, np.int32)
        self._roots = np.zeros((problem.n_trees, N_ROOT), np.int64)
        self._bred: tuple = ()  # all about the last children, see `_about`
        self._must_end: Callable[[], bool] | None = None
        self.n_bred = 0  # of the last children, how many were built before it had to end
        self._breed_blindly, self._refresh = Typed(breed), Typed(refresh)

    def start(self, keys: np.ndarray) -> np.ndarray:
        """Plant and evaluate one tree for each key; return their handles.

        A tree is the first of sixteen draws that holds the limits, else a single leaf.
        """
        trees = self._free[: len(keys)].copy()
        waiting = np.arange(len(keys))
        for attempt in range(N_ATTEMPTS + 1):
            n = len(waiting)
            stale, n_stale = self._stale[:n], self._n_stale[:n]
            planted = trees[waiting]
            plant(self._arena, planted, keys[waiting], self.problem.rules, attempt, stale, n_stale)
            self._evaluate(self._about(planted, planted, planted, keys), 0, self.problem.rules.min_rows)
            waiting = waiting[~self._held[:n]]
            if len(waiting) == 0:
                break
        self._let_go(trees)
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
        self._evaluate(self._about(trees, trees, trees, trees), 0, 0)
        self._let_go(trees)
        return trees

    def breed(
        self, mothers: np.ndarray, fathers: np.ndarray, keys: np.ndarray, must_end: Callable[[], bool] | None = None
    ) -> np.ndarray:
        """Build one child per pair; return the children's handles. They are not evaluated yet.

        Several threads build their children when they evaluate them: they need to be called once only. Where it must
        end before all are built, the handles are those of the first ones; what several threads built, `n_bred` says.
        """
        children = self._free[: len(keys)]
        if self._room is not None:
            self._lent[: len(keys)] = self._room.lend(len(keys))
        # Kernels take arrays as they come (see `Typed`), so they come as they should.
        mothers, fathers = np.ascontiguousarray(mothers, HANDLE), np.ascontiguousarray(fathers, HANDLE)
        self._bred = self._about(mothers, fathers, children, np.ascontiguousarray(keys, KEY))
        self._must_end = must_end
        self.n_bred = len(keys)
        if self.problem.n_threads > 1:
            return children
        at_once = self._n_at_once
        if must_end is None or at_once >= len(keys):
            self._breed(self._bred, 0)
            return children
        for start in range(0, len(keys), at_once):
            self._breed(tuple(array[start : start + at_once] for array in self._bred), 0)
            if must_end():
                self.n_bred = start
                break
        return children[: self.n_bred]

    @property
    def _n_at_once(self) -> int:
        """Children that are bred before somebody looks whether it must end."""
        if not self._contexts:  # who only draws is quick
            return self.problem.n_trees
        n_words = len(self._target.everyone)
        n_in_all = self.problem.bank.bits.size * (WEIGHED * len(self._target.planes) if self._target.weighted else 1)
        for of_a_row, of_all, n_children in FEW_AT_ONCE:
            if n_words >= of_a_row or n_in_all >= of_all:
                return n_children
        return self.problem.n_trees

    def refresh(self, children: np.ndarray) -> np.ndarray:
        """Evaluate the children just bred; return what they cost, summed (see the ledger's columns)."""
        limit = self.problem.rules.min_rows
        if self.problem.n_threads == 1:
            mothers, fathers, trees, keys, *rest = self._bred
            n = len(children)
            self._evaluate((mothers[:n], fathers[:n], trees[:n], keys[:n], *rest), 0, limit)
            return self._scratches[0].spent.copy()
        spent = np.zeros((self.problem.n_threads, N_COLUMNS), np.int64)
        unbred = [len(children)]

        at_once = self._n_at_once

        def breed_and_evaluate(share: slice, thread: int) -> None:
            for start in range(share.start, share.stop, at_once):
                mine = tuple(array[start : min(start + at_once, share.stop)] for array in self._bred)
                if self._must_end is not None and self._must_end():
                    unbred.append(start)
                    return
                self._breed(mine, thread)
                self._evaluate(mine, thread, limit)
                spent[thread] += self._scratches[thread].spent
                if self.problem.is_stopped:
                    unbred.append(start)
                    return

        self._shares.do(breed_and_evaluate, len(children))
        self.n_bred = min(unbred)
        total: np.ndarray = spent.sum(axis=0)
        return total

    def record(self, handles: np.ndarray) -> Trees:
        """Return the sums and sizes of some trees."""
        hits, leaves, depth = self._roots.take(handles, axis=0).T.copy()
        return Trees(hits, leaves, depth, self._total, self._target.n_rows, worst=self.problem.target.worst_loss)

    def tree_hashes(self, handles: np.ndarray) -> np.ndarray:
        """Return a number for each tree, the same for trees whose leaves get as many rows and hits."""
        found = np.zeros(len(handles), np.uint64)
        write_tree_hashes(self._arena, handles, found)
        return found

    def operators(self, children: np.ndarray) -> np.ndarray:
        """Return the operator of the last mutation of each child just bred; -1 for none."""
        return self._used[: len(children)].copy()

    def adapt(self, **rules: Any) -> None:
        """Change rules of breeding, from the next generation on: those that are `ADAPTED`."""
        if not rules.keys() <= ADAPTED:
            raise ValueError(f"only {sorted(ADAPTED)} may change in a run, not {sorted(rules.keys() - ADAPTED)}")
        self.problem = replace(self.problem, rules=self.problem.rules._replace(**rules))

    def keep(self, handles: np.ndarray) -> None:
        """Let go of every tree but these, and of tests that joined the bank and that none of them asks."""
        self._let_go(handles)
        if self._room is None:
            return
        room, asked = self._room, np.zeros(self._room.n_places, bool)
        same = np.arange(room.n_fixed, room.n_fixed + room.n_places, dtype=np.int32)
        read_places(self._arena, handles, room.n_fixed, same, asked)
        numbers = room.settle(asked)
        if numbers is not None:
            read_places(self._arena, handles, room.n_fixed, numbers, asked)

    def optimum(self, tests: np.ndarray, price: int, levels: int) -> OptimalSearch:
        """Return a search for the best tree over some tests of the bank, on as many copies of each row as it weighs."""
        problem, target = self.problem, self.problem.target
        copies = target.copies()
        bits = repeated(problem.bank.bits[tests], len(target.codes), copies)
        fewest = max(problem.rules.min_rows, 1)
        return OptimalSearch(bits, tests, target.codes[copies], target.n_classes, price, levels, fewest)

    def lookahead(self) -> Lookahead:
        """Return what looks ahead on the table; only where some operator looks at rows."""
        return Lookahead(lambda: self.problem.rules, self._contexts[0], self.problem.bank.exact)

    def hold(self, gap: Gap) -> int:
        """Return a test that asks a cut of a gap and stays until `release`; -1 where no place is left for one."""
        return NOBODY if self._room is None else self._room.hold(gap)

    def release(self) -> None:
        """Hold no test any more."""
        if self._room is not None:
            self._room.release()

    def narrowed(self, tests: np.ndarray) -> "CpuBackend":
        """Return a backend that looks at some tests of the bank alone."""
        return CpuBackend(narrowed(self.problem, tests))

    def pairs(self) -> Depth2Search:
        """Return what finds the best tree of two levels for some rows; only where that can be done (`can_pair`).

        All who ask share one, and its memory.
        """
        if self._pairs is None:
            self._pairs = Depth2Search(self.problem.bank, self._contexts[0].columns, self.problem.target.n_classes)
        return self._pairs

    def _let_go(self, handles: np.ndarray) -> None:
        taken = np.zeros(self.problem.n_trees, bool)
        taken[handles] = True
        self._free = (~taken).nonzero()[0]

    def genes(self, handle: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the genes of one tree, and the rows and hits of its nodes."""
        nodes = self._arena[handle, : self._arena[handle, 0]["span"]]
        return nodes["gene"].copy(), nodes["rows"].copy(), nodes["hits"].copy()

    def _about(self, mothers: np.ndarray, fathers: np.ndarray, trees: np.ndarray, keys: np.ndarray) -> tuple:
        """Return all that kernels read and write of some trees, one array each; they may be longer than the trees."""
        each = self._stale, self._n_stale, self._n_done, self._used, self._lent, self._ledger, self._held
        return mothers, fathers, trees, keys, *each

    def _breed(self, bred: tuple, thread: int) -> None:
        mothers, fathers, children, keys, stale, n_stale, n_done, used, _, _, _ = bred
        rules, path = self.problem.rules, self._scratches[thread].path
        self._breed_blindly.call(
            self._arena, mothers, fathers, children, keys, rules, stale, n_stale, n_done, used, path
        )  # fmt: skip
        if self._contexts:
            self._improve(bred, thread)

    def _improve(self, bred: tuple, thread: int) -> None:
        for _ in range(max(self.problem.rules.n_mutations, 1)):  # a turn does at least one step of every child
            self._fit(bred, thread)
            self._split(bred, thread)

    def _fit(self, bred: tuple, thread: int = 0) -> None:
        mothers, fathers, children, keys, stale, n_stale, n_done, used, lent, _, _ = bred
        rules, path, context = self.problem.rules, self._scratches[thread].path, self._contexts[thread]
        while improve_by_fitting(
            self._arena, mothers, fathers, children, keys, rules, stale, n_stale, n_done, used, lent, path, context
        ):  # fmt: skip
            assert self.problem.bank.exact is not None
            self.problem.bank.exact.rank_wanted()

    def _split(self, bred: tuple, thread: int = 0) -> None:
        mothers, _, children, keys, stale, n_stale, n_done, used, _, _, _ = bred
        rules, path, context = self.problem.rules, self._scratches[thread].path, self._contexts[thread]
        improve_by_splitting(
            self._arena, mothers, children, keys, rules, stale, n_stale, n_done, used, path, context
        )  # fmt: skip

    def compile_fitting(self) -> None:
        """Compile a half of the informed operators, by improving nobody."""
        self._fit(self._nobody())

    def compile_splitting(self) -> None:
        """Compile the other half of them."""
        self._split(self._nobody())

    def _nobody(self) -> tuple:
        nobody = np.empty(0, np.int64)
        return self._about(nobody, nobody, nobody, nobody.view(np.uint64))

    def _evaluate(self, bred: tuple, thread: int, min_rows: int) -> None:
        mothers, _, trees, _, stale, n_stale, _, _, _, ledger, held = bred
        problem, scratch = self.problem, self._scratches[thread]
        self._refresh.call(
            self._arena, trees, mothers, stale, n_stale, problem.inherit, problem.bank.bits, self._target, min_rows,
            scratch, self._roots, ledger, held,
        )  # fmt: skip


def make_context(
    problem: Problem, target: Target, columns: Columns, exact: Exact, n_values: int, levels: int
) -> NodeContext:
    """Return one thread's context, for cuts of columns with at most so many values."""
    bits, stop, total = problem.bank.bits, problem.stop, int(problem.target.weights.sum())
    n_classes = len(target.starts) - 1
    n_bins = int(columns.n_plain.max(initial=0)) + 2
    levels = max(levels, int(MOST_LEVELS) + 2)  # what is grown may have more of them before it is cut back
    binned = aligned_zeros(((n_classes + 1) * n_bins,), np.int64)
    return NodeContext(
        bits,
        target,
        columns,
        exact,
        Values(
            aligned_zeros((n_values, 2), np.int64),
            aligned_zeros((n_words(n_values),), np.uint64),
            aligned_zeros((1,), np.int64),
        ),
        aligned_zeros((DOWN + levels, len(target.everyone)), np.uint64),
        aligned_zeros((2, target.n_rows), np.uint32),
        aligned_zeros((levels,), np.int32),
        aligned_zeros((3, n_classes), np.int64),
        binned,
        binned[n_classes * n_bins :],
        aligned_zeros((n_bins,), np.uint32),
        aligned_zeros((n_classes + 1, n_bins), np.int64),
        aligned_zeros((2, n_bins), np.int64),
        aligned_zeros((4, n_bins), np.float64),
        aligned_zeros((2 << int(MOST_LEVELS),), GROWN),
        make_split_cache(),
        make_logs(total),
        stop,
        np.int64(total),
    )


def make_split_cache() -> np.ndarray:
    """Return room for the best tests of rows, with nothing noted."""
    cache = aligned_zeros((N_CACHED,), ENTRY)
    cache["test"] = UNKNOWN
    return cache


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
        aligned_zeros((levels, block), np.uint64),
        aligned_zeros((levels,), np.int32),
        aligned_zeros((capacity,), np.int32),
        aligned_zeros((batch, n_stale, levels), np.int32),
        aligned_zeros((batch, n_stale), np.int32),
        aligned_zeros((batch, capacity, width), np.int64),
        aligned_zeros((N_COLUMNS,), np.int64),
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
