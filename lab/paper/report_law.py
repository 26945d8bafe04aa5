"""The law's part of the report: what should be saved, by the shapes of the trees, and what is."""

from __future__ import annotations

from contextlib import nullcontext
from statistics import fmean

from lab.paper.grid_progress import GridProgress
from lab.paper.law import run_law
from lab.paper.law_converged import measure_all_converged
from lab.paper.law_report import (
    NEAR,
    NEAR_CONVERGED,
    SIGMAS,
    WITHIN,
    LawSummary,
    summarize_law,
    write_law,
)
from lab.paper.printed import SETTINGS, SIZES
from lab.paper.report import QUICK_SIZES, Finding, Part, Request, table
from lab.paper.sets import SETS


def make_part(request: Request) -> Part:
    """Measure what is not measured yet, and tell it."""
    with nullcontext() if request.quiet else GridProgress() as progress:
        grid = run_law(
            tuple(SETS), QUICK_SIZES if request.quick else SIZES, tuple(SETTINGS),
            folder=request.folder, results=request.out / "law.jsonl", listener=progress, seed=request.seed,
        )  # fmt: skip
    ends = measure_all_converged(tuple(SETS), tuple(SETTINGS), folder=request.folder, seed=request.seed)
    summary = summarize_law(grid, ends)
    files = tuple(path.name for path in write_law(summary, request.out))
    return law_part(summary, files)


def law_part(summary: LawSummary, files: tuple[str, ...] = ()) -> Part:
    """Tell of a summary."""
    text = [
        "What one child saves is no accident. It gets a crossover at a uniformly drawn node of each parent and, "
        "with probability m, a mutation at one node; the rows to classify again are the union of the two stale "
        "sets, and a swap of whole trees is free. So the saving can be worked out from the parents alone, before "
        "the child is bred; and, once the nodes are drawn, its rows can be counted. Both were done for every child "
        "of every cell, beside what the engine's ledger says.",
        *_cells(summary),
        *_ends(summary),
    ]
    return Part(
        name="law",
        title="The law: what one child saves",
        text="\n\n".join(text),
        findings=_findings(summary),
        files=files,
    )


def _cells(summary: LawSummary) -> list[str]:
    if not summary.cells:
        return ["No set could be had."]
    tables = sorted({cell.table for cell in summary.cells})
    rows = []
    for name in dict.fromkeys(cell.set for cell in summary.cells):
        of_set = [[cell for cell in summary.cells if (cell.set, cell.table) == (name, number)] for number in tables]
        rows.append([name + ("\\*" if SETS[name].stand_in else ""), *(_entry(cells) for cells in of_set)])
    rows += [[name, *["missing"] * len(tables)] for name in summary.missing]
    return [
        f"**{summary.n_within} of {len(summary.cells)} cells lie within {SIGMAS:.0f} of their own standard errors**, "
        f"and the mean distance is {summary.distance:.3f} points ({summary.by_chance:.3f} would be by chance). "
        f"Counted from the drawn nodes, {summary.children - summary.miscounted:,} of {summary.children:,} children "
        "come out to the row.",
        "Rows saved in percent, mean over sizes: measured, and by the law.",
        table(("set", *(str(SETTINGS[number]) for number in tables)), rows),
    ]


def _entry(cells: list) -> str:
    if not cells:
        return ""
    return f"{fmean(cell.rows_saved for cell in cells):.2f}, law {fmean(cell.law for cell in cells):.2f}"


def _ends(summary: LawSummary) -> list[str]:
    if not summary.ends:
        return []
    rows = [
        [end.set + ("\\*" if SETS[end.set].stand_in else ""), SETTINGS[end.table], f"{end.rows_saved:.2f}",
         f"{end.law:.2f}", f"{end.difference:+.2f}", end.n_shapes, f"{end.by_commonest:.2f} "
         f"({end.commonest_nodes} nodes, "
         f"{end.commonest_share:.0f} % of trees)"]
        for end in summary.ends
    ]  # fmt: skip
    columns = ("set", "setting", "measured", "by shapes", "difference", "shapes", "by the commonest alone")
    return [
        "### Populations that converge",
        "At the end of a run a few shapes make up most of a population. The closed form for those shapes alone, "
        "against what the last generations saved (rows, in percent):",
        table(columns, rows, "llrrrrr"),
    ]


def _findings(summary: LawSummary) -> tuple[Finding, ...]:
    verdicts = summary.verdicts
    found = []
    if summary.cells:
        n, share = len(summary.cells), 100 * summary.n_within / len(summary.cells)
        narrowed = "" if summary.all_sizes else " (small sizes only, which this is not asked of)"
        found = [
            Finding(
                f"The law: cells within {SIGMAS:.0f} standard errors", f"at least {100 * WITHIN:.0f} %",
                f"{summary.n_within} of {n} ({share:.1f} %){narrowed}",
                verdicts["within"] if summary.all_sizes else None,
            ),
            Finding(
                "The law: mean distance over cells", f"at most {NEAR} points",
                f"{summary.distance:.3f} points{narrowed}", verdicts.get("distance"),
            ),
            Finding(
                "The law: rows counted from parents and drawn nodes", "exact",
                f"{summary.children - summary.miscounted:,} of {summary.children:,} children", verdicts["counted"],
            ),
        ]  # fmt: skip
    if summary.ends:
        worst = max(abs(end.difference) for end in summary.ends)
        claim = "Closed form on converged vote and soybean"
        bar = f"within {NEAR_CONVERGED:.0f} points"
        found.append(Finding(claim, bar, f"at most {worst:.2f} points off", verdicts["converged"]))
    return tuple(found)
