"""The hall of fame: the best tree at each number of leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from numbers import Integral
from typing import Any, overload

from heirwood.export.hall_table import hall_table
from heirwood.tree_view import TreeView


@dataclass(frozen=True)
class HallEntry:
    """One tree of the hall.

    Attributes
    ----------
    leaves, depth : int
    accuracy : float
        Share of the training weight it gets right.
    payoff : float
    tree : TreeView
    gap : float or None
        How much higher the payoff of a tree with as many leaves can be at most; None where nobody knows.
    cv_accuracy, cv_error : float or None
        Where the size was chosen by cross-validation: the mean share that trees of at most this size get right of rows
        that were held back from them, and its standard error.
    cost : float or None
        With a cost matrix: what a training row costs on average (per unit of weight).
    cv_cost : float or None
        With a cost matrix, in the place of `cv_accuracy`: what a row costs that was held back.
    log_loss, brier : float or None
        With these payoffs: the mean loss of a training row, where leaves answer with the shares of their rows.
    cv_loss : float or None
        With these payoffs, in the place of `cv_accuracy`: the mean loss of rows that were held back.
    """

    leaves: int
    depth: int
    accuracy: float
    payoff: float
    tree: TreeView
    gap: float | None = None
    cv_accuracy: float | None = None
    cv_error: float | None = None
    cost: float | None = None
    cv_cost: float | None = None
    log_loss: float | None = None
    brier: float | None = None
    cv_loss: float | None = None

    @property
    def errors(self) -> float:
        """Training weight that it gets wrong; without weights, the number of rows."""
        wrong = (
            weight
            for node in self.tree.nodes
            if node.is_leaf
            for label, weight in enumerate(node.weights)
            if label != node.label
        )
        return math.fsum(wrong)

    @property
    def quality(self) -> float:
        """How good it is, whatever its size: the share that is right; or its cost or loss, below zero."""
        lost = next((each for each in (self.cost, self.log_loss, self.brier) if each is not None), None)
        return self.accuracy if lost is None else -lost

    @property
    def objective(self) -> float | None:
        """What `lower_bound_` bounds, one minus the payoff: errors + cost per leaf; None where there is no bound.

        With a cost matrix errors are costs, as a share of the largest there could be.
        """
        return None if self.gap is None else 1.0 - self.payoff

    def to_dict(self) -> dict[str, Any]:
        """Return the figures that are known, without the tree."""
        known = {
            name: getattr(self, name)
            for name in (
                *("cost", "log_loss", "brier", "objective", "gap"),
                *("cv_accuracy", "cv_cost", "cv_loss", "cv_error"),
            )
        }
        return {
            "leaves": self.leaves,
            "depth": self.depth,
            "errors": self.errors,
            "accuracy": self.accuracy,
            "payoff": self.payoff,
            **{name: value for name, value in known.items() if value is not None},
        }


class HallOfFame(Sequence[HallEntry]):
    """The best tree found at each number of leaves, smallest first.

    It prints as a table, and gives frames their columns: ``pandas.DataFrame(est.hall_.to_dicts())``.
    """

    def __init__(self, entries: Sequence[HallEntry], chosen: int) -> None:
        self._entries = tuple(entries)
        self.chosen = chosen

    @overload
    def __getitem__(self, place: int) -> HallEntry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[HallEntry]: ...
    def __getitem__(self, place: int | slice) -> HallEntry | Sequence[HallEntry]:
        return self._entries[place]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[HallEntry]:
        return iter(self._entries)

    def place_within(self, leaves: int) -> int:
        """Return the place of the largest tree with at most that many leaves, or say which sizes there are."""
        if not isinstance(leaves, Integral) or isinstance(leaves, bool):
            raise TypeError(f"leaves={leaves!r} is not valid; expected a whole number")
        within = [place for place, entry in enumerate(self._entries) if entry.leaves <= leaves]
        if not within:
            sizes = ", ".join(str(entry.leaves) for entry in self._entries)
            raise ValueError(f"the hall has no tree with at most {leaves} leaves; it has trees with {sizes}")
        return within[-1]

    def improving(self) -> list[HallEntry]:
        """Return the trees that get more right than every smaller one, or that cost or lose less."""
        found: list[HallEntry] = []
        for entry in self._entries:
            if not found or entry.quality > found[-1].quality:
                found.append(entry)
        return found

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dict of figures per tree."""
        return [entry.to_dict() for entry in self._entries]

    @property
    def cross_validated(self) -> bool:
        """Whether sizes were judged on rows that were held back."""
        return any(entry.cv_error is not None for entry in self._entries)

    def __repr__(self) -> str:
        return hall_table(self._entries, self._entries[self.chosen]).text()

    def _repr_html_(self) -> str:
        table = hall_table(self._entries, self._entries[self.chosen])
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", *table.header))
        body = "".join(_html_row(cells, marked) for cells, marked in zip(table.rows, table.marked, strict=True))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_row(cells: Sequence[str], marked: bool) -> str:
    style = ' style="font-weight:bold"' if marked else ""
    columns = "".join(f"<td>{escape(cell)}</td>" for cell in ("★" if marked else "", *cells))
    return f"<tr{style}>{columns}</tr>"
