"""``python -m lab.paper slow``: time saved against work saved, on the paper's own data structures."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.signals import load
from lab.paper.commands import grid_options as grid_of

FILE = "slow.jsonl"


@click.command(
    cls=WithExamples,
    examples=["python -m lab.paper slow --data uci", "python -m lab.paper slow --sets zoo,vote --size 50 --repeats 2"],
)
@grid_of.options(grid_of.DATA)
@click.option("--size", type=click.IntRange(min=2), default=100, show_default=True, metavar="N",
              help="Trees and generations of a run.")  # fmt: skip
@grid_of.options(grid_of.SETS, grid_of.SETTINGS)
@click.option("--repeats", type=click.IntRange(min=1), default=5, show_default=True, metavar="N",
              help="How often a cell is measured; of each generation the fastest counts.")  # fmt: skip
@grid_of.options(grid_of.SEED, grid_of.OUT, grid_of.QUIET, JSON)
def slow(
    data: Path | None, size: int, sets: tuple[str, ...] | None, settings: tuple[int, ...],
    repeats: int, seed: int, out: Path, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show that saved work becomes saved time.

    The slow backend classifies instance after instance, as the paper does, with their indices kept at leaves. Each set
    is evolved with and without inheritance, side by side; the share of evaluation time saved is set against the
    share of node-instance-checks saved. About six minutes.
    """
    load("lab.paper.slow_times")
    from lab.paper.grid_progress import GridProgress
    from lab.paper.sets import SETS
    from lab.paper.slow_times import run_slow_grid
    from lab.paper.slow_times_files import write_slow
    from lab.paper.slow_times_report import summarize, text_lines

    out.mkdir(parents=True, exist_ok=True)
    results = out / FILE
    grid_of.keep_in(results)
    with nullcontext() if quiet else GridProgress() as progress:
        grid = run_slow_grid(
            sets or tuple(SETS), settings,
            size=size, folder=data, results=results, listener=progress, seed=seed, repeats=repeats,
        )  # fmt: skip
    summary = summarize(grid)
    files = [results, *write_slow(summary, out)]
    grid_of.tell_results(summary.to_dict(), text_lines(summary), files, as_json=as_json, quiet=quiet)
