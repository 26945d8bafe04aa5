"""``heirwood show``: the tree in a model file, in words, pictures or rules."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import open_model
from heirwood.cli.options import LEAVES, MODEL
from heirwood.cli.output import (
    check_apart,
    check_writable,
    hall_document,
    hall_lines,
    json_text,
    print_hall,
    print_or_write,
    print_tree,
)
from heirwood.cli.signals import load

if TYPE_CHECKING:
    from heirwood.export.hall_of_fame import HallOfFame

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
@click.option("--hall", is_flag=True, help="The table of all trees instead, as text or json.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: standard output]")
def show(model: Path, form: str, leaves: int | None, hall: bool, out: Path | None) -> None:
    """Draw the tree of a model.

    The tree in MODEL is printed as text, in colour on a terminal, or in another format.
    """
    load("heirwood.export.formats", "heirwood.evolved_tree")
    from heirwood.export.formats import export_tree

    if hall and form not in ("text", "json"):
        raise click.UsageError(f"--hall goes with --format text or json; got {form}.")
    if out is not None:
        check_apart({"MODEL": model, "--out": out})
        check_writable("--out", out)
    estimator = open_model(model, leaves).estimator
    if hall:
        show_hall(estimator.hall_, form, out)
        return
    if form == "text" and out is None:
        print_tree(estimator.tree_)
        return
    text = export_tree(estimator.tree_, form)
    if form == "html":  # a page of its own, so that a browser reads it as what it is
        text = f'<!doctype html>\n<meta charset="utf-8">\n<title>{escape(model.stem)}</title>\n{text}'
    print_or_write(text, out)


def show_hall(hall: HallOfFame, form: str, out: Path | None) -> None:
    """Print the hall of fame, or write it to a file."""
    if form == "json":
        print_or_write(json_text(hall_document(hall)), out)
    elif out is None:
        print_hall(hall, all_trees=True)
    else:
        print_or_write("\n".join(hall_lines(hall, all_trees=True)), out)
