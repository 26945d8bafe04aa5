"""``heirwood predict``: the class of every row of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from heirwood.caller_stack import warn_user
from heirwood.cli.commands import WithExamples
from heirwood.cli.model import open_model
from heirwood.cli.options import DATA, LEAVES, MISSING, MODEL, QUIET
from heirwood.cli.output import check_apart, check_writable, hush, json_text, print_or_write
from heirwood.cli.signals import load

FORMULA_SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # noqa: RUF001 - full width ones as well
NEW_CELL = ("\t", "\r", "\n")  # where a cell begins anew when it is pasted
CELL_WITHIN = re.compile(r'([;\t\r\n]["\s\x00-\x1f\u200b\ufeff]*)(?=[=+\-@＝＋－＠])')  # noqa: RUF001
QUOTED = re.compile(r'[",;\t\r\n]|^$')  # separators of any spreadsheet; and nothing, as a line may not be empty


@click.command(
    cls=WithExamples,
    examples=[
        "heirwood predict mushrooms.json new.csv",
        "heirwood predict mushrooms.json new.csv --proba --out predicted.csv",
        "heirwood predict mushrooms.json new.csv --proba --json",
    ],
)
@MODEL
@DATA
@click.option("--proba", is_flag=True, help="Also the share of each class at the row's leaf.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: standard output]")
@MISSING
@LEAVES
@QUIET
@click.option(
    "--keep-formulas",
    is_flag=True,
    help="Classes that begin like a formula of a spreadsheet as they are, without a ' before them.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of CSV: a list with an entry for every row.")
def predict(
    model: Path, data: Path, proba: bool, out: Path | None, missing: Sequence[str], leaves: int | None, quiet: bool,
    keep_formulas: bool, as_json: bool,
) -> None:  # fmt: skip
    """Predict the class of every row of a table.

    What MODEL says of the rows of DATA is printed as CSV, or as JSON.
    Columns are found by their names, in any order; others, such as the class itself, are left alone.
    In CSV a class such as =1+1, which a spreadsheet would run as a formula, gets a ' before it.
    """
    load("heirwood.data.readers", "heirwood.evolved_tree")
    from heirwood.data.readers import read_file

    if out is not None:
        check_apart({"MODEL": model, "DATA": data, "--out": out})
        check_writable("--out", out)
    if quiet:
        hush()
    opened = open_model(model, leaves)
    estimator = opened.estimator
    table = read_file(data, schema=estimator.schema_, target=False, missing=[*opened.missing, *missing]).table
    predicted = estimator.predict(table).tolist()
    names = [str(value) for value in estimator.classes_.tolist()]
    shares = estimator.predict_proba(table).tolist() if proba else None
    if as_json:
        print_or_write(json_text(as_entries(predicted, names, shares)), out)
    else:
        if not keep_formulas:
            predicted = without_formulas(predicted, estimator.classes_.tolist())
            names = list(map(without_cells, names))
        print_or_write(as_csv(predicted, names, shares), out)


def without_formulas(predicted: list[Any], classes: list[Any]) -> list[Any]:
    """Return the predictions with a ' before those that a spreadsheet would run, and say so.

    Where a class is changed, those that begin with a ' get one more, so that no two become the same text.
    """
    formulas = {value for value in classes if is_formula(value)}
    if not formulas:
        return predicted
    texts = {value: f"'{value}" for value in classes if value in formulas or str(value).startswith("'")}
    if not texts.keys().isdisjoint(predicted):
        as_well = ", as are those that begin with one" if len(texts) > len(formulas) else ""
        warn_user(  # a note, but not with --quiet
            f"{len(formulas)} of the classes begin like a formula of a spreadsheet, and are written with a ' before "
            f"them{as_well}; --keep-formulas keeps them as they are",
        )
    return [texts.get(value, value) for value in predicted]


def is_formula(value: Any) -> bool:
    """Say whether a spreadsheet would take a class for a formula; it does not take numbers, + or - for one."""
    from heirwood.data.text import is_number

    if not isinstance(value, str) or len(value) < 2 or is_number(value):
        return False
    seen = next((letter for letter in value if letter.isprintable() and letter != " "), "")  # others are passed over
    return value.startswith(NEW_CELL) or seen in FORMULA_SIGNS


def without_cells(name: str) -> str:
    """Return the name of a class with a ' before each formula that begins within it, as a cell of its own.

    A spreadsheet with another separator than ours sees no quotes but those at the beginning of a line: in the heading
    they do not help.
    """
    return CELL_WITHIN.sub(r"\1'", name)


def as_csv(predicted: list[Any], names: list[str], shares: list[list[float]] | None) -> str:
    """Return the predictions, and the share of each class if known, as CSV without the last line's end."""
    heading = ["prediction", *(f"p({name})" for name in names if shares is not None)]
    rows = ([value, *row] for value, row in zip(predicted, shares or [[]] * len(predicted), strict=True))
    return "\n".join(",".join(map(as_field, row)) for row in (heading, *rows))


def as_field(value: Any) -> str:
    """Return a field of CSV: in quotes where some spreadsheet would begin another one within it.

    Not by `csv`, which knows one separator, and whose care for carriage returns depends on the version.
    """
    text = str(value)
    return '"{}"'.format(text.replace('"', '""')) if QUOTED.search(text) else text


def as_entries(predicted: list[Any], names: list[str], shares: list[list[float]] | None) -> list[Any]:
    """Return the predictions, or objects with the share of each class as well, for programs."""
    if shares is None:
        return predicted
    return [
        {"prediction": value, "probabilities": dict(zip(names, row, strict=True))}
        for value, row in zip(predicted, shares, strict=True)
    ]
