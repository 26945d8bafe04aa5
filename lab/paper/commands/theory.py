"""``python -m lab.paper theory``: Eqs. 2 to 15 of the paper, as printed and as they exactly are; and Figure 5."""

from __future__ import annotations

from pathlib import Path

import click

from heirwood.atomic_write import write_atomically
from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.output import hush, print_json, print_table
from heirwood.terminal_text import shown_path


@click.command(
    cls=WithExamples,
    examples=["python -m lab.paper theory", "python -m lab.paper theory --k 8 --out results"],
)
@click.option("--k", type=click.IntRange(1, 10), default=3, show_default=True, help="Depth to print figures for.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for theory.md, theory.csv and figure5.svg; made if need be.",
)
@JSON
@click.option("--quiet", is_flag=True, help="No notes on standard error: only errors.")
def theory(k: int, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Judge the paper's equations, and draw Figure 5.

    Trees of depth 1 to 10 are enumerated, every node is made stale in turn, and its cost is counted; by that,
    and by exact fractions, Eqs. 2 to 15 are right or wrong. With --out also Figure 5, with the savings of
    real runs (a few seconds).
    """
    from lab.paper.theory_report import judge, table_rows, to_csv, to_document, to_markdown

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    judged = judge()
    if as_json:
        print_json({"k": k, "statements": to_document(judged)})
    else:
        print_table(("equation", "printed", "", "exact", "verdict"), table_rows(judged, k))
        n_holding = sum(one.n_failing == 0 for one in judged)
        click.echo(f"\n{n_holding} of {len(judged)} statements hold for every k from 1 to 10.")
    if out is None:
        return

    from lab.paper.figure5 import figure5
    from lab.paper.figure5_runs import measure

    if quiet:
        hush()
    else:
        click.echo("Measuring savings in real runs for Figure 5.", err=True)
    files = {
        "theory.md": to_markdown(judged, k),
        "theory.csv": to_csv(judged),
        "figure5.svg": figure5(measure()) + "\n",
    }
    for name, text in files.items():
        write_atomically(out / name, text.encode())
    if not quiet:
        click.echo(f"Wrote {', '.join(shown_path(out / name) for name in files)}.", err=True)
