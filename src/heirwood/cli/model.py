"""Models that the command line writes also say which column they predict, and which texts stood for nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heirwood.estimator import EvolvedTreeClassifier


def save(estimator: EvolvedTreeClassifier, path: Path, target: str | None, missing: Collection[str] = ()) -> None:
    """Write a model file that has among its facts the target's column, and texts that stood for a missing value."""
    from heirwood.export.model_file import read_model, write_model

    estimator.save(path)
    model = read_model(path)
    read = {"target": target} | ({"missing": list(missing)} if missing else {})
    write_model(replace(model, facts={**model.facts, **read}), path)


def load(path: Path, leaves: int | None = None) -> EvolvedTreeClassifier:
    """Return the estimator in a model file, using the tree with that many leaves if a number is given."""
    from heirwood.estimator import EvolvedTreeClassifier

    estimator = EvolvedTreeClassifier.load(path)
    return estimator if leaves is None else estimator.select(leaves)


def target_of(path: Path) -> str | None:
    """Return the name of the column that a model predicts, if its file says so."""
    target = _facts(path).get("target")
    return target if isinstance(target, str) else None


def missing_of(path: Path) -> list[str]:
    """Return the texts that stood for a missing value in the table of a model, besides the usual ones."""
    missing = _facts(path).get("missing")
    return [text for text in missing if isinstance(text, str)] if isinstance(missing, list) else []


def _facts(path: Path) -> dict[str, Any]:
    from heirwood.export.model_file import read_model

    return read_model(path).facts
