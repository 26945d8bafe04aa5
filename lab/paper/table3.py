"""What a grid of savings says: Table 3 theirs and ours, the lost Table 6, and the seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from lab.paper.printed import LOST, SETTINGS, SIZES, mean_saved, printed_cell
from lab.paper.report import Sheet
from lab.paper.savings import Cell, Grid
from lab.paper.sets import SETS
from lab.paper.table6 import Table6
from lab.paper.table6 import sheet as table6_sheet
from lab.paper.table6 import text_lines as table6_lines
from lab.paper.times import Times, time_grid
from lab.paper.times import text_lines as times_lines
from lab.paper.tree_sizes import SizeShift, size_shift

FAR = 10.0  # points: a mean this far from the print wants an explanation


@dataclass(frozen=True)
class Mean:
    """An entry of Table 3: the rows saved of a set under one setting, the mean over sizes, in percent."""

    set: str
    table: int
    theirs: float
    ours: float | None  # None where the set cannot be had
    n_sizes: int
    leaves: float | None  # mean over trees, generations and sizes
    shift: SizeShift | None = None  # what the size of trees explains of the difference

    @property
    def difference(self) -> float | None:
        """Ours less theirs, in points."""
        return None if self.ours is None else self.ours - self.theirs


@dataclass(frozen=True)
class Summary:
    """A grid beside the print."""

    means: list[Mean]
    distance: float | None  # mean absolute difference over the entries of Table 3, in points
    correlation: float | None  # Spearman's, over the same entries
    unexplained: float | None  # the distance that is left once the size of trees is allowed for
    cells_distance: float | None  # mean absolute difference over single cells of Tables 4, 5 and 7
    n_cells: int
    n_printed: int  # of them in print
    times: Times
    table_6: list[Cell]
    missing: dict[str, str]
    stand_ins: dict[str, str]
    sizes: tuple[int, ...]
    all_sizes: bool
    conditions: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for programs."""
        document = asdict(self)
        for entry, mean in zip(document["means"], self.means, strict=True):
            entry["difference"] = mean.difference
            if mean.shift is not None:
                entry["shift"]["rest"] = mean.shift.rest
        return document


def summarize(grid: Grid) -> Summary:
    """Put a grid beside what is printed."""
    names = [name for name in SETS if name in grid.missing or any(cell.set == name for cell in grid.cells)]
    means = [_mean(grid, name, table) for table in grid.tables for name in names]
    pairs = [(mean.theirs, mean.ours) for mean in means if mean.ours is not None]
    shifts = [mean.shift for mean in means if mean.shift is not None]
    printed = [(cell, print_) for cell in grid.cells if (print_ := printed_cell(*_place(cell)))]
    return Summary(
        means=means,
        distance=fmean(abs(ours - theirs) for theirs, ours in pairs) if pairs else None,
        correlation=rank_correlation(*zip(*pairs, strict=True)) if len(pairs) > 2 else None,
        unexplained=fmean(abs(shift.rest) for shift in shifts) if shifts else None,
        cells_distance=fmean(abs(cell.rows_saved - print_.rows_saved) for cell, print_ in printed) if printed else None,
        n_cells=len(grid.cells),
        n_printed=len(printed),
        times=time_grid(grid),
        table_6=[cell for cell in grid.cells if cell.table == LOST],
        missing=dict(grid.missing),
        stand_ins={name: SETS[name].note for name in names if SETS[name].stand_in},
        sizes=grid.sizes,
        all_sizes=set(grid.sizes) == set(SIZES),
        conditions=grid.conditions,
    )


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation, ties sharing their mean rank; None where one side is constant."""
    ranks = np.stack([_ranks(np.asarray(values, dtype=np.float64)) for values in (first, second)])
    if (np.ptp(ranks, axis=1) == 0).any():
        return None
    return float(np.corrcoef(ranks)[0, 1])


def write_tables(summary: Summary, folder: Path) -> list[Path]:
    """Write Table 3 and Table 6 as CSV into a folder; return the files."""
    columns = ["table", "mutation_rate", "x", "set", "theirs", "ours", "difference", "n_sizes", "mean_leaves",
               "nodes_theirs", "nodes_ours", "shift", "rest", "note"]  # fmt: skip
    third = [
        [
            mean.table, SETTINGS[mean.table].mutation_rate, _x(mean.table), mean.set, mean.theirs,
            *(None if value is None else round(value, 2) for value in (mean.ours, mean.difference)),
            mean.n_sizes, None if mean.leaves is None else round(mean.leaves, 2), *_shift_figures(mean.shift),
            _note(summary, mean.set),
        ]
        for mean in summary.means
    ]  # fmt: skip
    sixth = table6_sheet(Table6(summary.table_6, summary.missing))
    return [Sheet(columns, third).write(folder / "table3.csv"), sixth.write(folder / "table6.csv")]


def text_lines(summary: Summary) -> list[str]:
    """Return the summary in words and tables, for people."""
    lines = ["Table 3: rows saved in percent, mean over sizes; theirs, ours, difference", *_third(summary), ""]
    lines += _figures(summary)
    if summary.table_6:
        lines += ["", "The true Table 6 (m = 0.01, x = 10^4), lost in print: rows saved in percent"]
        lines += table6_lines(Table6(summary.table_6, summary.missing))
    lines += _far(summary)
    notes = [f"  {name}: stand-in, {why}" for name, why in summary.stand_ins.items()]
    notes += [f"  {name}: missing; {why}" for name, why in summary.missing.items()]
    return [*lines, *(["", "Sets", *notes] if notes else [])]


def _third(summary: Summary) -> list[str]:
    tables = list(dict.fromkeys(mean.table for mean in summary.means))
    header = f"{'':16}" + "".join(f"{SETTINGS[table]!s:>26}" for table in tables)
    lines = [header]
    for name in dict.fromkeys(mean.set for mean in summary.means):
        marked = name + ("*" if SETS[name].stand_in else "")
        entries = [mean for mean in summary.means if mean.set == name]
        lines.append(f"{marked:16}" + "".join(f"{_entry(mean):>26}" for mean in entries))
    return lines


def _entry(mean: Mean) -> str:
    if mean.ours is None:
        return f"{mean.theirs:.2f} missing      "
    return f"{mean.theirs:6.2f} {mean.ours:6.2f} {mean.difference:+6.1f}"


def _figures(summary: Summary) -> list[str]:
    n_means = sum(mean.ours is not None for mean in summary.means)
    lines = []
    if summary.distance is not None:
        lines.append(f"distance to Table 3        {summary.distance:.2f} points, mean over its {n_means} entries")
    if summary.correlation is not None:
        lines.append(f"rank correlation           {summary.correlation:.3f}")
    if summary.unexplained is not None:
        lines.append(f"left, trees' sizes apart   {summary.unexplained:.2f} points")
    if summary.cells_distance is not None:
        lines.append(f"distance to single cells   {summary.cells_distance:.2f} points, {summary.n_printed} in print")
    if not summary.all_sizes:
        sizes = ", ".join(map(str, summary.sizes))
        lines.append(f"sizes                      {sizes} here, 100 to 800 in print: means of different runs")
    if summary.n_cells:
        lines += times_lines(summary.times)
        lines.append("On small tables rows are bits, 64 to a word, and a full evaluation is nearly free as well.")
    return lines


def _far(summary: Summary) -> list[str]:
    far = [mean for mean in summary.means if mean.difference is not None and abs(mean.difference) > FAR]
    if not far:
        return []
    lines = [
        "",
        f"More than {FAR:.0f} points from the print, and what the size of trees explains of it (Tables 8 to 11):",
    ]
    for mean in far:
        words = f"  {mean.set}, {SETTINGS[mean.table]}: {mean.difference:+.1f}"
        if mean.shift is None:
            lines.append(f"{words} ({mean.leaves:.1f} leaves)")
        else:
            sizes = f"best trees of {mean.shift.nodes_ours:.1f} nodes, {mean.shift.nodes_theirs:.1f} in print"
            lines.append(f"{words}; {sizes}: {mean.shift.shift:+.1f} by the closed form, {mean.shift.rest:+.1f} left")
    return lines


def _mean(grid: Grid, name: str, table: int) -> Mean:
    cells = [cell for cell in grid.cells if cell.set == name and cell.table == table]
    ours = fmean(cell.rows_saved for cell in cells) if cells else None
    leaves = fmean(cell.mean_leaves for cell in cells) if cells else None
    return Mean(name, table, mean_saved(name, table), ours, len(cells), leaves, size_shift(cells))


def _shift_figures(shift: SizeShift | None) -> list[float | None]:
    if shift is None:
        return [None] * 4
    return [round(value, 2) for value in (shift.nodes_theirs, shift.nodes_ours, shift.shift, shift.rest)]


def _place(cell: Cell) -> tuple[str, int, int]:
    return cell.set, cell.table, cell.size


def _ranks(values: np.ndarray) -> np.ndarray:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def _x(table: int) -> str:
    x = SETTINGS[table].x
    return f"{x[0]:.0f}..{x[1]:.0f}" if isinstance(x, tuple) else f"{x:.0f}"


def _note(summary: Summary, name: str) -> str:
    if name in summary.missing:
        return f"missing: {summary.missing[name]}"
    return f"stand-in: {SETS[name].note}" if SETS[name].stand_in else SETS[name].note
