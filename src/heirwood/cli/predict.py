"""``heirwood predict``: the class of every row of a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import open_model
from heirwood.cli.options import DATA, LEAVES, MISSING, MODEL, QUIET
from heirwood.cli.output import check_apart, check_writable, hush, json_text, print_or_write


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
@click.option("--json", "as_json", is_flag=True, help="JSON instead of CSV: a list with an entry for every row.")
def predict(
    model: Path, data: Path, proba: bool, out: Path | None, missing: Sequence[str], leaves: int | None, quiet: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Predict the class of every row of a table.

    What MODEL says of the rows of DATA is printed as CSV, or as JSON.
    Columns are found by their names, in any order; others, such as the class itself, are left alone.
    """
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
    text = json_text(as_entries(predicted, names, shares)) if as_json else as_csv(predicted, names, shares)
    print_or_write(text, out)


def as_csv(predicted: list[Any], names: list[str], shares: list[list[float]] | None) -> str:
    """Return the predictions, and the share of each class if known, as CSV without the last line's end."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["prediction", *(f"p({name})" for name in names if shares is not None)])
    writer.writerows([value, *row] for value, row in zip(predicted, shares or [[]] * len(predicted), strict=True))
    return text.getvalue().removesuffix("\n")


def as_entries(predicted: list[Any], names: list[str], shares: list[list[float]] | None) -> list[Any]:
    """Return the predictions, or objects with the share of each class as well, for programs."""
    if shares is None:
        return predicted
    return [
        {"prediction": value, "probabilities": dict(zip(names, row, strict=True))}
        for value, row in zip(predicted, shares, strict=True)
    ]
