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

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, without the tree."""
        return {"leaves": self.leaves, "depth": self.depth, "accuracy": self.accuracy, "payoff": self.payoff}


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

    def __repr__(self) -> str:
        lines = ["  leaves  depth  accuracy    payoff"]
        for place, entry in enumerate(self._entries):
            mark = "*" if place == self.chosen else " "
            figures = f"{entry.leaves:6d}  {entry.depth:5d}  {entry.accuracy:8.4f}  {entry.payoff:8.5f}"
            lines.append(f"{mark} {figures}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("", "leaves", "depth", "accuracy", "payoff"))
        rows = []
        for place, entry in enumerate(self._entries):
            mark = "★" if place == self.chosen else ""
            cells = (mark, entry.leaves, entry.depth, f"{entry.accuracy:.4f}", f"{entry.payoff:.5f}")
            rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
