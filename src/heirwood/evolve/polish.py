"""Polishing: parts of a tree become the best there are for the rows that arrive at them, one part after another.

Where the whole table is too much for an exact search, the rows below some node are not. How many rows a part may have
is learnt: more, as long as such searches end within their effort, fewer where they do not. (A part that exact cuts
divide off may have better trees than the search can know: its bounds are those of rows that its own tests tell apart.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heirwood.backends import Backend
from heirwood.backends.optimal_search import repeated
from heirwood.core.bitsets import pack
from heirwood.core.optimal.search_frame import HIT
from heirwood.data.target import ClassTarget
from heirwood.evolve.quest import TreeSearch

EFFORT = 2**20  # words read for one part
FIRST_ROWS, FEWEST_ROWS = 64.0, 8.0
WIDER, NARROWER = 1.1, 0.9
CANDIDATES = 32  # trees, the best ones, of which one is polished
LONGEST_PAUSE = 3  # generations


@dataclass
class Subtree:
    """A node of a tree, and what is below it."""

    node: int
    span: int
    depth: int
    rows: np.ndarray  # (n_words,) uint64
    n_rows: int
    hits: int


def parts_of(genes: np.ndarray, bits: np.ndarray, planes: np.ndarray) -> list[Subtree]:
    """Return every node of a tree, in preorder.

    Parameters
    ----------
    genes : (n_nodes,) int
    bits : (n_nodes, n_words) uint64
        Who passes the test of each node.
    planes : (n_classes, n_words) uint64
        The rows of each class.
    """
    parts: list[Subtree] = []

    def visit(rows: np.ndarray, depth: int) -> Subtree:
        part = Subtree(len(parts), 1, depth, rows, int(np.bitwise_count(rows).sum()), 0)
        parts.append(part)
        if genes[part.node] < 0:
            part.hits = int(np.bitwise_count(rows & planes).sum(axis=1).max())
            return part
        passing = bits[part.node]
        sides = visit(rows & passing, depth + 1), visit(rows & ~passing, depth + 1)
        part.span += sum(side.span for side in sides)
        part.hits = sum(side.hits for side in sides)
        return part

    visit(np.bitwise_or.reduce(planes), 0)
    return parts


class Polish:
    """Improves the best trees of a population, part by part, with a search that remembers what it found for others.

    Parameters
    ----------
    make_search : callable
        Returns it; called once there is something to polish.
    price : int
        Of a leaf, in parts of a hit.
    levels : int
        The most tests on a path.
    target : ClassTarget
    """

    def __init__(self, make_search: Callable[[], TreeSearch], price: int, levels: int, target: ClassTarget) -> None:
        self._make_search = make_search
        self._price = price
        self._levels = levels
        self._n_rows = len(target.codes)
        self._copies = target.copies()
        self._planes = pack(target.codes[self._copies] == np.arange(target.n_classes)[:, None])
        self._most_rows = FIRST_ROWS
        self._polished: set[int] = set()  # hashes of trees
        self._pause = self._wait = 0

    @cached_property
    def _search(self) -> TreeSearch:
        return self._make_search()

    def improve(self, payoffs: np.ndarray, handles: np.ndarray, backend: Backend) -> list[tuple[int, np.ndarray]]:
        """Return the place of the best tree that was not polished yet, and a better one if there is; or nothing.

        Where it was in vain, twice as many generations pass before the next.
        """
        if self._wait > 0:
            self._wait -= 1
            return []
        for place in np.argsort(-payoffs, kind="stable")[:CANDIDATES].tolist():
            mark = int(backend.tree_hashes(handles[place : place + 1])[0])
            if mark not in self._polished:
                self._polished.add(mark)
                better = self.polished(backend.genes(int(handles[place]))[0], backend.problem.bank.bits)
                self._pause = 0 if better is not None else min(2 * self._pause + 1, LONGEST_PAUSE)
                self._wait = self._pause
                return [] if better is None else [(place, better)]
        return []

    def polished(self, genes: np.ndarray, bits: np.ndarray) -> np.ndarray | None:
        """Return a tree with better parts, or None if none was found."""
        better: list[np.ndarray] = []
        end = 0
        improved = False
        asked = repeated(bits[np.maximum(genes, 0)], self._n_rows, self._copies)
        for part in parts_of(genes, asked, self._planes):
            if part.node < end:
                continue
            found = None
            end = part.node + 1
            if FEWEST_ROWS <= part.n_rows <= self._most_rows and (part.span > 1 or part.hits < part.n_rows):
                found = self._search_for(part)
                end = part.node + part.span
            improved |= found is not None
            better.append(genes[part.node : end] if found is None else found)
        return np.concatenate(better).astype(np.int32) if improved else None

    def _search_for(self, part: Subtree) -> np.ndarray | None:
        """Return a better part, if one is found."""
        search = self._search
        if search.is_full:
            return None
        now = int(HIT) * part.hits - self._price * ((part.span + 1) // 2)
        search.begin(part.rows, self._levels - part.depth)
        search.go_on(EFFORT, now)
        self._most_rows = max(FEWEST_ROWS, self._most_rows * (WIDER if search.is_done else NARROWER))
        return np.asarray(search.genes()) if search.found > now else None
