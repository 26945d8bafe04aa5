"""``heirwood score``: how well a model does on a table whose classes are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import open_model
from heirwood.cli.options import DATA, JSON, LEAVES, MISSING, MODEL, QUIET
from heirwood.cli.output import heading, hush, print_json, print_table
from heirwood.cli.signals import load


@click.command(
    cls=WithExamples,
    examples=[
        "heirwood score mushrooms.json held-out.csv",
        "heirwood score mushrooms.json held-out.csv --target class --json",
    ],
)
@MODEL
@DATA
@click.option("--target", metavar="NAME", help="Column with the classes.  [default: the one MODEL was fitted on]")
@MISSING
@LEAVES
@QUIET
@JSON
def score(
    model: Path, data: Path, target: str | None, missing: Sequence[str], leaves: int | None, quiet: bool, as_json: bool
) -> None:
    """Say how well a model does on a table.

    What MODEL predicts for the rows of DATA is compared with their classes.
    Prints the accuracy, the balanced accuracy (the mean over classes of the share that is right), the
    mean cost of a row where MODEL has costs, and how often each class was taken for which.
    """
    load("heirwood.data.readers", "heirwood.estimator")
    from heirwood.data import read_costs
    from heirwood.data.readers import read_file

    if quiet:
        hush()
    opened = open_model(model, leaves)
    estimator, texts = opened.estimator, [*opened.missing, *missing]
    dataset = read_file(data, schema=estimator.schema_, target=target or opened.target, missing=texts)
    if dataset.target is None:
        raise click.UsageError("The last column of DATA is one the tree asks about; name the class with --target NAME.")
    found = compare(dataset.target.tolist(), estimator.predict(dataset.table).tolist(), estimator.classes_.tolist())
    if estimator.cost_matrix is not None:
        found["cost"] = mean_cost(found["confusion"], read_costs(estimator.cost_matrix, estimator.classes_).tolist())
    if as_json:
        print_json(found)
    else:
        print_comparison(found)


def compare(actual: list[Any], predicted: list[Any], classes: list[Any]) -> dict[str, Any]:
    """Return the accuracies and the confusion table; its rows are actual classes, new ones last.

    Classes are compared by what one would write for them: a file of whole numbers has 1 where another has 1.0, or 01.
    """
    from heirwood.data.text import is_number
    from heirwood.view import shown

    known = [shown(value) for value in classes]
    if not any(isinstance(value, str) for value in classes):
        actual = [float(value) if isinstance(value, str) and is_number(value) else value for value in actual]
    truth = [shown(value) for value in actual]
    names = known + sorted(set(truth) - set(known))
    place = {name: i for i, name in enumerate(names)}
    confusion = [[0] * len(known) for _ in names]
    for name, answer in zip(truth, predicted, strict=True):
        confusion[place[name]][place[shown(answer)]] += 1
    right = [row[i] if i < len(known) else 0 for i, row in enumerate(confusion)]
    shares = [hits / sum(row) for hits, row in zip(right, confusion, strict=True) if sum(row)]
    return {
        "rows": len(truth),
        "right": sum(right),
        "accuracy": sum(right) / len(truth),
        "balanced_accuracy": sum(shares) / len(shares),
        "predicted": known,
        "actual": names,
        "confusion": confusion,
    }


def mean_cost(confusion: list[list[int]], costs: list[list[float]]) -> float | None:
    """Return what a row costs on average; None where rows have classes that no costs are known of."""
    if len(confusion) > len(costs):
        return None
    pairs = [pair for row, of_class in zip(confusion, costs, strict=True) for pair in zip(row, of_class, strict=True)]
    return sum(n * cost for n, cost in pairs) / sum(n for n, _ in pairs)


def print_comparison(found: dict[str, Any]) -> None:
    """Print a comparison for people."""
    from heirwood.export.wording import percent, rows

    click.secho(f"accuracy           {percent(found['accuracy'])}", bold=True, nl=False)
    click.echo(f"  ({found['right']:,} of {rows(found['rows'])})")
    click.echo(f"balanced accuracy  {percent(found['balanced_accuracy'])}")
    if "cost" in found:
        unknown = "unknown: there are classes without costs"
        click.echo(f"cost of a row      {unknown if found['cost'] is None else format(found['cost'], '.4f')}")
    heading("\nActual classes (down) and what was predicted (across)")
    body = [
        [name, *(str(n) if n else "." for n in row)]
        for name, row in zip(found["actual"], found["confusion"], strict=True)
    ]
    print_table(["", *found["predicted"]], body)
