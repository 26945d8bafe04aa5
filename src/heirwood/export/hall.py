"""The hall of fame as a table: the best tree at each number of leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, overload

from heirwood.view import TreeView


@dataclass(frozen=True)
class HallEntry:
    """One tree of the hall."""

    leaves: int
    depth: int
    accuracy: float  # share of the training weight it gets right
    payoff: float
    tree: TreeView
    cv_accuracy: float | None = None  # mean share on rows that were held back from trees of this size
    cv_error: float | None = None  # its standard error

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, without the tree; those of cross-validation where there are any."""
        figures = {"leaves": self.leaves, "depth": self.depth, "accuracy": self.accuracy, "payoff": self.payoff}
        if self.cv_accuracy is None:
            return figures
        return {**figures, "cv_accuracy": self.cv_accuracy, "cv_error": self.cv_error}


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

    def place_of(self, leaves: int) -> int:
        """Return the place of the tree with that many leaves, or say which sizes there are."""
        for place, entry in enumerate(self._entries):
            if entry.leaves == leaves:
                return place
        sizes = ", ".join(str(entry.leaves) for entry in self._entries)
        raise ValueError(f"the hall has no tree with {leaves} leaves; it has trees with {sizes}")

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dict of figures per tree."""
        return [entry.to_dict() for entry in self._entries]

    @property
    def cross_validated(self) -> bool:
        """Whether sizes were judged on rows that were held back."""
        return any(entry.cv_accuracy is not None for entry in self._entries)

    def __repr__(self) -> str:
        lines = ["  leaves  depth  accuracy    payoff" + "   held-out      +-" * self.cross_validated]
        for place, entry in enumerate(self._entries):
            mark = "*" if place == self.chosen else " "
            figures = f"{entry.leaves:6d}  {entry.depth:5d}  {entry.accuracy:8.4f}  {entry.payoff:8.5f}"
            if entry.cv_accuracy is not None:
                figures += f"  {entry.cv_accuracy:9.4f}  {entry.cv_error:.4f}"
            lines.append(f"{mark} {figures}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        names = ("", "leaves", "depth", "accuracy", "payoff", *(("held-out", "±") if self.cross_validated else ()))
        head = "".join(f"<th>{name}</th>" for name in names)
        rows = []
        for place, entry in enumerate(self._entries):
            mark = "★" if place == self.chosen else ""
            cells = [mark, entry.leaves, entry.depth, f"{entry.accuracy:.4f}", f"{entry.payoff:.5f}"]
            if self.cross_validated:
                cells += ["" if share is None else f"{share:.4f}" for share in (entry.cv_accuracy, entry.cv_error)]
            rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
