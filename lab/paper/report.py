"""What a report is made of: parts, each with its words, tables, pictures and findings.

A part is made by one function of a `Request`, and knows nothing of the page it will stand on; `report_page` and
`report_markdown` know nothing of what they show.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heirwood.atomic_write import write_atomically

if TYPE_CHECKING:
    from lab.paper.savings import Grid

SAVINGS_FILE = "savings.jsonl"
QUICK_SIZES = (100, 200)


@dataclass(frozen=True)
class Finding:
    """A line of the table on top of the report: what was asked, and what came out."""

    claim: str
    bar: str  # what it was to be; "" where nothing was asked
    measured: str
    met: bool | None  # None where it was not measured, and `measured` says why; or where nothing was asked


@dataclass(frozen=True)
class Sheet:
    """A table that becomes a CSV file; None is an empty field."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def write(self, path: Path) -> Path:
        """Write the file; return it."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        write_atomically(path, text.getvalue().encode())
        return path


@dataclass(frozen=True)
class Part:
    """One part of the report.

    Parameters
    ----------
    name : str
        Short, without blanks: where links go.
    title : str
    text : str
        Markdown: paragraphs, ``###`` headings, pipe tables, flat lists, bold, italic, code, links; and a picture where
        it is to stand, as ``![caption](law.svg)``.
    tables : dict of str to Sheet
        By the name of the file that each becomes.
    pictures : dict of str to str
        SVG by the name of the file; those that `text` does not place come after it.
    findings : tuple of Finding
    unreproduced : tuple of str
        Sentences: what could not be reproduced, and why.
    files : tuple of str
        Names of further files that the part has written into the report's folder.
    """

    name: str
    title: str
    text: str
    tables: Mapping[str, Sheet] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    unreproduced: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    """What a report is asked for; the parts share it.

    Parameters
    ----------
    out : Path
        Folder of the report, and of the cells that it is made from.
    folder : Path, optional
        Where the sets are; see `load_set`.
    seed : int, default=1
    quick : bool, default=False
        A small report: some sizes only, fewer repeats.
    repeats : int, default=5
        Times that what is close, or short, is measured.
    quiet : bool, default=False
        No progress on standard error.
    """

    out: Path
    folder: Path | None = None
    seed: int = 1
    quick: bool = False
    repeats: int = 5
    quiet: bool = False

    def savings(self) -> Grid:
        """Return the grid of savings, which several parts speak of; it is run once."""
        return self._savings

    @cached_property
    def _savings(self) -> Grid:
        from contextlib import nullcontext

        from lab.paper.grid_progress import GridProgress
        from lab.paper.printed import SIZES
        from lab.paper.savings import run_grid

        with nullcontext() if self.quiet else GridProgress() as progress:
            return run_grid(
                sizes=QUICK_SIZES if self.quick else SIZES,
                folder=self.folder,
                results=self.out / SAVINGS_FILE,
                listener=progress,
                seed=self.seed,
                repeats=self.repeats,
            )


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], align: str = "") -> str:
    """Return a pipe table.

    Parameters
    ----------
    columns : sequence of str
    rows : sequence of sequences
        None is an empty field.
    align : str, optional
        A letter for each column, l or r or c; the first to the left and all others to the right if not given.
    """
    align = align or "l" + "r" * (len(columns) - 1)
    rules = {"l": "---", "r": "---:", "c": ":-:"}
    lines = [list(columns), [rules[letter] for letter in align], *rows]
    return "\n".join("| " + " | ".join(_field(value) for value in row) + " |" for row in lines)


def _field(value: Any) -> str:
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
