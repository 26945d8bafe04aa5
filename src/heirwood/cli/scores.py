"""How well a model does on a table, as commands print it: right and wrong, probabilities, thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from heirwood.cli.output import heading, print_table
from heirwood.terminal_text import one_line

if TYPE_CHECKING:
    from heirwood.data import Dataset
    from heirwood.evolved_tree import EvolvedTree


def score_table(estimator: EvolvedTree, dataset: Dataset) -> dict[str, Any]:
    """Return how well a model does on a table: its labels, and its probabilities."""
    import numpy as np

    from heirwood.scoring import score_probabilities

    assert dataset.target is not None
    predicted = estimator.predict(dataset.table).tolist()
    found = compare(dataset.target.tolist(), predicted, estimator.classes_.tolist())
    actual = np.array(found.pop("places"), np.int64)
    probabilities = estimator.predict_proba(dataset.table)
    if len(found["predicted"]) != 2:
        return {**found, **score_probabilities(actual, probabilities)}
    positive = estimator.tree_.positive
    return {**found, "positive": found["predicted"][positive], **score_probabilities(actual, probabilities, positive)}


def compare(actual: list[Any], predicted: list[Any], classes: list[Any]) -> dict[str, Any]:
    """Return the accuracies, the confusion table, whose rows are actual classes, new ones last, and each row's place.

    Classes are compared by what one would write for them: a file of whole numbers has 1 where another has 1.0, or 01.
    """
    from heirwood.data.text import is_number
    from heirwood.file_budgets import CLASSES
    from heirwood.tree_view import shown

    known = [shown(value) for value in classes]
    if not any(isinstance(value, str) for value in classes):
        actual = [float(value) if isinstance(value, str) and is_number(value) else value for value in actual]
    truth = [shown(value) for value in actual]
    names = known + sorted(set(truth) - set(known))
    CLASSES.check(len(names), "The table")
    place = {name: i for i, name in enumerate(names)}
    confusion = [[0] * len(known) for _ in names]
    for name, answer in zip(truth, predicted, strict=True):
        confusion[place[name]][place[shown(answer)]] += 1
    places = [place[name] if place[name] < len(known) else -1 for name in truth]
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
        "places": places,
    }


def mean_cost(confusion: list[list[int]], costs: list[list[float]]) -> float | None:
    """Return what a row costs on average; None where rows have classes that no costs are known of."""
    if len(confusion) > len(costs):
        return None
    pairs = [pair for row, of_class in zip(confusion, costs, strict=True) for pair in zip(row, of_class, strict=True)]
    return sum(n * cost for n, cost in pairs) / sum(n for n, _ in pairs)


def print_scores(found: dict[str, Any]) -> None:
    """Print how well a model does, for people."""
    from heirwood.export.phrases import percent, rows

    click.secho(f"accuracy           {percent(found['accuracy'])}", bold=True, nl=False)
    click.echo(f"  ({found['right']:,} of {rows(found['rows'])})")
    click.echo(f"balanced accuracy  {percent(found['balanced_accuracy'])}")
    print_probabilities(found)
    if "cost" in found:
        unknown = "unknown: there are classes without costs"
        click.echo(f"cost of a row      {unknown if found['cost'] is None else format(found['cost'], '.4f')}")
    heading("\nActual classes (down) and what was predicted (across)")
    body = [
        [name, *(str(n) if n else "." for n in row)]
        for name, row in zip(found["actual"], found["confusion"], strict=True)
    ]
    print_table(["", *found["predicted"]], body)
    print_thresholds(found)


def print_probabilities(found: dict[str, Any]) -> None:
    """Print how well probabilities do."""
    loss = found["log_loss"]
    click.echo(f"log loss           {'infinite' if loss is None else format(loss, '.4f')}")
    click.echo(f"Brier score        {found['brier']:.4f}")
    if found["auc"] is not None:
        of_classes = "" if len(found["predicted"]) == 2 else "  (one class against the rest, on average)"
        click.echo(f"AUC                {found['auc']:.4f}{of_classes}")


def print_thresholds(found: dict[str, Any]) -> None:
    """Print, for two classes, what it means to call rows positive from some probability on."""
    from heirwood.export.phrases import percent

    if len(found.get("thresholds", ())) < 2:
        return
    heading(f"\nCalled {one_line(found['positive'])} from this probability on")
    body = [
        [
            f"{step['threshold']:.4f}",
            f"{step['rows']:,}",
            percent(step["precision"]),
            "" if step["recall"] is None else percent(step["recall"]),
        ]
        for step in found["thresholds"]
    ]
    print_table(["probability", "rows", "precision", "recall"], body)
