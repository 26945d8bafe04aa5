"""What the slow grid says: time saved against checks saved, here and in print, and why the whole run says less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

import numpy as np

from lab.paper.printed import SETTINGS, read_tables
from lab.paper.sets import SETS
from lab.paper.slow_times import SlowCell, SlowGrid

BAR = 0.9


@dataclass(frozen=True)
class SlowSummary:
    """Correlations (Pearson's) over cells; None where there are too few cells to speak of one."""

    evaluating: float | None  # evaluation time saved, against node-instance-checks saved
    whole: float | None  # whole-run time saved, against the same
    printed: float  # of the paper's runs of all sizes: time saved against rows saved
    printed_same_size: float | None  # of its runs of the same size
    off_line: float | None  # mean absolute distance of evaluation time saved from checks saved, in points
    evaluating_share: tuple[float, float] | None  # of the old and of the new run's time, mean over cells, in percent
    cells: list[SlowCell]
    missing: dict[str, str]
    size: int
    conditions: dict[str, Any]

    @property
    def met(self) -> bool | None:
        """Whether evaluation time follows checks as closely as is asked."""
        return None if self.evaluating is None else self.evaluating >= BAR

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for programs."""
        document = asdict(self)
        for entry, cell in zip(document["cells"], self.cells, strict=True):
            entry.update(evaluating_saved=cell.evaluating_saved, whole_saved=cell.whole_saved)
        return {**document, "bar": BAR, "met": self.met}


def summarize(grid: SlowGrid) -> SlowSummary:
    """Put a grid beside what is printed."""
    cells = grid.cells
    checks = [cell.checks_saved for cell in cells]
    evaluating = [cell.evaluating_saved for cell in cells]
    old, new = ([(c.evaluating_old, c.whole_old) for c in cells], [(c.evaluating_new, c.whole_new) for c in cells])
    shares = [100 * fmean(part / whole for part, whole in way) for way in (old, new)] if cells else None
    return SlowSummary(
        evaluating=correlation(checks, evaluating),
        whole=correlation(checks, [cell.whole_saved for cell in cells]),
        printed=printed_correlation() or 0.0,
        printed_same_size=printed_correlation(grid.size),
        off_line=fmean(abs(a - b) for a, b in zip(checks, evaluating, strict=True)) if cells else None,
        evaluating_share=(shares[0], shares[1]) if shares else None,
        cells=cells,
        missing=dict(grid.missing),
        size=grid.size,
        conditions=grid.conditions,
    )


def correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None for fewer than three pairs, or where one side is constant."""
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def printed_correlation(size: int | None = None) -> float | None:
    """Return the correlation of time saved and rows saved over the cells of Tables 4, 5 and 7, of one size or all."""
    cells = [cell for (_, _, of_size), cell in read_tables().items() if size in (None, of_size)]
    return correlation([cell.rows_saved for cell in cells], [1 - cell.seconds_new / cell.seconds_old for cell in cells])


COLUMNS = (
    "set", "rows", "table", "mutation_rate", "x", "size", "checks_saved", "evaluating_saved", "whole_saved",
    "rows_saved", "evaluating_old", "evaluating_new", "whole_old", "whole_new", "measured", "note",
)  # fmt: skip


def table_rows(summary: SlowSummary) -> list[list[Any]]:
    """Return the lines of a CSV file with `COLUMNS`, missing sets included."""
    lines: list[list[Any]] = []
    for cell in summary.cells:
        setting = SETTINGS[cell.table]
        x = "10000..100000" if isinstance(setting.x, tuple) else "10000"
        saved = [round(v, 2) for v in (cell.checks_saved, cell.evaluating_saved, cell.whole_saved, cell.rows_saved)]
        times = (cell.evaluating_old, cell.evaluating_new, cell.whole_old, cell.whole_new)
        note = "stand-in" if SETS[cell.set].stand_in else ""
        lines.append(
            [
                *(cell.set, cell.rows, cell.table, setting.mutation_rate, x, cell.size, *saved),
                *(*(round(value, 5) for value in times), cell.measured, note),
            ]
        )
    lines += [[name, *[None] * 14, f"missing: {why}"] for name, why in summary.missing.items()]
    return lines


def text_lines(summary: SlowSummary) -> list[str]:
    """Return the summary in words and a table, for people."""
    lines = [
        f"Time saved against node-instance-checks saved, in percent: slow backend, size {summary.size}",
        f"{'':16}{'setting':26}{'checks':>8}{'evaluation':>12}{'whole run':>11}",
    ]
    for cell in summary.cells:
        marked = cell.set + ("*" if SETS[cell.set].stand_in else "")
        figures = f"{cell.checks_saved:8.1f}{cell.evaluating_saved:12.1f}{cell.whole_saved:11.1f}"
        lines.append(f"{marked:16}{SETTINGS[cell.table]!s:26}{figures}")
    lines += [f"{name:16}missing; {why}" for name, why in summary.missing.items()]
    return [*lines, "", *figure_lines(summary)]


def figure_lines(summary: SlowSummary) -> list[str]:
    """Return the correlations, and why they differ."""
    lines = []
    if summary.evaluating is not None:
        lines.append(f"correlation, evaluation    {summary.evaluating:.3f} over {len(summary.cells)} cells")
    if summary.whole is not None:
        lines.append(f"correlation, whole run     {summary.whole:.3f}")
    lines.append(f"correlation, in print      {summary.printed:z.3f} over 288 cells (whole runs, against rows saved)")
    if summary.off_line is not None:
        lines.append(f"off the diagonal           {summary.off_line:.1f} points, mean over cells")
    if summary.evaluating_share is not None:
        old, new = summary.evaluating_share
        lines += [
            f"evaluating takes           {old:.0f} % of an old run, {new:.0f} % of a new one, mean over cells",
            "The rest (select, breed, keep the ledger) costs the same both ways, so the whole run saves less; and it",
            "weighs most where a table has few rows, whatever is saved there: so the whole run follows checks loosely.",
        ]
    return lines
