"""What a table is: named columns of two kinds, and one float64 matrix that holds them all.

A numeric column holds its numbers, a nominal column the codes of its levels:

    schema   [ age: numeric | colour: nominal (blue, green, red) ]
    values   [ 41.5         |  2.0  ]     red
             [ nan          |  0.0  ]     age is missing, blue
             [ 17.0         | -1.0  ]     a colour that the schema does not know (prediction only)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

KINDS = ("numeric", "nominal")
UNSEEN = -1.0  # the code of a level that is not in the schema

Level = str | bool | int | float


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
        The column's name, unique in its schema.
    kind : {"numeric", "nominal"}
        Whether its values are numbers or levels.
    levels : tuple of str, of bool, or of int and float
        The levels of a nominal column; a value's code is its place here. The order is the declared one where
        the data declare one, else sorted.
    declared : bool, default=True
        Whether the levels are the column's own, whichever rows there are, rather than those found in its rows.
        In the paper's mode a declared level has a test even if it never occurs. It makes no difference to
        prediction, so equality and files leave it out.
    """

    name: str
    kind: str
    levels: tuple[Level, ...] = ()
    declared: bool = field(default=True, compare=False)

    def __post_init__(self) -> None:
        if type(self.name) is not str:
            raise ValueError(f"A column's name must be a str, got {self.name!r}.")
        if self.kind not in KINDS:
            raise ValueError(f"Column {self.name!r} has the kind {self.kind!r}; expected one of {KINDS}.")
        if self.kind == "numeric" and self.levels:
            raise ValueError(f"Column {self.name!r} is numeric and has levels; give levels to nominal columns.")
        _check_levels(self.name, self.levels)


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order.

    Parameters
    ----------
    columns : tuple of Column
        Their names are unique.
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        repeated = first_repeated(self.names)
        if repeated is not None:
            raise ValueError(f"The column name {repeated!r} occurs twice; give every column its own name.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain dicts and lists, ready for JSON."""
        return {
            "columns": [
                {"name": column.name, "kind": column.kind}
                | ({"levels": list(column.levels)} if column.kind == "nominal" else {})
                for column in self.columns
            ]
        }

    @classmethod
    def from_dict(cls, data: Any) -> Schema:
        """Read back what `to_dict` gave, trusting nothing.

        Parameters
        ----------
        data : dict
            ``{"columns": [{"name": ..., "kind": ..., "levels": [...]}, ...]}``

        Returns
        -------
        Schema

        Raises
        ------
        ValueError
            If anything is missing, of the wrong type, unknown or repeated.
        """
        _check_keys("A schema", data, required={"columns"}, allowed={"columns"})
        columns = data["columns"]
        if not isinstance(columns, list):
            raise ValueError(f"The columns of a schema must be a list, got {type(columns).__name__}.")
        for place, column in enumerate(columns):
            _check_keys(f"Column {place}", column, {"name", "kind"}, {"name", "kind", "levels"})
            if not isinstance(column.get("levels", []), list):
                raise ValueError(f"The levels of column {place} must be a list, got {column['levels']!r}.")
        return cls(tuple(Column(column["name"], column["kind"], tuple(column.get("levels", ()))) for column in columns))


@dataclass(frozen=True, eq=False)
class Table:
    """Rows under a schema.

    Parameters
    ----------
    schema : Schema
        What the columns are.
    values : (n_rows, n_columns) float64 ndarray, contiguous by rows or by columns
        Numbers, or codes of levels; NaN is a missing value and -1 a level that the schema does not know. The
        memory may be shared with the data it was read from: do not write to it.
    """

    schema: Schema
    values: np.ndarray

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.schema):
            raise ValueError(
                f"The values have shape {self.values.shape}, and the schema has {len(self.schema)} columns; "
                "expected (n_rows, n_columns)."
            )
        if self.values.dtype != np.float64 or not (self.values.flags.f_contiguous or self.values.flags.c_contiguous):
            raise ValueError(f"The values must be float64 and contiguous, got {self.values.dtype}.")

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        n_rows, n_columns = self.values.shape
        return n_rows, n_columns

    def take(self, rows: Any) -> Table:
        """Return a table of some rows: an array of row numbers, a mask or a slice."""
        return Table(self.schema, contiguous(self.values[rows]))

    def __getitem__(self, rows: Any) -> Table:
        return self.take(rows)  # scikit-learn's cross-validation divides what it can index

    def __repr__(self) -> str:
        return f"Table({len(self)} rows: {', '.join(self.schema.names[:8])}{', ...' if len(self.schema) > 8 else ''})"


def contiguous(values: np.ndarray) -> np.ndarray:
    """Return an array as float64, by rows or by columns as it is; copied only where it must be."""
    values = np.asarray(values, dtype=np.float64)
    return values if values.flags.c_contiguous or values.flags.f_contiguous else np.asfortranarray(values)


def first_repeated(items: Any) -> Any:
    """Return the first of `items` that is equal to an earlier one, or None."""
    seen = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None


def _check_levels(name: str, levels: tuple[Level, ...]) -> None:
    if type(levels) is not tuple:
        raise ValueError(f"The levels of column {name!r} must be a tuple, got {type(levels).__name__}.")
    types = {type(level) for level in levels}
    # One family only: True equals 1 in Python, and "1" looks like 1 in print.
    if not (types <= {str} or types <= {bool} or types <= {int, float}):
        found = ", ".join(sorted(type_.__name__ for type_ in types))
        raise ValueError(
            f"The levels of column {name!r} are of the types {found}; expected only str, only bool, or only "
            "numbers. Convert the column to one type, for example to text."
        )
    for level in levels:
        if isinstance(level, float) and not math.isfinite(level):
            raise ValueError(f"A level of column {name!r} is {level!r}; expected finite numbers.")
    repeated = first_repeated(levels)
    if repeated is not None:
        raise ValueError(f"The level {repeated!r} of column {name!r} occurs twice; list every level once.")


def _check_keys(what: str, data: Any, required: set[str], allowed: set[str]) -> None:
    if not isinstance(data, dict):
        raise ValueError(f"{what} must be a dict, got {type(data).__name__}.")
    if missing := sorted(required - data.keys()):
        raise ValueError(f"{what} has no {missing[0]!r}; expected {sorted(required)}.")
    if unknown := sorted(map(str, data.keys() - allowed)):
        raise ValueError(f"{what} has an unknown entry {unknown[0]!r}; expected only {sorted(allowed)}.")
