"""``python -m lab.paper all``: one report on everything."""

from __future__ import annotations

from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.output import print_json
from heirwood.cli.signals import load
from heirwood.terminal_text import shown_path
from lab.paper.commands import grid_options as grid_of

PART_NAMES = grid_of.Names("lab.paper.report_parts:PARTS", "the report has no part {0!r}; it has {1}.")


@click.command(
    "all",
    cls=WithExamples,
    examples=[
        "python -m lab.paper all --quick --data uci --out quick",
        "python -m lab.paper all --data uci --out report",
        "python -m lab.paper all --parts theory,savings",
    ],
)
@grid_of.options(grid_of.DATA)
@click.option("--parts", type=PART_NAMES, metavar="LIST", help="Some of the parts.  [default: all of them]")
@click.option("--quick", is_flag=True, help="A small report in some minutes: small sizes, fewer repeats.")
@click.option("--repeats", type=click.IntRange(min=1), default=5, show_default=True, metavar="N",
              help="Runs of a cell where times are close or short.")  # fmt: skip
@grid_of.options(grid_of.SEED, grid_of.OUT, grid_of.QUIET, JSON)
def all_(
    data: Path | None, parts: tuple[str, ...] | None, quick: bool, repeats: int, seed: int,
    out: Path, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write one report on every claim of the paper.

    Runs every part, each where it stopped if it was interrupted, and writes report.md, report.html (one page, pictures
    included), pictures and CSV files into a folder.
    """
    load("lab.paper.report_parts")
    from lab.paper.report import Request
    from lab.paper.report_parts import PARTS, make_parts
    from lab.paper.report_write import write_report

    out.mkdir(parents=True, exist_ok=True)
    grid_of.keep_in(out)
    request = Request(out, data, seed=seed, quick=quick, repeats=repeats, quiet=quiet)
    chosen = parts or tuple(PARTS)

    def begin(name: str) -> None:
        if not quiet:
            click.echo(f"part {chosen.index(name) + 1} of {len(chosen)}: {name}", err=True)

    made = make_parts(request, chosen, begin)
    files = write_report(made, request)
    findings = [finding for part in made for finding in part.findings]
    if as_json:
        figures = [vars(finding) for finding in findings]
        print_json({"findings": figures, "files": [str(path) for path in files]})
    elif not quiet:
        for finding in findings:
            verdict = {True: "met", False: "MISSED", None: ""}[finding.met]
            asked = f" ({finding.bar})" if finding.bar else ""
            click.echo(f"{verdict:7}{finding.claim}{asked}: {finding.measured}")
        click.echo(f"\nThe report is {shown_path(files[0])}, and {shown_path(files[1])} for a browser.")
