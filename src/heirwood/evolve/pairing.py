"""Pairing: the lowest levels of good trees become the best there are for the rows that arrive at them.

Operators look at some tests; here all of them are tried. The lowest two levels of many trees are searched at once
(`core.low`), the lowest three of the best tree bit by bit (`sweep`). What was found for some rows is remembered:
trees of one population share most of their parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from heirwood.backends import Backend
from heirwood.backends.depth2_cost import answers_for_a_pair
from heirwood.core.target import Target
from heirwood.evolve.sweep import PAIR, TRIPLE, Depth2Search, Sweep

CANDIDATES = 32  # trees, the best ones, whose parts are looked at
MOST_ANSWERS = 2**24  # for one part
MOST_KNOWN, MOST_SWEEPS = 2**14, 2**8  # parts that are remembered
MOST_SAVED = 64  # generations whose answers may be saved up


@dataclass
class Subtree:
    """A part of a tree: where it is, who arrives, and what it gets right."""

    node: int
    span: int
    height: int
    depth: int
    rows: np.ndarray  # (n_words,) uint64
    n_rows: int
    hits: int

    def worth(self, price: float) -> float:
        """Return its hits, less the price of its leaves but one."""
        return self.hits - price * ((self.span + 1) // 2 - 1)


@dataclass(frozen=True)
class Sapling:
    """A tree, and what it is on its rows."""

    genes: np.ndarray
    rows: np.ndarray
    hits: np.ndarray

    def low_parts(self, levels: int, bits: np.ndarray, everyone: np.ndarray) -> list[Subtree]:
        """Return the parts with so many levels or fewer that are not parts of such a part, in preorder."""
        found: list[Subtree] = []

        def visit(node: int, rows: np.ndarray, depth: int) -> Subtree:
            part = Subtree(node, 1, 0, depth, rows, int(self.rows[node]), int(self.hits[node]))
            if self.genes[node] < 0:
                return part
            passing = bits[self.genes[node]]
            left = visit(node + 1, rows & passing, depth + 1)
            mark = len(found)
            right = visit(node + 1 + left.span, rows & ~passing, depth + 1)
            part.height = 1 + max(left.height, right.height)
            part.span = 1 + left.span + right.span
            if part.height > levels:
                found[mark:mark] = [left] if left.height <= levels else []
                found.extend([right] if right.height <= levels else [])
            return part

        root = visit(0, everyone, 0)
        return found if root.height > levels else [root]

    def with_parts(self, better: list[tuple[Subtree, list[int]]]) -> np.ndarray:
        """Return the tree with other parts in the place of some, given in preorder."""
        pieces: list[np.ndarray] = []
        end = 0
        for part, genes in better:
            pieces += [self.genes[end : part.node], np.array(genes)]
            end = part.node + part.span
        return np.concatenate([*pieces, self.genes[end:]]).astype(np.int32)


@dataclass
class Pairing:
    """Improves the best trees of a population, part by part.

    Parameters
    ----------
    target : Target
    price : float
        Of a leaf.
    allowance : int
        Answers that could be looked at in the time that one generation has for this.
    """

    target: Target
    price: float
    allowance: int
    credit: int = 0
    pairs: Depth2Search | None = None  # until they are needed
    known: dict[bytes, tuple[float, list[int]]] = field(default_factory=dict)
    sweeps: dict[bytes, Sweep] = field(default_factory=dict)
    costs: dict[int, int] = field(default_factory=dict)  # in answers, of a pair for so many rows
    paired: set[int] = field(default_factory=set)  # hashes of trees whose parts of two levels are known,
    swept: set[int] = field(default_factory=set)  # and of three

    def improve(self, payoffs: np.ndarray, handles: np.ndarray, backend: Backend) -> list[tuple[int, np.ndarray]]:
        """Return better trees than some that were not looked at yet, and the places of those."""
        self.credit = min(self.credit + self.allowance, MOST_SAVED * self.allowance)
        best = np.argsort(-payoffs, kind="stable")[:CANDIDATES]
        marks = dict(zip(best.tolist(), backend.tree_hashes(handles[best]).tolist(), strict=True))
        offers: dict[int, np.ndarray] = {}
        for improve, seen in ((self.with_pairs, self.paired), (self.with_triples, self.swept)):
            for place, mark in marks.items():
                if self.credit <= 0:
                    break
                if mark in seen or place in offers:
                    continue
                better, is_done = improve(Sapling(*backend.genes(int(handles[place]))), backend)
                if is_done:
                    seen.add(mark)
                if better is not None:
                    offers[place] = better
        return list(offers.items())

    def with_pairs(self, tree: Sapling, backend: Backend) -> tuple[np.ndarray | None, bool]:
        """Return a tree with better parts of two levels, or None if there are none; and that no more is to be done."""
        better = []
        for part in self._parts(tree, PAIR, backend):
            key = part.rows.tobytes()
            if key not in self.known:
                if len(self.known) == MOST_KNOWN:
                    self.known.clear()
                self.known[key] = self._pairs(backend).pair(part.rows, self.price)
                self.credit -= self._answers(part, backend)
            worth, genes = self.known[key]
            if worth > part.worth(self.price):
                better.append((part, genes))
        return tree.with_parts(better) if better else None, True

    def with_triples(self, tree: Sapling, backend: Backend) -> tuple[np.ndarray | None, bool]:
        """Search on for better parts of three levels; return a tree with one once found, and whether that was all."""
        problem = backend.problem
        is_done = True
        for part in sorted(self._parts(tree, TRIPLE, backend), key=lambda part: part.hits - part.n_rows):
            key = part.rows.tobytes()
            if key not in self.sweeps:
                if len(self.sweeps) == MOST_SWEEPS:
                    self.sweeps.clear()
                self.sweeps[key] = Sweep(part.rows, self.target, problem.bank.bits, problem.rules.first, self.price)
            sweep = self.sweeps[key]
            if self.credit > 0 and not sweep.is_done:
                spent, genes = sweep.go_on(self.credit, part.worth(self.price), self._pairs(backend))
                self.credit -= spent
                if genes is not None:
                    return tree.with_parts([(part, genes)]), False
            is_done &= sweep.is_done
        return None, is_done

    def _parts(self, tree: Sapling, levels: int, backend: Backend) -> list[Subtree]:
        """Return the lowest parts of a tree that may have so many levels, and for which that does not take too long."""
        rules = backend.problem.rules
        return [
            part
            for part in tree.low_parts(levels, backend.problem.bank.bits, self.target.everyone)
            if part.depth + levels <= rules.max_depth
            and part.n_rows >= 2
            and self._answers(part, backend) <= MOST_ANSWERS
        ]

    def _pairs(self, backend: Backend) -> Depth2Search:
        if self.pairs is None:
            self.pairs = backend.pairs()
        return self.pairs

    def _answers(self, part: Subtree, backend: Backend) -> int:
        if part.n_rows not in self.costs:
            problem = backend.problem
            self.costs[part.n_rows] = answers_for_a_pair(part.n_rows, problem.rules.first, problem.target.n_classes)
        return self.costs[part.n_rows]
