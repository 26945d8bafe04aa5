"""``heirwood reproduce savings``: the paper's savings tables, ours beside theirs."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from heirwood.cli.commands import INTERRUPTED, WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.output import hush, print_json

FILE = "savings.jsonl"
STEP = 100  # of a range of sizes
QUICK = "100-300"


class Numbers(click.ParamType):
    """Whole numbers in lists and ranges: 4,6 or 100-800, which goes in steps."""

    name = "numbers"

    def __init__(self, step: int, least: int, most: int | None = None) -> None:
        self.step, self.least, self.most = step, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers in ascending order, each once."""
        if not isinstance(value, str):
            return value
        numbers: set[int] = set()
        for part in value.split(","):
            ends = [end.strip() for end in part.split("-")]
            if len(ends) > 2 or not all(end.isascii() and end.isdigit() for end in ends):
                self.fail(f"{value!r} is no list of numbers; expected some such as 4,6 or a range such as 100-800.")
            first, last = int(ends[0]), int(ends[-1])
            if last < first or (last - first) % self.step:
                self.fail(f"the range {part!r} does not go from its start to its end in steps of {self.step}.")
            numbers.update(range(first, last + 1, self.step))
        outside = [number for number in numbers if number < self.least or (self.most and number > self.most)]
        if outside:
            bounds = f"from {self.least} to {self.most}" if self.most else f"{self.least} or more"
            self.fail(f"{min(outside)} is not valid; expected {bounds}.")
        return tuple(sorted(numbers))


class SetNames(click.ParamType):
    """Sets by the paper's names: zoo,vote."""

    name = "sets"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the names in the paper's order, each once."""
        from heirwood.reproduce.sets import SETS

        if not isinstance(value, str):
            return value
        given = {name.strip() for name in value.split(",")}
        unknown = sorted(given - set(SETS))
        if unknown:
            self.fail(f"the paper has no set {unknown[0]!r}; it has {', '.join(SETS)}.")
        return tuple(name for name in SETS if name in given)


@click.command(
    cls=WithExamples,
    examples=[
        "heirwood reproduce savings --quick --data uci",
        "heirwood reproduce savings --sets zoo,vote --sizes 100-300 --settings 4,6",
        "heirwood reproduce savings --data uci --out results --repeats 5",
    ],
)
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Folder with the paper's sets as ARFF files.  [default: HEIRWOOD_DATA]")  # fmt: skip
@click.option(
    "--sizes", type=Numbers(STEP, 2), metavar="LIST", help="Trees and generations of a run.  [default: 100-800]"
)
@click.option("--sets", type=SetNames(), metavar="LIST", help="Some of the paper's sets.  [default: all twelve]")
@click.option("--settings", type=Numbers(1, 4, 7), default="4-7", show_default=True, metavar="LIST",
              help="By the paper's tables: 4 and 5 have m = 0.5, 6 and 7 m = 0.01; in 5 and 7, x grows.")  # fmt: skip
@click.option("--quick", is_flag=True, help=f"About a minute: sizes {QUICK}.")
@click.option("--repeats", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Runs of a cell where old and new take about as long; the fastest count.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("results"), show_default=True,
              metavar="FOLDER", help="Where results are kept, and an interrupted run goes on.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress, no report: only files, --json and errors.")
@JSON
@click.pass_context
def savings(
    context: click.Context, data: Path | None, sizes: tuple[int, ...] | None, sets: tuple[str, ...] | None,
    settings: tuple[int, ...], quick: bool, repeats: int, seed: int, out: Path, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Re-run the paper's savings tables and print ours beside theirs.

    Each set is evolved with and without inheritance from the same seed, and the two runs are checked to be the same.
    Prints Table 3 (theirs, ours, the difference), the Table 6 that the print lost, and the seconds.
    """
    from heirwood.reproduce.grid_progress import GridProgress
    from heirwood.reproduce.printed import SIZES
    from heirwood.reproduce.savings import run_grid
    from heirwood.reproduce.sets import SETS
    from heirwood.reproduce.table3 import summarize, text_lines, write_tables

    if quick and sizes is not None:
        raise click.UsageError(f"--quick means --sizes {QUICK}; give one of them.")
    if data is not None and not data.is_dir():
        raise click.UsageError(f"--data {str(data)!r} is no folder; name the one that holds the paper's sets.")
    if quiet:
        hush()
    if quick:
        sizes = Numbers(STEP, 2).convert(QUICK, None, None)
    out.mkdir(parents=True, exist_ok=True)
    results = out / FILE
    try:
        with nullcontext() if quiet else GridProgress() as progress:
            grid = run_grid(
                sets or tuple(SETS), sizes or SIZES, settings,
                folder=data, results=results, listener=progress, seed=seed, repeats=repeats,
            )  # fmt: skip
    except KeyboardInterrupt:
        click.echo(f"heirwood: interrupted; what is done is in {results}, the same command goes on", err=True)
        context.exit(INTERRUPTED)
    summary = summarize(grid)
    files = [results, *write_tables(summary, out)]
    if as_json:
        print_json({**summary.to_dict(), "files": [str(path) for path in files]})
    elif not quiet:
        for line in text_lines(summary):
            click.echo(line)
        click.echo(f"\nResults are in {', '.join(str(path) for path in files)}")
