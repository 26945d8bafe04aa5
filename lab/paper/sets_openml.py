"""The paper's sets from OpenML, through scikit-learn's `fetch_openml`, which keeps what it fetched.

Name and version are fixed and checked; what was fetched is then made into what the paper had (columns that OpenML
hides come back, numbers go into the paper's bins).
"""

from __future__ import annotations

import os
import socket
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heirwood.data import Column, Dataset, Schema, Table
from lab.paper.sets_bins import cuts_by_leave_one_out, cuts_of_equal_width, into_bins, missing_as_level

OFFLINE_VARIABLE = "HEIRWOOD_OFFLINE"
PATIENCE = 20.0  # seconds without a word from the server


class NotFetchedError(ValueError):
    """A set that OpenML did not give; the message says why."""


@dataclass(frozen=True)
class OpenMLSet:
    """Where a set is on OpenML, and how it becomes the paper's."""

    name: str
    version: int
    target: str
    hidden: dict[str, int] = field(default_factory=dict)  # columns OpenML advises to ignore, and their places
    prepare: Callable[[Table], Table] | None = None


#: By the paper's names. The raw anneal is version 1, where what does not apply is missing.
OPENML = {
    "zoo": OpenMLSet("zoo", 1, "type", hidden={"animal": 0}),
    "credit-a": OpenMLSet("credit-approval", 1, "class"),
    "lymph": OpenMLSet("lymph", 1, "class"),
    "glass": OpenMLSet("glass", 1, "Type", prepare=lambda table: into_bins(table, cuts_of_equal_width)),
    "vote": OpenMLSet("vote", 1, "Class"),
    "anneal": OpenMLSet(
        "anneal", 1, "class", prepare=lambda table: into_bins(missing_as_level(table), cuts_by_leave_one_out)
    ),
    "kr-vs-kp": OpenMLSet("kr-vs-kp", 1, "class"),
    "breast": OpenMLSet("breast-cancer", 1, "Class"),
}

_unreachable: list[str] = []  # why, once it was found out: a machine without a network is asked once, not eight times


def fetch_set(wanted: OpenMLSet, classes: tuple[str, ...]) -> Dataset:
    """Fetch a set, or take it from scikit-learn's cache.

    Parameters
    ----------
    wanted : OpenMLSet
    classes : tuple of str
        The classes in their declared order.

    Raises
    ------
    NotFetchedError
        Where there is no network, no such set, or another version than was asked for.
    """
    if os.environ.get(OFFLINE_VARIABLE):
        raise NotFetchedError(f"OpenML is not asked, for {OFFLINE_VARIABLE} is set")
    if _unreachable:
        raise NotFetchedError(_unreachable[0])
    bunch = _fetch(wanted)
    found = (str(bunch.details.get("name")), str(bunch.details.get("version")))
    if found != (wanted.name, str(wanted.version)):
        raise NotFetchedError(
            f"OpenML gave {found[0]}, version {found[1]}, for {wanted.name}, version {wanted.version}"
        )
    target, table = _split(bunch, wanted)
    if wanted.prepare is not None:
        table = wanted.prepare(table)
    name = f"{wanted.name}, version {wanted.version} of OpenML"
    return Dataset(table, target, wanted.target, classes, name)


def _fetch(wanted: OpenMLSet) -> Any:
    from sklearn.datasets import fetch_openml

    try:
        with _patience(), warnings.catch_warnings():
            # It warns of a hidden column that is asked for, and of each attempt; what matters is in the error.
            warnings.simplefilter("ignore")
            return fetch_openml(
                wanted.name,
                version=wanted.version,
                target_column=[wanted.target, *wanted.hidden],
                as_frame=False,
                parser="liac-arff",
                n_retries=1,
                delay=0.5,
            )
    except OSError as error:  # no network, no server, or one that does not answer; HTTP errors are OSErrors too
        code = getattr(error, "code", None)
        reason = f"OpenML could not be reached: {getattr(error, 'reason', None) or error}"
        if code is None:
            _unreachable.append(reason)
        raise NotFetchedError(reason) from error
    except (KeyError, ValueError) as error:  # no such set or column, a broken file
        raise NotFetchedError(f"OpenML did not give {wanted.name}, version {wanted.version}: {error}") from error


def _split(bunch: Any, wanted: OpenMLSet) -> tuple[np.ndarray, Table]:
    """Return classes and table; `target` holds the classes and then the hidden columns."""
    targets = np.asarray(bunch.target, dtype=object).reshape(len(bunch.data), -1)
    columns = [
        Column(name, "nominal", tuple(map(str, bunch.categories[name])))
        if name in bunch.categories
        else Column(name, "numeric")
        for name in bunch.feature_names
    ]
    arrays = list(np.asarray(bunch.data, dtype=np.float64).T)
    for place, (name, at) in enumerate(wanted.hidden.items(), start=1):
        levels, codes = np.unique(targets[:, place].astype(str), return_inverse=True)
        columns.insert(at, Column(name, "nominal", tuple(levels.tolist())))
        arrays.insert(at, codes.astype(np.float64))
    table = Table(Schema(tuple(columns)), np.asfortranarray(np.column_stack(arrays)))
    return targets[:, 0].astype(str), table


@contextmanager
def _patience() -> Iterator[None]:
    """Give up on a server that says nothing: `fetch_openml` itself would wait for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
