"""``python -m lab.paper accuracy``: the paper's accuracy tables beside ours, and beside a real J48."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.signals import load
from lab.paper.commands import grid_options as grid_of

FILE = "accuracy.jsonl"
QUICK = "100-300"


@click.command(
    cls=WithExamples,
    examples=[
        "python -m lab.paper accuracy --quick --data uci",
        "python -m lab.paper accuracy --sets balance-scale,vote --sizes 100,400 --settings 8,9",
        "python -m lab.paper accuracy --data uci --out results --weka weka.jar",
    ],
)
@grid_of.options(grid_of.DATA, grid_of.SIZES, grid_of.SETS)
@click.option("--settings", type=grid_of.Numbers(1, 8, 12), default="8-12", show_default=True, metavar="LIST",
              help="By the paper's tables; m = 0.5 in 8, 9, 12; 0.01 in 10, 11, 12; x grows in 9, 11, 12.")  # fmt: skip
@click.option("--quick", is_flag=True, help=f"A minute or two: sizes {QUICK}.")
@click.option("--weka", type=click.Path(path_type=Path), metavar="JAR",
              help="Weka's jar.  [default: HEIRWOOD_WEKA, or that of the system's package]")  # fmt: skip
@grid_of.options(grid_of.SEED, grid_of.OUT, grid_of.QUIET, JSON)
def accuracy(
    data: Path | None, sizes: tuple[int, ...] | None, sets: tuple[str, ...] | None,
    settings: tuple[int, ...], quick: bool, weka: Path | None, seed: int, out: Path, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Re-run the paper's accuracy tables, beside J48.

    Each set is learnt by 5-fold cross-validation under the paper's settings, and by our own default search on the same
    folds. J48 is run by Weka, where Java and Weka are installed; without them its printed figures are used, and marked.
    """
    load("lab.paper.accuracy")
    from lab.paper.accuracy import run_grid
    from lab.paper.accuracy_printed import SETTINGS
    from lab.paper.accuracy_progress import AccuracyProgress
    from lab.paper.accuracy_report import summarize
    from lab.paper.accuracy_text import text_lines, write_tables
    from lab.paper.sets import SETS

    chosen = grid_of.choose_sizes(sizes, quick, QUICK)
    if weka is not None and not weka.is_file():
        raise click.UsageError(f"--weka {str(weka)!r} is no file; name Weka's jar.")
    out.mkdir(parents=True, exist_ok=True)
    results = out / FILE
    grid_of.keep_in(results)
    with nullcontext() if quiet else AccuracyProgress() as progress:
        grid = run_grid(
            sets or tuple(SETS), chosen, [one for one in SETTINGS if one.table in settings],
            folder=data, results=results, listener=progress, seed=seed, jar=weka,
        )  # fmt: skip
    if grid.weka_missing and not quiet:
        click.echo(f"J48 as printed: {grid.weka_missing}", err=True)
    summary = summarize(grid)
    files = [results, *write_tables(summary, out)]
    grid_of.tell_results(summary.to_dict(), text_lines(summary), files, as_json=as_json, quiet=quiet)
