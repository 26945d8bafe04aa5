"""Models that the command line writes also say which column they predict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heirwood.estimator import EvolvedTreeClassifier


def save(estimator: EvolvedTreeClassifier, path: Path, target: str | None) -> None:
    """Write a model file with the name of the target's column among its facts."""
    from heirwood.export.model_file import read_model, write_model

    estimator.save(path)
    model = read_model(path)
    write_model(replace(model, facts={**model.facts, "target": target}), path)


def load(path: Path, leaves: int | None = None) -> EvolvedTreeClassifier:
    """Return the estimator in a model file, using the tree with that many leaves if a number is given."""
    from heirwood.estimator import EvolvedTreeClassifier

    estimator = EvolvedTreeClassifier.load(path)
    return estimator if leaves is None else estimator.select(leaves)


def target_of(path: Path) -> str | None:
    """Return the name of the column that a model predicts, if its file says so."""
    from heirwood.export.model_file import read_model

    target = read_model(path).facts.get("target")
    return target if isinstance(target, str) else None
