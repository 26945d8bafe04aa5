"""``heirwood score``: how well a model does on a table whose classes are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import open_model
from heirwood.cli.options import DATA, JSON, LEAVES, MISSING, MODEL, QUIET
from heirwood.cli.output import hush, print_json
from heirwood.cli.scores import mean_cost, print_scores, score_table
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
    Prints the accuracy, the balanced accuracy (the mean over classes of the share that is right), the log loss, the
    Brier score and the AUC of the probabilities, the mean cost of a row where MODEL has costs, how often each class
    was taken for which, and for two classes what thresholds of the probability mean.
    """
    load("heirwood.data.readers", "heirwood.evolved_tree")
    from heirwood.data import read_costs
    from heirwood.data.readers import read_file

    if quiet:
        hush()
    opened = open_model(model, leaves)
    estimator, texts = opened.estimator, [*opened.missing, *missing]
    dataset = read_file(data, schema=estimator.schema_, target=target or opened.target, missing=texts)
    if dataset.target is None:
        raise click.UsageError("The last column of DATA is one the tree asks about; name the class with --target NAME.")
    found = score_table(estimator, dataset)
    if estimator.cost_matrix is not None:
        found["cost"] = mean_cost(found["confusion"], read_costs(estimator.cost_matrix, estimator.classes_).tolist())
    if as_json:
        print_json(found)
    else:
        print_scores(found)
