"""Models that the command line writes also say how their table was read: the target, texts for missing values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heirwood.estimator import EvolvedTreeClassifier


def save(estimator: EvolvedTreeClassifier, path: Path, target: str | None, missing: Collection[str] = ()) -> None:
    """Write a model file that has among its facts the target's column, and texts that stood for a missing value."""
    from heirwood.export.model_file import read_model, write_model

    estimator.save(path)
    model = read_model(path)
    read = {"target": target} | ({"missing": list(missing)} if missing else {})
    write_model(replace(model, facts={**model.facts, **read}), path)


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model file that was read.

    Attributes
    ----------
    estimator : EvolvedTreeClassifier
    target : str or None
        The column that it predicts, if the file says so.
    missing : list of str
        The texts that stood for a missing value in the table it was fitted on, besides the usual ones.
    """

    estimator: EvolvedTreeClassifier
    target: str | None
    missing: list[str]


def open_model(path: Path, leaves: int | None = None) -> OpenModel:
    """Read a model file, once: it may be a pipe. With a number of leaves, use that tree."""
    from heirwood.estimator import EvolvedTreeClassifier
    from heirwood.export.fitted import from_model
    from heirwood.export.model_file import read_model

    model = read_model(path)
    estimator = from_model(EvolvedTreeClassifier, model, path)
    target, missing = model.facts.get("target"), model.facts.get("missing")
    return OpenModel(
        estimator if leaves is None else estimator.select(leaves),
        target if isinstance(target, str) else None,
        [text for text in missing if isinstance(text, str)] if isinstance(missing, list) else [],
    )
