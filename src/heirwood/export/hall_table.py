"""The hall of fame as a table of texts: the same in Python, in a notebook and on the command line.

      leaves  depth  errors   right  objective       held-out      gap
           1      0     107  39.89%    0.61112  39.89% ± 0.19        0
    *      4      3       3  98.31%    0.05685  91.01% ± 2.40  0.00562

A column is there when something is known to write in it. Where room is short, what can be spared leaves first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heirwood.export.hall_of_fame import HallEntry

MARK = "*"
SPARED = ("depth", "right", "payoff", "gap", "errors")  # the order in which columns leave where room is short


@dataclass(frozen=True)
class HallTable:
    """Names of columns, cells of rows, and whether a row is that of the tree in use."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[bool, ...]

    def lines(self) -> list[str]:
        """Return the lines of the table, the first of them its header; the tree in use has a mark in front."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = []
        for mark, cells in zip((False, *self.marked), (self.header, *self.rows), strict=True):
            aligned = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
            lines.append(f"{MARK if mark else ' '} {'  '.join(aligned)}")
        return lines

    def text(self) -> str:
        """Return the table as text."""
        return "\n".join(self.lines())

    def within(self, width: int) -> HallTable:
        """Return the table with as many columns as fit a width; leaves always stay."""
        table = self
        for name in SPARED:
            if max(map(len, table.lines())) <= width:
                break
            table = table._without(name)
        return table

    def _without(self, name: str) -> HallTable:
        staying = [place for place, title in enumerate(self.header) if title != name]
        rows = tuple(tuple(cells[place] for place in staying) for cells in self.rows)
        return HallTable(tuple(self.header[place] for place in staying), rows, self.marked)


def hall_table(entries: Sequence[HallEntry], in_use: HallEntry) -> HallTable:
    """Return some trees of a hall as a table."""
    writers: dict[str, Callable[[HallEntry], str]] = {
        "leaves": lambda entry: f"{entry.leaves}",
        "depth": lambda entry: f"{entry.depth}",
        "errors": lambda entry: _weight(entry.errors),
        "right": lambda entry: f"{100 * entry.accuracy:.2f}%",
    }
    if any(entry.cost is not None for entry in entries):
        writers["cost"] = lambda entry: _cost(entry.cost)
    for name, title in (("log_loss", "log loss"), ("brier", "Brier")):
        if any(getattr(entry, name) is not None for entry in entries):
            writers[title] = partial(_figure_named, name)
    if any(entry.objective is not None for entry in entries):
        writers["objective"] = lambda entry: _figure(entry.objective)
    else:
        writers["payoff"] = lambda entry: _figure(entry.payoff)
    if any(each is not None for entry in entries for each in (entry.cv_accuracy, entry.cv_cost, entry.cv_loss)):
        writers["held-out"] = _cross_validated
    if any(entry.gap is not None for entry in entries):
        writers["gap"] = lambda entry: "0" if entry.gap == 0 else _figure(entry.gap)
    rows = tuple(tuple(write(entry) for write in writers.values()) for entry in entries)
    return HallTable(tuple(writers), rows, tuple(entry is in_use for entry in entries))


def _figure_named(name: str, entry: HallEntry) -> str:
    return _figure(getattr(entry, name))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.5f}"


def _weight(weight: float) -> str:
    return f"{weight:,.0f}" if weight == round(weight) else f"{weight:,.2f}"


def _cost(cost: float | None) -> str:
    return "" if cost is None else f"{cost:,.4f}" if cost < 100 else f"{cost:,.2f}"


def _cross_validated(entry: HallEntry) -> str:
    if entry.cv_cost is not None:
        return _cost(entry.cv_cost) + ("" if entry.cv_error is None else f" ± {_cost(entry.cv_error)}")
    if entry.cv_loss is not None:
        return _figure(entry.cv_loss) + ("" if entry.cv_error is None else f" ± {_figure(entry.cv_error)}")
    if entry.cv_accuracy is None:
        return ""
    return f"{100 * entry.cv_accuracy:.2f}%" + ("" if entry.cv_error is None else f" ± {100 * entry.cv_error:.2f}")
