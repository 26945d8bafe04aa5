"""The slow grid as files, and as a part of the report."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from heirwood.atomic_write import write_atomically
from lab.paper.grid_progress import GridProgress
from lab.paper.printed import SETTINGS
from lab.paper.report import Finding, Part, Request, Sheet, table
from lab.paper.sets import SETS
from lab.paper.slow_times import SIZE, SlowCell, run_slow_grid
from lab.paper.slow_times_picture import slow_picture
from lab.paper.slow_times_report import BAR, COLUMNS, SlowSummary, summarize, table_rows

QUICK_SIZE, QUICK_REPEATS = 40, 2


def write_slow(summary: SlowSummary, folder: Path) -> list[Path]:
    """Write table and picture into a folder; return the files."""
    picture = folder / "slow.svg"
    write_atomically(picture, f"{slow_picture(summary)}\n".encode())
    return [Sheet(COLUMNS, table_rows(summary)).write(folder / "slow.csv"), picture]


def make_part(request: Request) -> Part:
    """Measure what is not measured yet, and tell it."""
    with nullcontext() if request.quiet else GridProgress() as progress:
        grid = run_slow_grid(
            size=QUICK_SIZE if request.quick else SIZE,
            folder=request.folder,
            results=request.out / ("slow-quick.jsonl" if request.quick else "slow.jsonl"),
            listener=progress,
            seed=request.seed,
            repeats=QUICK_REPEATS if request.quick else request.repeats,
        )
    return slow_part(summarize(grid))


def slow_part(summary: SlowSummary) -> Part:
    """Tell of a summary."""
    return Part(
        name="slow",
        title="The central claim: saved work becomes saved time",
        text=_words(summary) + "\n\n" + _table(summary),
        tables={"slow.csv": Sheet(COLUMNS, table_rows(summary))},
        pictures={"slow.svg": slow_picture(summary)},
        findings=(
            Finding(
                f"Slow backend, size {summary.size}: evaluation time saved against checks saved, correlation over "
                "cells",
                f"at least {BAR}",
                f"{_number(summary.evaluating)} over {len(summary.cells)} cells (in print: {summary.printed:z.2f}); "
                f"whole run {_number(summary.whole)}",
                summary.met,
            ),
        ),
    )


def _words(summary: SlowSummary) -> str:
    lines = [
        "The paper says that what inheritance does not classify again is time saved, but its own figures do not "
        "show it: over the 288 runs of its Tables 4, 5 and 7, time saved and rows saved have a correlation of "
        f"{summary.printed:z.2f}. Here the runs are repeated on the slow backend, which keeps the paper's data "
        "structures (nested trees, the indices of instances at leaves) and asks one instance after the other.",
        f"**Evaluation time follows the checks: correlation {_number(summary.evaluating)}** over "
        f"{len(summary.cells)} cells; "
        + (f"on average a cell lies {summary.off_line:.1f} points off the diagonal. " if summary.off_line else "")
        + f"For the whole run it is {_number(summary.whole)}.",
        "![Time saved against work saved](slow.svg)",
    ]
    if summary.evaluating_share is not None:
        old, new = summary.evaluating_share
        lines.append(
            f"Why is the whole run weaker? Evaluating takes {old:.0f} % of an old run and {new:.0f} % of a new one, "
            "on average. Selecting, breeding and keeping the ledger cost the same both ways and per child, not per "
            "row; so on a table of 39 or 100 rows they outweigh whatever is saved, and on 3,196 rows they hardly "
            "count. Over sets, the whole-run figure mostly says how many rows a table has. The paper timed whole "
            "runs."
        )
    lines.append(
        "How it is measured: the run with inheritance and the one without are stepped side by side, a generation of "
        "each in turn, and must tell the same story after each. Time is that of the processor on this thread; each "
        f"cell is measured {summary.cells[0].measured if summary.cells else 0} times, and of every generation the "
        "fastest counts. The clock runs while instances are classified; limits and ledger, which the paper's "
        "program did not have, are off the clock."
    )
    return "\n\n".join(lines)


def _table(summary: SlowSummary) -> str:
    tables = sorted({cell.table for cell in summary.cells})
    found = {(cell.set, cell.table): cell for cell in summary.cells}
    rows = []
    for name in dict.fromkeys(cell.set for cell in summary.cells):
        marked = name + ("\\*" if SETS[name].stand_in else "")
        rows.append([marked, SETS[name].rows, *(_entry(found.get((name, number))) for number in tables)])
    rows += [[name, "", *["missing"] * len(tables)] for name in summary.missing]
    return (
        "Checks saved in percent, and in brackets the share of evaluation time saved and of the whole run's:\n\n"
        + table(("set", "rows", *(str(SETTINGS[number]) for number in tables)), rows)
    )


def _entry(cell: SlowCell | None) -> str:
    if cell is None:
        return ""
    return f"{cell.checks_saved:.1f} (**{cell.evaluating_saved:.1f}**, {cell.whole_saved:.1f})"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
