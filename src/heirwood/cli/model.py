"""Models that the command line writes also say how their table was read: the target, texts for missing values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from heirwood.caller_stack import warn_user

if TYPE_CHECKING:
    from heirwood.evolved_tree import EvolvedTree


def save(estimator: EvolvedTree, path: Path, target: str | None, missing: Collection[str] = ()) -> None:
    """Write a model file that says what the target's column was, and which texts stood for a missing value."""
    named = {} if target is None else {"target": target}
    estimator.read_as_ = named | ({"missing": list(missing)} if missing else {})
    estimator.save(path)


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model file that was read.

    Attributes
    ----------
    estimator : EvolvedTree
    target : str or None
        The column that it predicts, if the file says so.
    missing : list of str
        The texts that stood for a missing value in the table it was fitted on, besides the usual ones.
    """

    estimator: EvolvedTree
    target: str | None
    missing: list[str]


def open_model(path: Path, leaves: int | None = None) -> OpenModel:
    """Read a model file, once: it may be a pipe. With a number of leaves, use that tree."""
    from heirwood.evolved_tree import EvolvedTree

    estimator = EvolvedTree.load(path)
    read_as = estimator.read_as_
    if leaves is not None and estimator.select(leaves).get_n_leaves() != leaves:
        warn_user(estimator.size_reason_)
    return OpenModel(estimator, read_as.get("target"), read_as.get("missing", []))
