"""What a grid of the law says: how near it comes, and what converged populations show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite, pi, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from lab.paper.law import LawCell, LawGrid
from lab.paper.law_converged import Converged
from lab.paper.printed import SETTINGS, SIZES
from lab.paper.report import Sheet
from lab.paper.sets import SETS

SIGMAS = 3.0  # standard errors a cell may be away
WITHIN = 0.99  # share of the cells that must be nearer
NEAR = 0.3  # points, mean over cells of all sizes: small ones have fewer children, and chance more to say
NEAR_CONVERGED = 2.0  # points

CELL_COLUMNS = ("set", "size", "table", "children", "rows_saved", "law", "error", "z", "miscounted")
END_COLUMNS = (
    "set", "size", "table", "children", "rows_saved", "law", "difference", "n_shapes", "by_commonest",
    "commonest_share", "commonest_nodes",
)  # fmt: skip


@dataclass(frozen=True)
class LawSummary:
    """A grid, judged."""

    cells: list[LawCell]
    ends: list[Converged]
    n_within: int  # cells within SIGMAS of their own standard errors
    distance: float | None  # mean absolute difference over cells, in points
    by_chance: float | None  # what that should be, by the standard errors
    spread: float | None  # standard deviation of z about 0 over cells: 1 where standard errors are right
    children: int
    miscounted: int
    missing: dict[str, str]
    all_sizes: bool
    conditions: dict[str, Any]

    @property
    def verdicts(self) -> dict[str, bool]:
        """Whether each claim holds, as far as it was measured."""
        verdicts = {}
        if self.cells:
            verdicts["within"] = self.n_within >= WITHIN * len(self.cells)
            verdicts["counted"] = self.miscounted == 0
        if self.distance is not None and self.all_sizes:
            verdicts["distance"] = self.distance <= NEAR
        if self.ends:
            verdicts["converged"] = all(abs(end.difference) <= NEAR_CONVERGED for end in self.ends)
        return verdicts

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for programs."""
        return {
            "n_cells": len(self.cells),
            "n_within": self.n_within,
            "distance": self.distance,
            "by_chance": self.by_chance,
            "spread": None if self.spread is None else _finite(self.spread),
            "children": self.children,
            "miscounted": self.miscounted,
            "verdicts": self.verdicts,
            "cells": [{**asdict(cell), "z": _finite(cell.z)} for cell in self.cells],
            "converged": [{**asdict(end), "difference": end.difference} for end in self.ends],
            "missing": self.missing,
            "conditions": self.conditions,
        }


def summarize_law(grid: LawGrid, ends: list[Converged]) -> LawSummary:
    """Judge a grid, and the ends of the runs that converge."""
    cells = grid.cells
    return LawSummary(
        cells=cells,
        ends=ends,
        n_within=sum(abs(cell.z) <= SIGMAS for cell in cells),
        distance=fmean(abs(cell.difference) for cell in cells) if cells else None,
        by_chance=sqrt(2 / pi) * fmean(cell.error for cell in cells) if cells else None,
        spread=sqrt(fmean(cell.z**2 for cell in cells)) if cells else None,
        children=sum(cell.children for cell in cells),
        miscounted=sum(cell.miscounted for cell in cells),
        missing=dict(grid.missing),
        all_sizes=set(grid.sizes) == set(SIZES),
        conditions=grid.conditions,
    )


def write_law(summary: LawSummary, folder: Path) -> list[Path]:
    """Write cells and converged runs as CSV into a folder; return the files."""
    tables: list[tuple[str, tuple[str, ...], list[Any]]] = [("law.csv", CELL_COLUMNS, list(summary.cells))]
    if summary.ends:
        tables.append(("law_converged.csv", END_COLUMNS, list(summary.ends)))
    return [
        Sheet(columns, [[_rounded(getattr(entry, column)) for column in columns] for entry in entries]).write(
            folder / name
        )
        for name, columns, entries in tables
    ]


def law_lines(summary: LawSummary) -> list[str]:
    """Return the summary in words and tables, for people."""
    lines = []
    if summary.cells:
        lines += ["The law: rows saved in percent, mean over sizes; measured, by the law, largest |z|"]
        lines += [*_table(summary), "", *_figures(summary)]
    if summary.ends:
        lines += ["", "Converged populations: rows saved in percent at the end of a run, and by the commonest shapes"]
        lines += _ends(summary)
    if summary.missing:
        lines += ["", "Sets", *(f"  {name}: missing; {why}" for name, why in summary.missing.items())]
    return lines


def _table(summary: LawSummary) -> list[str]:
    tables = sorted({cell.table for cell in summary.cells})
    lines = [f"{'':16}" + "".join(f"{SETTINGS[table]!s:>26}" for table in tables)]
    for name in dict.fromkeys(cell.set for cell in summary.cells):
        entries = [_entry([cell for cell in summary.cells if (cell.set, cell.table) == (name, t)]) for t in tables]
        lines.append(f"{_marked(name):16}" + "".join(f"{entry:>26}" for entry in entries))
    return lines


def _entry(cells: list[LawCell]) -> str:
    if not cells:
        return ""
    measured, law = fmean(cell.rows_saved for cell in cells), fmean(cell.law for cell in cells)
    return f"{measured:6.2f} {law:6.2f} {max(abs(cell.z) for cell in cells):5.2f}"


def _figures(summary: LawSummary) -> list[str]:
    n, verdicts = len(summary.cells), summary.verdicts
    worst = max(summary.cells, key=lambda cell: abs(cell.z))
    right = summary.children - summary.miscounted
    return [
        f"within {SIGMAS:.0f} standard errors   {summary.n_within} of {n} cells ({100 * summary.n_within / n:.1f} %; "
        f"{100 * WITHIN:.0f} % are due): {_verdict(verdicts['within'])}",
        f"z                          spread {summary.spread:.2f} (1 is due), largest {abs(worst.z):.2f} "
        f"({worst.set}, {worst.size}, {SETTINGS[worst.table]})",
        f"distance                   {summary.distance:.3f} points, mean over cells; {summary.by_chance:.3f} by chance",
        f"                           (at most {NEAR} are due over all sizes): {_verdict(verdicts.get('distance'))}",
        f"counted from drawn nodes   {right:,} of {summary.children:,} children to the row: "
        f"{_verdict(verdicts['counted'])}",
    ]


def _ends(summary: LawSummary) -> list[str]:
    lines = [f"{'':42}  measured      law  difference   shapes   by the commonest alone (its share, nodes)"]
    for end in summary.ends:
        what = f"{_marked(end.set)}, {end.size}, {SETTINGS[end.table]}"
        lines.append(
            f"{what:42}  {end.rows_saved:8.2f} {end.law:8.2f} {end.difference:+11.2f} {end.n_shapes:8d} "
            f"{end.by_commonest:10.2f} ({end.commonest_share:.0f} %, {end.commonest_nodes})"
        )
    return [*lines, f"all within {NEAR_CONVERGED:.0f} points: {_verdict(summary.verdicts['converged'])}"]


def _verdict(holds: bool | None) -> str:
    return {True: "holds", False: "DOES NOT HOLD", None: "not measured"}[holds]


def _marked(name: str) -> str:
    return name + ("*" if SETS[name].stand_in else "")


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
