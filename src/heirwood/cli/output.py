"""What commands print: trees and tables, in colour on a terminal and plain elsewhere; and files they may write."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from heirwood.export.hall import HallEntry, HallOfFame
    from heirwood.view import TreeView


def print_tree(view: TreeView) -> None:
    """Print a tree, in colour where there is a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console

        from heirwood.export.colour import to_colour

        Console(highlight=False).print(to_colour(view))
    else:
        from heirwood.export import export_tree

        click.echo(export_tree(view, "text"))


def print_hall(hall: HallOfFame, *, all_trees: bool = False) -> None:
    """Print the hall of fame as a table, the tree in use marked with a star.

    Parameters
    ----------
    hall : HallOfFame
    all_trees : bool
        Every tree; otherwise only those with more hits than all smaller ones, and the one in use.
    """
    in_use = hall[hall.chosen]
    shown = list(hall) if all_trees else improving(hall)
    if in_use not in shown:
        shown = sorted([*shown, in_use], key=lambda entry: entry.leaves)
    heading(f"Hall of fame: the best tree of each size{'' if all_trees else ', where it beats all smaller ones'}")
    click.echo("  leaves  depth     right    payoff")
    for entry in shown:
        mark = "*" if entry is in_use else " "
        line = f"{mark} {entry.leaves:6d}  {entry.depth:5d}  {100 * entry.accuracy:7.2f}%  {entry.payoff:8.5f}"
        click.secho(line, bold=entry is in_use)


def improving(hall: HallOfFame) -> list[HallEntry]:
    """Return the trees that get more right than every smaller one."""
    found: list[HallEntry] = []
    for entry in hall:
        if not found or entry.accuracy > found[-1].accuracy:
            found.append(entry)
    return found


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first column names the rows."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for place, row in enumerate([header, *rows]):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        click.secho("  ".join(cells).rstrip(), dim=place == 0)


def heading(words: str) -> None:
    """Print a heading."""
    click.secho(words, bold=True)


def print_json(document: Any) -> None:
    """Print a document for programs."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1))


def check_writable(option: str, path: Path) -> None:
    """Raise a usage error, before any work is done, if a file cannot be written there."""
    if path.is_dir():
        raise click.UsageError(f"{option} {str(path)!r} is a folder; give the name of a file.")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise click.UsageError(
            f"{option} {str(path)!r} cannot be written: there is no folder {str(folder)!r}; make it."
        )
    # Files are written under another name and then renamed, so it is the folder that must allow it.
    probe = folder / f".{secrets.token_hex(6)}.tmp"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise click.UsageError(f"{option} {str(path)!r} cannot be written: {error.strerror}.") from error
