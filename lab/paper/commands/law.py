"""``python -m lab.paper law``: what inheritance should save, by the shapes of the trees that were bred."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.signals import load
from lab.paper.commands import grid_options as grid_of

FILE = "law.jsonl"
QUICK = "100-300"


@click.command(
    cls=WithExamples,
    examples=[
        "python -m lab.paper law --quick --data uci",
        "python -m lab.paper law --sets zoo,vote --sizes 100-300 --settings 4,6",
        "python -m lab.paper law --data uci --out results",
    ],
)
@grid_of.options(grid_of.DATA, grid_of.SIZES, grid_of.SETS, grid_of.SETTINGS)
@click.option("--quick", is_flag=True, help=f"Less than a minute: sizes {QUICK}.")
@grid_of.options(grid_of.SEED, grid_of.OUT, grid_of.QUIET, JSON)
def law(
    data: Path | None, sizes: tuple[int, ...] | None, sets: tuple[str, ...] | None,
    settings: tuple[int, ...], quick: bool, seed: int, out: Path, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Check what is saved against what should be.

    Runs the cells of the savings tables once more. Of every child, the rows to classify again are expected from
    the shapes of its parents, and counted from the nodes that were drawn. Then vote and soybean: what a converged
    population saves, from its commonest shapes alone.
    """
    load("lab.paper.law")
    from lab.paper.grid_progress import GridProgress
    from lab.paper.law import run_law
    from lab.paper.law_converged import measure_all_converged
    from lab.paper.law_report import law_lines, summarize_law, write_law
    from lab.paper.sets import SETS

    chosen = grid_of.choose_sizes(sizes, quick, QUICK)
    out.mkdir(parents=True, exist_ok=True)
    results = out / FILE
    grid_of.keep_in(results)
    names = sets or tuple(SETS)
    with nullcontext() if quiet else GridProgress() as progress:
        grid = run_law(names, chosen, settings, folder=data, results=results, listener=progress, seed=seed)
    ends = measure_all_converged(names, settings, folder=data, seed=seed)
    summary = summarize_law(grid, ends)
    files = [results, *write_law(summary, out)]
    grid_of.tell_results(summary.to_dict(), law_lines(summary), files, as_json=as_json, quiet=quiet)
