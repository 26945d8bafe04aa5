"""The true Table 6 (m = 0.01, x = 10^4): the print holds a copy of Table 4 in its place.

All that survives of it is a column of Table 3, the means over sizes; they stand beside ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from lab.paper.printed import LOST, as_printed, mean_saved
from lab.paper.report import Finding, Part, Request, Sheet, table
from lab.paper.savings import Cell, Grid
from lab.paper.sets import SETS

COLUMNS = ("set", "size", "seconds_old", "seconds_new", "rows_saved", "checks_saved", "note")


class Table6:
    """The cells of Table 6 in a grid, by set and size, and the sets that could not be had."""

    def __init__(self, cells: Sequence[Cell], missing: dict[str, str]) -> None:
        self.missing = missing
        self.cells = {(cell.set, cell.size): cell for cell in cells if cell.table == LOST}
        self.sizes = sorted({size for _, size in self.cells})
        measured = {name for name, _ in self.cells}
        self.sets = [name for name in SETS if name in measured or name in missing]

    @property
    def n_wanted(self) -> int:
        """How many cells there would be, were every set measured at every size, those that are missing left out."""
        return len(self.sizes) * sum(name not in self.missing for name in self.sets)

    def saved(self, name: str) -> list[float | None]:
        """Return the rows saved of a set in percent, by size; None where there is no cell."""
        return [cell.rows_saved if (cell := self.cells.get((name, size))) else None for size in self.sizes]

    def mean(self, name: str) -> float | None:
        """Return the mean over the sizes that there are."""
        present = [value for value in self.saved(name) if value is not None]
        return fmean(present) if present else None


def table6(grid: Grid) -> Table6:
    """Return Table 6 of a grid."""
    return Table6(grid.cells, grid.missing)


def sheet(found: Table6) -> Sheet:
    """Return a line for each set and size, missing sets included."""
    rows: list[list[Any]] = []
    for name in found.sets:
        if name in found.missing:
            rows.append([name, *[None] * 5, f"missing: {found.missing[name]}"])
        for size in found.sizes:
            if (cell := found.cells.get((name, size))) is not None:
                figures = (cell.seconds_old, cell.seconds_new, cell.rows_saved, cell.checks_saved)
                note = "stand-in" if SETS[name].stand_in else ""
                rows.append([name, size, *(round(value, 3) for value in figures), note])
    return Sheet(COLUMNS, rows)


def text_lines(found: Table6) -> list[str]:
    """Return the rows saved by set and size, for people."""
    lines = [f"{'':16}" + "".join(f"{size:>8}" for size in found.sizes) + "    mean  Table 3"]
    for name in found.sets:
        if name in found.missing:
            lines.append(f"{name:16}missing{'':{8 * len(found.sizes) + 1}} {mean_saved(name, LOST):8.2f}")
            continue
        marked = name + ("*" if SETS[name].stand_in else "")
        row = "".join(f"{'':8}" if value is None else f"{value:8.2f}" for value in found.saved(name))
        lines.append(f"{marked:16}{row}{found.mean(name):8.2f} {mean_saved(name, LOST):8.2f}")
    return lines


def make_part(request: Request) -> Part:
    """Tell Table 6 from the grid of savings."""
    return table6_part(table6(request.savings()))


def table6_part(found: Table6) -> Part:
    """Tell of Table 6: seconds old and new, and rows saved, as the paper sets its tables."""
    lines = [row for name in found.sets for row in _lines_of(found, name)]
    columns = ("set", "", *(str(size) for size in found.sizes), "mean", "Table 3", "printed as Table 6")
    n_equal = sum(as_printed(name, LOST) == as_printed(name, 4) for name in SETS)
    text = (
        f"What is printed under *Table 6* is Table 4 again: all 24 figures of each of {n_equal} sets. Of the true "
        "one only the means over sizes survive, in Table 3. Here it is, measured: seconds without (old) and with "
        "inheritance (new), and rows saved in percent. The last column is the mean of what the print shows in its "
        "place.\n\n" + table(columns, lines, "ll" + "r" * (len(columns) - 2))
    )
    finding = Finding(
        "The true Table 6", "every set and size", f"{len(found.cells)} of {found.n_wanted} cells; missing: "
        f"{', '.join(found.missing) or 'nothing'}", bool(found.cells) and len(found.cells) == found.n_wanted,
    )  # fmt: skip
    return Part(
        name="table6",
        title="Table 6, which the print lost",
        text=text,
        tables={"table6.csv": sheet(found)},
        findings=(finding,),
        unreproduced=("Table 6 cannot be compared cell by cell: the print shows Table 4 in its place.",),
    )


def _lines_of(found: Table6, name: str) -> list[list[Any]]:
    theirs = f"{mean_saved(name, LOST):.2f}"
    printed = f"{fmean(cell.rows_saved for cell in as_printed(name, LOST)):.2f}"
    if name in found.missing:
        return [[name, "missing", *[""] * len(found.sizes), "", theirs, printed]]
    cells = [found.cells.get((name, size)) for size in found.sizes]
    old = [f"{cell.seconds_old:.2f}" if cell else "" for cell in cells]
    new = [f"{cell.seconds_new:.2f}" if cell else "" for cell in cells]
    saved = ["" if value is None else f"{value:.2f}" for value in found.saved(name)]
    mean = found.mean(name)
    marked = name + ("\\*" if SETS[name].stand_in else "")
    return [
        [marked, "old, s", *old, "", "", ""],
        ["", "new, s", *new, "", "", ""],
        ["", "saved, %", *saved, "" if mean is None else f"**{mean:.2f}**", theirs, printed],
    ]
