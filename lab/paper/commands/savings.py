"""``python -m lab.paper savings``: the paper's savings tables, ours beside theirs."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.signals import load
from lab.paper.commands import grid_options as grid_of

FILE = "savings.jsonl"
QUICK = "100-300"
REPEATS, QUICK_REPEATS = 5, 2


@click.command(
    cls=WithExamples,
    examples=[
        "python -m lab.paper savings --quick --data uci",
        "python -m lab.paper savings --sets zoo,vote --sizes 100-300 --settings 4,6",
        "python -m lab.paper savings --data uci --out results --repeats 5",
    ],
)
@grid_of.options(grid_of.DATA, grid_of.SIZES, grid_of.SETS, grid_of.SETTINGS)
@click.option("--quick", is_flag=True, help=f"About a minute: sizes {QUICK}.")
@click.option("--repeats", type=click.IntRange(min=1), metavar="N",
              help="Runs of a cell where old and new take about as long; they are timed side by side.  "
                   f"[default: {REPEATS}, {QUICK_REPEATS} with --quick]")  # fmt: skip
@grid_of.options(grid_of.SEED, grid_of.OUT, grid_of.QUIET, JSON)
def savings(
    data: Path | None, sizes: tuple[int, ...] | None, sets: tuple[str, ...] | None,
    settings: tuple[int, ...], quick: bool, repeats: int | None, seed: int, out: Path, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Re-run the paper's savings tables and print ours beside theirs.

    Each set is evolved with and without inheritance from the same seed, and the two runs are checked to be the same.
    Prints Table 3 (theirs, ours, the difference), the Table 6 that the print lost, and the seconds.
    """
    load("lab.paper.savings")
    from lab.paper.grid_progress import GridProgress
    from lab.paper.savings import run_grid
    from lab.paper.sets import SETS
    from lab.paper.table3 import summarize, text_lines, write_tables

    chosen = grid_of.choose_sizes(sizes, quick, QUICK)
    out.mkdir(parents=True, exist_ok=True)
    results = out / FILE
    grid_of.keep_in(results)
    with nullcontext() if quiet else GridProgress() as progress:
        grid = run_grid(
            sets or tuple(SETS), chosen, settings,
            folder=data, results=results, listener=progress, seed=seed,
            repeats=repeats or (QUICK_REPEATS if quick else REPEATS),
        )  # fmt: skip
    summary = summarize(grid)
    files = [results, *write_tables(summary, out)]
    grid_of.tell_results(summary.to_dict(), text_lines(summary), files, as_json=as_json, quiet=quiet)
