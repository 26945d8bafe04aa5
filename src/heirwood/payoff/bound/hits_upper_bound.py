"""What no tree can do better than: a ceiling of the hits at each number of leaves, and from it a bound of the payoff.

Reasons, each true of every tree whatever the search that found it. One and two leaves are known exactly. A tree of L
leaves has L labels, so all classes but the L heaviest are errors. Rows that agree in every column end at one leaf, so
of each such group all but its heaviest class are errors (the *equivalent points*). Another leaf adds a share of at most
1 / leaves to the hits (`by_leaf`). And for three leaves and a few more there is `Search`, which goes where it pays: to
the number of leaves at which the payoff could be highest, until that is no longer the highest, or is exact, or the
effort is spent.

With costs, hits are the cost avoided: gains[c, k] for a row of class c at a leaf of label k. All of this holds of them
as well once *labels* take the place of classes: what counts of some rows is not the weight of each class, but what each
label would avoid on all of them, gains.T @ weights. That is linear in the rows, never negative, and no more than this
is avoided by all leaves of a label together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from heirwood.payoff.bound.binned_table import rank
from heirwood.payoff.bound.branch_and_bound import BranchAndBound, Effort, by_leaf
from heirwood.payoff.bound.node_counts import EXACT, Counter, Reach
from heirwood.payoff.tree_sums import Trees
from heirwood.stopped_error import StoppedError

EFFORT = 15_000_000  # cells looked at: about a tenth of a second
MOST_CELLS = 10_000_000  # times classes, of a table that is looked at at all: one to two seconds
MOST_LEAVES = 8  # that are searched; the effort ends long before


@dataclass(frozen=True)
class Ceiling:
    """What no tree exceeds.

    Attributes
    ----------
    hits : (most leaves + 1,) int64
        No tree with up to L leaves has more hits than hits[L].
    exact : (most leaves + 1,) bool
        Whether a tree has that many.
    total, n_rows : int
        Weight and rows of the table.
    """

    hits: np.ndarray
    exact: np.ndarray
    total: int
    n_rows: int

    def payoffs(self, payoff: Callable[..., np.ndarray], parameters: dict[str, Any]) -> np.ndarray:
        """Return what no tree of each number of leaves exceeds, for a payoff that more hits never lower."""
        leaves = np.arange(1, len(self.hits))
        return payoff(Trees(self.hits[1:], leaves, np.zeros_like(leaves), self.total, self.n_rows), **parameters)

    def payoff(self, payoff: Callable[..., np.ndarray], parameters: dict[str, Any]) -> float:
        """Return what no tree exceeds."""
        return float(self.payoffs(payoff, parameters).max())


def find_ceiling(
    values: np.ndarray,
    nominal: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    payoff: Callable[..., np.ndarray],
    parameters: dict[str, Any],
    *,
    max_leaf_nodes: int,
    max_depth: int,
    effort: int = EFFORT,
    most_cells: int = MOST_CELLS,
    gains: np.ndarray | None = None,
    must_end: Callable[[], bool] = lambda: False,
) -> Ceiling:
    """Return how many hits trees of each number of leaves can have at most, sharpest where a payoff needs it.

    Parameters
    ----------
    values : (n_rows, n_columns) float64
        The table; missing values are NaN.
    nominal : (n_columns,) bool
        Whether a column's values are codes of levels.
    codes, weights : (n_rows,) int64
        Class and weight of each row.
    n_classes : int
    payoff, parameters
        A function of `Trees` that more hits never lower.
    max_leaf_nodes, max_depth : int
        Limits of the trees; others are not thought of.
    effort : int
        Cells of the table that a search for three and more leaves may look at.
    most_cells : int
        Times classes, of a table that is looked at at all.
    gains : (n_classes, n_classes) int64, optional
        Hits of a row of class c at a leaf of label k, per unit of its weight; most where k is c.
    must_end : callable
        Says whether nobody waits for it any more.

    Returns
    -------
    Ceiling
        Cost O(n_columns * n_rows log n_rows) and the effort; above `most_cells`, labels alone.

    Raises
    ------
    StoppedError
        When it must end.
    """
    of_class = np.zeros(n_classes, np.int64)
    np.add.at(of_class, codes, weights)
    gains = np.eye(n_classes, dtype=np.int64) if gains is None else gains
    total = int(of_class @ np.diag(gains))
    n_labels = np.minimum(np.arange(min(max_leaf_nodes, 2 ** min(max_depth, max_leaf_nodes)) + 1), n_classes)
    by_label = [int(worth) for worth in of_class @ gains]
    most = np.cumsum(sorted(by_label, reverse=True), dtype=object)  # their sum may be more than 64 bits hold
    hits = np.minimum(np.concatenate([[0], most]), total)[n_labels].astype(np.int64)
    exact = np.arange(len(hits)) == 1
    if values.size * n_classes <= most_cells and total < EXACT:
        root = make_root(values, nominal, codes, weights, gains, must_end)
        aim = _Aim(partial(payoff, **parameters), total, len(codes))
        hits, exact = _lowered(root, hits, exact, min(max_depth, len(hits)), aim, Effort(effort, must_end))
    return Ceiling(hits, exact, total, len(codes))


class _Aim:
    """Says which number of leaves the bound of a payoff hangs on, and how far it is worth lowering."""

    def __init__(self, payoff: Callable[[Trees], np.ndarray], total: int, n_rows: int) -> None:
        self._payoff = payoff
        self._total = total
        self._n_rows = n_rows

    def worth(self, hits: np.ndarray, leaves: np.ndarray) -> np.ndarray:
        return self._payoff(Trees(hits, leaves, np.zeros_like(leaves), self._total, self._n_rows))

    def at(self, hits: np.ndarray, exact: np.ndarray) -> tuple[int, int] | None:
        """Return the leaves whose ceiling limits the payoff, and the hits at which others do; None if nothing helps."""
        payoffs = self.worth(hits[1:], np.arange(1, len(hits)))
        limiting = np.flatnonzero(payoffs == payoffs.max()) + 1
        leaves = int(limiting[-1])
        if leaves < 3 or exact[limiting].any():
            return None
        if leaves > MOST_LEAVES:
            return self._below(leaves, hits, exact)
        others = payoffs[payoffs < payoffs.max()]
        return leaves, self._floor(leaves, int(hits[leaves]), float(others.max(initial=-np.inf)))

    @staticmethod
    def _below(leaves: int, hits: np.ndarray, exact: np.ndarray) -> tuple[int, int] | None:
        """Return the first leaves whose exact hits could lower the ceiling of more leaves than can be searched."""
        for fewer in range(3, MOST_LEAVES + 1):
            if not exact[fewer] and hits[2] * leaves // fewer < hits[leaves]:  # fewer leaves have hits[2] at least
                return fewer, -1
        return None

    def _floor(self, leaves: int, most: int, target: float) -> int:
        """Return the most hits whose payoff is at most the target, by bisection; -1 where none are."""
        low, high = -1, most
        while high - low > 1:
            middle = (low + high) // 2
            if self.worth(np.array([middle]), np.array([leaves]))[0] <= target:
                low = middle
            else:
                high = middle
        return low


def _lowered(
    root: Reach, hits: np.ndarray, exact: np.ndarray, depth: int, aim: _Aim, effort: Effort
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ceilings, as low as they can be had, and which of them are exact."""
    ceilings = np.minimum(hits, root.agreeing).astype(np.float64)
    ceilings[1] = root.one_leaf
    effort.go_on()
    if len(hits) > 2:
        ceilings[2], exact[2] = root.two_leaves, True
        effort.go_on()
    ceilings = by_leaf(ceilings)
    searches: dict[int, BranchAndBound] = {}
    while effort.left >= 0 and (aimed := aim.at(ceilings.astype(np.int64), exact)) is not None:
        leaves, floor = aimed
        effort.go_on()
        if leaves not in searches:
            searches[leaves] = BranchAndBound(root, leaves, depth, ceilings)
        searches[leaves].lower(floor, effort)
        ceilings[leaves], exact[leaves] = searches[leaves].ceiling, searches[leaves].exact
        ceilings = by_leaf(np.minimum.accumulate(ceilings[::-1])[::-1])  # fewer leaves have no more hits
    return ceilings.astype(np.int64), exact


def make_root(
    values: np.ndarray,
    nominal: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    gains: np.ndarray,
    must_end: Callable[[], bool] = lambda: False,
) -> Reach:
    """Return all rows of a table, ready to be counted."""
    ranks = rank(values, nominal, must_end)
    groups = equal_rows(ranks.bins, must_end)
    if must_end():
        raise StoppedError
    plain = np.array_equal(gains, np.eye(len(gains)))
    counter = Counter(
        ranks=ranks,
        cells=np.ascontiguousarray(codes[:, None] * len(ranks.column_of_bin) + ranks.bins),
        weights=None if (weights == 1).all() else weights.astype(np.float64),
        agreeing=_agreeing(groups, codes, weights, gains).astype(np.float64),
        n_classes=len(gains),
        gains=None if plain else gains.astype(np.float64),
    )
    of_label = np.bincount(codes, weights, len(gains)) @ gains
    return Reach(counter, np.arange(len(codes)), of_label)


def _agreeing(groups: np.ndarray, codes: np.ndarray, weights: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Return the hits on each row if its group has the best label: its weight if that is its class, else zero."""
    weight = np.zeros((int(groups.max()) + 1, len(gains)), np.int64)
    np.add.at(weight, (groups, codes), weights)
    labels = (weight @ gains).argmax(axis=1)[groups]
    return weights * gains[codes, labels]


def equal_rows(bins: np.ndarray, must_end: Callable[[], bool] = lambda: False) -> np.ndarray:
    """Return the group of each row: rows that agree in every column share one.

    Rows are told apart by a digest first; where two different rows should have the same, by sorting all of them.
    """
    digests = np.zeros(len(bins), np.uint64)
    for column in bins.T:
        if must_end():
            raise StoppedError
        digests = (digests * np.uint64(0x9E3779B97F4A7C15)) ^ column.astype(np.uint64)
        digests ^= digests >> np.uint64(29)
    _, first, groups = np.unique(digests, return_index=True, return_inverse=True)
    if (bins[first[groups]] == bins).all():
        return groups
    return np.unique(bins, axis=0, return_inverse=True)[1].reshape(-1)
