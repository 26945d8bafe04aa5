"""A fitted estimator as a model, and back: its hall, its columns, its classes and its parameters."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from heirwood.data.schema import Schema
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.export.model_file import Model, ModelFileError
from heirwood.export.parameters import parameters_from_json, parameters_to_json
from heirwood.probabilities import check_smoothing

Estimator = TypeVar("Estimator", bound=Any)

# Types of classes that are read back as they were; others become what NumPy makes of the values.
_DTYPES = ("object", "bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)))
# Of the trees of the hall, each a number or null.
FIGURES = ("gap", "cv_accuracy", "cv_error", "cost", "cv_cost", "log_loss", "brier", "cv_loss")
DTYPES = (*_DTYPES, "float16", "float32", "float64")


def to_model(estimator: Any) -> Model:
    """Return what is worth keeping of a fitted estimator, or say which parameter cannot be kept."""
    return Model(
        columns=estimator.schema_.to_dict()["columns"],
        classes=tuple(estimator.classes_.tolist()),
        trees=tuple(entry.tree for entry in estimator.hall_),
        chosen=estimator.hall_.chosen,
        seed=estimator.seed_,
        parameters=parameters_to_json(estimator.get_params(deep=False)),
        facts={
            "named": hasattr(estimator, "feature_names_in_"),
            "dtype": estimator.classes_.dtype.name,
            "generations": estimator.n_generations_,
            "stop_reason": estimator.stop_reason_,
            "size_reason": getattr(estimator, "size_reason_", None),  # pickled before there was any
            "savings": estimator.savings_,
            "lower_bound": estimator.lower_bound_,
            "leaf_cost": estimator.leaf_cost_,
            "smoothing": getattr(estimator, "smoothing_", None),
            **getattr(estimator, "read_as_", {}),  # pickled before there was any
            "payoffs": [_finite_or_text(entry.payoff) for entry in estimator.hall_],
            **{name: [getattr(entry, name) for entry in estimator.hall_] for name in FIGURES},
        },
    )


def from_model(kind: type[Estimator], model: Model, path: str | Path) -> Estimator:
    """Return the fitted estimator that a model stands for; the path of its file is for messages."""
    known = kind().get_params(deep=False)
    try:
        parameters = parameters_from_json(model.parameters)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from error
    estimator = kind(**{name: value for name, value in parameters.items() if name in known})
    estimator.__dict__.update(fitted_attributes(model))
    return estimator


def fitted_attributes(model: Model) -> dict[str, Any]:
    """Return the fitted attributes that a model stands for; facts that are not what they should be are dropped."""
    schema = Schema.from_dict({"columns": model.columns})
    entries = [
        HallEntry(tree.n_leaves, tree.depth, tree.accuracy, payoff, tree, *figures)
        for tree, payoff, *figures in zip(
            model.trees, _payoffs(model), *(_figures(model, name) for name in FIGURES), strict=True
        )
    ]
    attributes = {
        "schema_": schema,
        "classes_": _classes(model),
        "n_features_in_": len(schema),
        "hall_": HallOfFame(entries, model.chosen),
        "seed_": model.seed,
    }
    attributes["read_as_"] = _read_as(model)
    if model.facts.get("named") is True:
        attributes["feature_names_in_"] = np.array(schema.names, dtype=object)
    for name, kind in (
        ("generations", int), ("stop_reason", str), ("size_reason", str), ("savings", dict), ("lower_bound", float),
        ("leaf_cost", float),
    ):  # fmt: skip
        value = model.facts.get(name)
        attributes["n_generations_" if name == "generations" else f"{name}_"] = value if type(value) is kind else None
    attributes["smoothing_"] = _smoothing(model)
    return attributes


def _smoothing(model: Model) -> float | None:
    """Return what probabilities are smoothed with, where the file says a number that can be."""
    try:
        return check_smoothing(model.facts.get("smoothing"))
    except ValueError:
        return None


def _read_as(model: Model) -> dict[str, Any]:
    """Return how the table was read, where the command line did it: the target, texts for missing values."""
    target, missing = model.facts.get("target"), model.facts.get("missing")
    found: dict[str, Any] = {"target": target} if isinstance(target, str) else {}
    if isinstance(missing, list) and all(isinstance(text, str) for text in missing):
        found["missing"] = missing
    return found


def _classes(model: Model) -> np.ndarray:
    """Return the classes as an array of the type they had, or of one that holds them exactly."""
    values = list(model.classes)
    if model.facts.get("dtype") in DTYPES:
        try:
            array = np.array(values, dtype=model.facts["dtype"])
            if array.tolist() == values:
                return array
        except (OverflowError, TypeError, ValueError):
            pass
    array = np.array(values)
    return array if array.tolist() == values else np.array(values, dtype=object)


def _finite_or_text(payoff: float) -> float | str:
    return payoff if math.isfinite(payoff) else str(payoff)  # JSON has no infinity


def _payoffs(model: Model) -> list[float]:
    """Return the payoff of every tree, NaN where the file does not say."""
    written = model.facts.get("payoffs")
    if type(written) is not list or len(written) != len(model.trees):
        written = [None] * len(model.trees)
    return [
        float(payoff) if type(payoff) in (int, float) or payoff in ("inf", "-inf") else math.nan for payoff in written
    ]


def _figures(model: Model, name: str) -> list[float | None]:
    """Return a figure of every tree, None where the file does not say."""
    written = model.facts.get(name)
    if type(written) is not list or len(written) != len(model.trees):
        return [None] * len(model.trees)
    return [float(value) if type(value) in (int, float) else None for value in written]
