"""``heirwood predict``: the class of every row of a table."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import load
from heirwood.cli.options import DATA, LEAVES, MODEL
from heirwood.cli.output import check_writable


@click.command(
    cls=WithExamples,
    examples=[
        "heirwood predict mushrooms.json new.csv",
        "heirwood predict mushrooms.json new.csv --proba --out predicted.csv",
    ],
)
@MODEL
@DATA
@click.option("--proba", is_flag=True, help="Also the share of each class at the row's leaf.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV file to write.  [default: standard output]")
@LEAVES
def predict(model: Path, data: Path, proba: bool, out: Path | None, leaves: int | None) -> None:
    """Predict the class of every row of a table.

    What MODEL says of the rows of DATA is printed as CSV.
    Columns are found by their names, in any order; others, such as the class itself, are left alone.
    """
    from heirwood.data import read_file

    if out is not None:
        check_writable("--out", out)
    estimator = load(model, leaves)
    table = read_file(data, schema=estimator.schema_, target=False).table
    columns = [estimator.predict(table).tolist()]
    header = ["prediction"]
    if proba:
        header += [f"p({value})" for value in estimator.classes_.tolist()]
        columns += estimator.predict_proba(table).T.tolist()

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
    if out is None:
        click.echo(text.getvalue(), nl=False)
    else:
        out.write_text(text.getvalue(), encoding="utf-8")
