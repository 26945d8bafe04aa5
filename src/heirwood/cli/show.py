"""``heirwood show``: the tree in a model file, in words, pictures or rules."""

from __future__ import annotations

from html import escape
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import load
from heirwood.cli.options import LEAVES, MODEL
from heirwood.cli.output import check_writable, print_hall, print_tree

FORMATS = ("text", "rules", "json", "dot", "svg", "html")


@click.command(
    cls=WithExamples,
    examples=[
        "heirwood show mushrooms.json",
        "heirwood show mushrooms.json --hall",
        "heirwood show mushrooms.json --leaves 5 --format svg --out tree.svg",
    ],
)
@MODEL
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@LEAVES
@click.option("--hall", is_flag=True, help="Print the table of all trees instead.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: standard output]")
def show(model: Path, form: str, leaves: int | None, hall: bool, out: Path | None) -> None:
    """Draw the tree of a model.

    The tree in MODEL is printed as text, in colour on a terminal, or in another format.
    """
    from heirwood.export import export_tree

    if out is not None:
        check_writable("--out", out)
    estimator = load(model, leaves)
    if hall:
        print_hall(estimator.hall_, all_trees=True)
        return
    if form == "text" and out is None:
        print_tree(estimator.tree_)
        return
    text = export_tree(estimator.tree_, form)
    if form == "html":  # a page of its own, so that a browser reads it as what it is
        text = f'<!doctype html>\n<meta charset="utf-8">\n<title>{escape(model.stem)}</title>\n{text}'
    if out is None:
        click.echo(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")
