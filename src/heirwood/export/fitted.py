"""A fitted estimator as a model, and back: its hall, its columns, its classes and its parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heirwood.data.schema import Schema
from heirwood.export.hall import HallEntry, HallOfFame
from heirwood.export.model_file import Model
from heirwood.export.parameters import parameters_to_json

# Types of classes that are read back as they were; others become what NumPy makes of the values.
_DTYPES = ("object", "bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)))
DTYPES = (*_DTYPES, "float16", "float32", "float64")


def to_model(estimator: Any) -> Model:
    """Return what is worth keeping of a fitted estimator, or say which parameter cannot be kept."""
    facts: dict[str, Any] = {
        "named": hasattr(estimator, "feature_names_in_"),
        "dtype": estimator.classes_.dtype.name,
        "generations": estimator.n_generations_,
        "stop_reason": estimator.stop_reason_,
        "savings": estimator.savings_,
        "lower_bound": estimator.lower_bound_,
        "payoffs": [_finite_or_text(entry.payoff) for entry in estimator.hall_],
    }
    if estimator.hall_.cross_validated:
        facts["cv"] = [[entry.cv_accuracy, entry.cv_error] for entry in estimator.hall_]
    if estimator.lower_bound_ is not None:
        facts["gaps"] = [entry.gap for entry in estimator.hall_]
    return Model(
        columns=estimator.schema_.to_dict()["columns"],
        classes=tuple(estimator.classes_.tolist()),
        trees=tuple(entry.tree for entry in estimator.hall_),
        chosen=estimator.hall_.chosen,
        seed=estimator.seed_,
        parameters=parameters_to_json(estimator.get_params(deep=False)),
        facts=facts,
    )


def fitted_attributes(model: Model) -> dict[str, Any]:
    """Return the fitted attributes that a model stands for; facts that are not what they should be are dropped."""
    schema = Schema.from_dict({"columns": model.columns})
    entries = [
        HallEntry(tree.n_leaves, tree.depth, tree.accuracy, payoff, tree, *held_out, gap)
        for tree, payoff, held_out, gap in zip(
            model.trees, _payoffs(model), _held_out(model), _gaps(model), strict=True
        )
    ]
    attributes = {
        "schema_": schema,
        "classes_": _classes(model),
        "n_features_in_": len(schema),
        "hall_": HallOfFame(entries, model.chosen),
        "seed_": model.seed,
    }
    if model.facts.get("named") is True:
        attributes["feature_names_in_"] = np.array(schema.names, dtype=object)
    for name, kind in (("generations", int), ("stop_reason", str), ("savings", dict), ("lower_bound", float)):
        value = model.facts.get(name)
        attributes["n_generations_" if name == "generations" else f"{name}_"] = value if type(value) is kind else None
    return attributes


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


def _held_out(model: Model) -> list[tuple[float | None, float | None]]:
    """Return the cross-validated accuracy of every tree and its standard error, None where the file does not say."""
    nothing: list[tuple[float | None, float | None]] = [(None, None)] * len(model.trees)
    written = model.facts.get("cv")
    if type(written) is not list or len(written) != len(model.trees):
        return nothing
    found = []
    for pair in written:
        if pair != [None, None] and not (type(pair) is list and len(pair) == 2 and all(map(_is_share, pair))):
            return nothing
        found.append((pair[0], pair[1]))
    return found


def _is_share(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _gaps(model: Model) -> list[float | None]:
    """Return how far each tree may be from the best of its size, None where the file does not say."""
    written = model.facts.get("gaps")
    if type(written) is not list or len(written) != len(model.trees):
        return [None] * len(model.trees)
    return [float(gap) if type(gap) in (int, float) else None for gap in written]
