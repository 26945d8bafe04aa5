"""Arguments and options that several commands share."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import click

from heirwood.terminal_text import one_line


def _missing(context: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts without blanks around them; what is no text cannot stand in a file, nor in a model."""
    for text in texts:
        if any("\ud800" <= letter <= "\udfff" for letter in text):  # a byte that is none of a terminal's letters
            raise click.BadParameter(f"{one_line(text)} is no text in {sys.getfilesystemencoding()}.", context, param)
    return tuple(text.strip() for text in texts)


MODEL = click.argument("model", type=click.Path(path_type=Path))
DATA = click.argument("data", type=click.Path(path_type=Path))
LEAVES = click.option(
    "--leaves", type=click.IntRange(min=1), metavar="N", help="Take the best tree with at most N leaves."
)
QUIET = click.option("--quiet", is_flag=True, help="No notes on standard error: only errors.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
MISSING = click.option(
    "--missing",
    multiple=True,
    metavar="TEXT",
    callback=_missing,
    help="Text that stands for a missing value in a CSV file, in every column, besides an empty field, ?, NA and their "
    "like; a number however it is written. May be given several times. A model remembers what its fit was given.",
)


class NumberOrRange(click.ParamType):
    """A number, or two that a parameter moves between over the run: 10000 or 10000..100000."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a float, or a pair of them."""
        if not isinstance(value, str):
            return value
        try:
            numbers = [float(part) for part in value.split("..")]
        except ValueError:
            numbers = []
        if len(numbers) not in (1, 2) or not all(map(math.isfinite, numbers)):
            self.fail(f"{value!r} is no number; expected one, such as 10000, or a range, such as 10000..100000.")
        return numbers[0] if len(numbers) == 1 else tuple(numbers)


class Cost(NumberOrRange):
    """A cost per leaf: auto, a number, or two that it moves between."""

    name = "cost"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return "auto", a float, or a pair of them."""
        return value if value == "auto" else super().convert(value, param, ctx)


class AutoOrRows(click.FloatRange):
    """A number of rows, or auto."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return "auto" or a float."""
        return value if value == "auto" else super().convert(value, param, ctx)
