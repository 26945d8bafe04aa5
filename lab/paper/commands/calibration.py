"""``python -m lab.paper calibration``: ways of forming the next generation, each beside the paper's savings."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.signals import load
from lab.paper.commands import grid_options as grid_of

FILE = "calibration.jsonl"
QUICK = "100-200"
SCHEME_NAMES = grid_of.Names("lab.paper.calibration:SCHEMES", "there is no scheme {0!r}; there are {1}.")


@click.command(
    cls=WithExamples,
    examples=[
        "python -m lab.paper calibration --quick --data uci",
        "python -m lab.paper calibration --schemes leaves,nodes --seeds 1-3 --data uci",
        "python -m lab.paper calibration --schemes nodes --sizes 100-300 --sets zoo,vote --settings 4,6",
    ],
)
@grid_of.options(grid_of.DATA)
@click.option("--schemes", type=SCHEME_NAMES, metavar="LIST", help="Some of the schemes.  [default: all]")
@click.option("--seeds", type=grid_of.Numbers(1, 0), default="1", show_default=True, metavar="LIST",
              help="Every scheme runs from each.")  # fmt: skip
@grid_of.options(grid_of.SIZES, grid_of.SETS, grid_of.SETTINGS)
@click.option("--quick", is_flag=True, help=f"About two minutes: sizes {QUICK}.")
@grid_of.options(grid_of.OUT, grid_of.QUIET, JSON)
def calibration(
    data: Path | None, schemes: tuple[str, ...] | None, seeds: tuple[int, ...],
    sizes: tuple[int, ...] | None, sets: tuple[str, ...] | None, settings: tuple[int, ...], quick: bool, out: Path,
    quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Try ways of forming the next generation against the paper's savings.

    The paper does not print how the next generation is formed. Each scheme runs the cells of the savings tables,
    and its means are put beside Table 3; two seeds of one scheme say what chance alone makes of them.
    """
    load("lab.paper.calibration")
    from lab.paper.calibration import SCHEMES, calibrate
    from lab.paper.calibration_report import calibration_lines, score_all, write_calibration
    from lab.paper.grid_progress import GridProgress
    from lab.paper.sets import SETS

    class Progress(GridProgress):
        def what(self, cell: dict[str, Any]) -> str:
            return f"{cell['scheme']}, seed {cell['seed']}: {super().what(cell)}"

    chosen = grid_of.choose_sizes(sizes, quick, QUICK)
    out.mkdir(parents=True, exist_ok=True)
    results = out / FILE
    grid_of.keep_in(results)
    with nullcontext() if quiet else Progress() as progress:
        tried = calibrate(
            schemes or tuple(SCHEMES), sets or tuple(SETS), chosen, settings,
            seeds=seeds, folder=data, results=results, listener=progress,
        )  # fmt: skip
    scores = score_all(tried)
    files = [results, write_calibration(scores, out)]
    document = {"schemes": [found.to_dict() for found in scores], "missing": tried.missing}
    grid_of.tell_results(document, calibration_lines(tried, scores), files, as_json=as_json, quiet=quiet)
