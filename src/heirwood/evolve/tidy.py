"""What is kept and shown says nothing twice: no split whose sides say the same, nor a side that no row reaches.

    t4 ── t1 ── class 0               t4 ── class 0
     │     └─── class 0        ->      └── class 2
     └── class 2

Evolution needs such splits: half of a pair that gains much may gain nothing alone. A reader does not. Removing them
changes no prediction of a training row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from heirwood.backends.cpu import spans_and_heights
from heirwood.evolve.loop import Evolution
from heirwood.payoff import pay


class Kept(NamedTuple):
    """A tree that is kept: its leaves, its genes, its payoff and its hits."""

    leaves: int
    genes: np.ndarray
    payoff: float
    hits: int


def tidy(genes: np.ndarray, rows: np.ndarray, as_leaf: np.ndarray | None = None) -> np.ndarray:
    """Return a tree without its redundant splits.

    Parameters
    ----------
    genes : (n_nodes,) integers
        In preorder; below zero are leaves, ~gene is their label.
    rows : (n_nodes,) integers
        How many rows reach each node.
    as_leaf : (n_nodes,) integers, optional
        Where leaves answer with shares, and sides of the same label say different things: the label of each node whose
        subtree gains nothing, and below zero where it gains.

    Returns
    -------
    (at most n_nodes,) array
        Every row that reached a leaf reaches one with the same label. Tidying it again changes nothing: nodes are taken
        from the last to the first, so both sides of a split are tidy when its turn comes.
    """
    waiting: list[tuple[list[int], int]] = []  # tidy subtrees, and the rows that reach them; the left one on top
    labels = [-1] * len(genes) if as_leaf is None else as_leaf.tolist()
    for gene, reaching, label in zip(genes.tolist()[::-1], rows.tolist()[::-1], labels[::-1], strict=True):
        if gene < 0:
            waiting.append(([gene], reaching))
            continue
        (left, passing), (right, failing) = waiting.pop(), waiting.pop()
        if label >= 0:
            subtree = [~label]
        elif passing == 0:
            subtree = right
        elif failing == 0 or (as_leaf is None and left == right and left[0] < 0):
            subtree = left
        else:
            subtree = [gene, *left, *right]
        waiting.append((subtree, reaching))
    return np.array(waiting[0][0], genes.dtype)


def kept_trees(
    evolution: Evolution, *, tidily: bool, idle: Callable[[np.ndarray], np.ndarray] | None = None
) -> list[Kept]:
    """Return the trees of a run's hall by ascending size, if asked for without their redundant splits.

    A tree that got smaller leaves its place for that of its new size, where the better payoff stays. It keeps a split
    that its payoff would miss: what a good tree is, the payoff says. Where leaves answer with shares, `idle` tells
    which nodes of a tree gain nothing (`tidy`).
    """
    hall = evolution.hall
    found = [evolution.backend.genes(int(hall.handles[leaves])) for leaves in hall.leaves]
    kept = [
        Kept(int(leaves), genes, float(hall.payoffs[leaves]), int(hall.by_size.hits[leaves]))
        for leaves, (genes, _, _) in zip(hall.leaves, found, strict=True)
    ]
    if not tidily:
        return kept
    shorter = [tidy(genes, rows, None if idle is None else idle(genes)) for genes, rows, _ in found]
    seats: dict[int, Kept] = {}
    moved = []
    for before, after in zip(kept, _rated(evolution, shorter), strict=True):
        if after.leaves == before.leaves or after.payoff < before.payoff:
            seats[before.leaves] = before
        else:
            moved.append(after)
    for tree in moved:
        if tree.leaves not in seats or tree.payoff > seats[tree.leaves].payoff:
            seats[tree.leaves] = tree
    return [seats[leaves] for leaves in sorted(seats)]


def _rated(evolution: Evolution, shorter: list[np.ndarray]) -> list[Kept]:
    """Return the trees of the hall after tidying, with the payoffs they have now; their hits are what they were."""
    leaves = np.array([(len(genes) + 1) // 2 for genes in shorter])
    depth = np.array([spans_and_heights(genes)[1][0] for genes in shorter], np.int64)
    trees = replace(evolution.hall.trees, leaves=leaves, depth=depth)
    plan = evolution.plan
    payoffs = pay(plan.payoff, trees, plan.schedule.at(evolution.generation))
    return [Kept(*tree) for tree in zip(leaves.tolist(), shorter, payoffs.tolist(), trees.hits.tolist(), strict=True)]


class _WithHits(Protocol):
    @property
    def hits(self) -> int: ...


Tree = TypeVar("Tree", bound=_WithHits)


def improving(by_size: Iterable[Tree]) -> list[Tree]:
    """Return the trees that have more hits than every smaller one: a size that gains nothing has no tree of its own."""
    found: list[Tree] = []
    for tree in by_size:
        if not found or tree.hits > found[-1].hits:
            found.append(tree)
    return found
