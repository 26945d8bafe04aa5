"""What commands print: trees and tables, in colour on a terminal and plain elsewhere; and files they may write."""

from __future__ import annotations

import json
import math
import os
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from heirwood.atomic_write import is_written_in_place, write_atomically
from heirwood.terminal_text import one_line, plain_lines

if TYPE_CHECKING:
    from heirwood.export.hall_of_fame import HallOfFame
    from heirwood.tree_view import TreeView


RAILS = "├│└─→⋯"


def print_tree(view: TreeView) -> None:
    """Print a tree, in colour where there is a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console

        from heirwood.export.colour import to_colour

        Console(highlight=False).print(to_colour(view, ascii=not can_print(RAILS)))
    else:
        from heirwood.export.text import to_text

        click.echo(to_text(view, ascii=not can_print(RAILS)))


def can_print(letters: str) -> bool:
    """Say whether standard output has some letters."""
    try:
        letters.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_hall(hall: HallOfFame, *, all_trees: bool = False) -> None:
    """Print the hall of fame as a table, its heading in bold and the tree in use in colour."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for place, line in enumerate(hall_lines(hall, all_trees=all_trees, width=width)):
        in_use = line.startswith("*")
        click.secho(line, bold=place == 0 or in_use, dim=place == 1, fg="green" if in_use else None)


def hall_lines(hall: HallOfFame, *, all_trees: bool = False, width: int | None = None) -> list[str]:
    """Return the lines of the hall of fame as a table, the tree in use marked with a star.

    Parameters
    ----------
    hall : HallOfFame
    all_trees : bool
        Every tree; otherwise only those that are better than all smaller ones, and the one in use.
    width : int, optional
        Columns that can be spared leave where the table would be wider, and its heading is short.
    """
    from heirwood.export.hall_table import hall_table

    in_use = hall[hall.chosen]
    shown = list(hall) if all_trees else hall.improving()
    if in_use not in shown:
        shown = sorted([*shown, in_use], key=lambda entry: entry.leaves)
    table = hall_table(shown, in_use)
    heading = f"Hall of fame: the best tree of each size{'' if all_trees else ', where it beats all smaller ones'}"
    if width is not None:
        table = table.within(width)
        heading = heading if len(heading) <= width else "Hall of fame"
    return [heading, *table.lines()]


def hall_document(hall: HallOfFame) -> dict[str, Any]:
    """Return the hall of fame for programs; a figure that is not known, or not finite, is null."""
    figures = [
        {name: value if math.isfinite(value) else None for name, value in entry.items()} for entry in hall.to_dicts()
    ]
    return {"chosen": figures[hall.chosen], "hall": figures}


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first column names the rows."""
    header, rows = list(map(one_line, header)), [list(map(one_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for place, row in enumerate([header, *rows]):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        click.secho("  ".join(cells).rstrip(), dim=place == 0)


def heading(words: str) -> None:
    """Print a heading."""
    click.secho(words, bold=True)


def print_json(document: Any) -> None:
    """Print a document for programs."""
    click.echo(json_text(document))


def json_text(document: Any) -> str:
    """Return a document for programs as JSON, in ASCII where standard output has no letters for it."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    if not can_print(text):
        return json.dumps(document, allow_nan=False, indent=1)
    # JSON leaves some characters as they are that a terminal would obey.
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def print_or_write(text: str, out: Path | None) -> None:
    """Print a text, or write it to a file; one that programs read is printed whole or not at all.

    A pipe gets the bytes that a file gets. A terminal gets control characters spelt out.
    """
    if out is not None:
        write_atomically(out, f"{text}\n".encode())
        return
    is_terminal = sys.stdout.isatty()
    if not is_terminal and not can_print(text):
        raise click.UsageError(
            f"Standard output, in {sys.stdout.encoding}, has no letters for some of this; write a file with --out, "
            "or set PYTHONIOENCODING=utf-8."
        )
    sys.stdout.write(f"{plain_lines(text) if is_terminal else text}\n")  # click's echo would leave out colours


def hush() -> None:
    """Do not say that kernels are compiled."""
    os.environ["HEIRWOOD_QUIET"] = "1"


def check_apart(files: Mapping[str, Path | None]) -> None:
    """Raise a usage error, before any work is done, if two of these are one file: the second would overwrite the first.

    Parameters
    ----------
    files : dict of str to Path or None
        Arguments and options, those that are only read first; None for an option that is not given.
    """
    given = [(name, path) for name, path in files.items() if path is not None]
    for (name, path), (other, second) in combinations(given, 2):
        if path.resolve() == second.resolve() or (path.exists() and second.exists() and path.samefile(second)):
            raise click.UsageError(f"{other} {str(second)!r} is the same file as {name}; give it another name.")


def check_writable(option: str, path: Path) -> None:
    """Raise a usage error, before any work is done, if a file cannot be written there."""
    from tempfile import TemporaryFile

    if path.is_dir():
        raise click.UsageError(f"{option} {str(path)!r} is a folder; give the name of a file.")
    about = path.stat() if path.exists() else None
    if is_written_in_place(path, about):
        return
    if about is not None and not stat.S_ISREG(about.st_mode):
        raise click.UsageError(f"{option} {str(path)!r} is no regular file, and is not replaced; give another name.")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise click.UsageError(
            f"{option} {str(path)!r} cannot be written: there is no folder {str(folder)!r}; make it."
        )
    # Files are written under another name and then renamed, so it is the folder that must allow it. Where the system
    # can, this one has no name at all, so that nothing is left of it, whenever a signal comes.
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise click.UsageError(f"{option} {str(path)!r} cannot be written: {error.strerror}.") from error
