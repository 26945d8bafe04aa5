"""A table and, beside it, the column to predict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heirwood.data.schema import Column, Level, Schema, Table


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its target.

    Parameters
    ----------
    table : Table
        The columns to predict from.
    target : (n_rows,) ndarray or None
        The value to predict in each row: text, or numbers (integers if all of them are whole).
    target_name : str or None
        The name of the target's column.
    target_levels : tuple or None
        The classes in their declared order, including those that never occur; None where none is declared.
    name : str
        What to call the data set.
    """

    table: Table
    target: np.ndarray | None
    target_name: str | None
    target_levels: tuple[Level, ...] | None
    name: str

    def without(self, names: Collection[str]) -> Dataset:
        """Return the data set less some columns of its table.

        Parameters
        ----------
        names : collection of str

        Raises
        ------
        ValueError
            If the table has no such column, or none but these.
        """
        check_left_out(names, self.table.schema.names, self.target_name, self.name)
        if not names:
            return self
        kept = [place for place, name in enumerate(self.table.schema.names) if name not in names]
        if not kept:
            raise ValueError(f"{self.name} has no column left to ask about; leave out fewer.")
        columns = tuple(self.table.schema.columns[place] for place in kept)
        return replace(self, table=Table(Schema(columns), np.asfortranarray(self.table.values[:, kept])))

    def numbers(self, name: str) -> np.ndarray:
        """Return the values of a numeric column of its table.

        Parameters
        ----------
        name : str

        Raises
        ------
        ValueError
            If the table has no such column, or it is nominal.
        """
        if name not in self.table.schema.names:
            raise ValueError(f"{self.name} has no column {name!r} of numbers; it has {list(self.table.schema.names)}.")
        place = self.table.schema.names.index(name)
        if self.table.schema.columns[place].kind != "numeric":
            raise ValueError(f"The column {name!r} has values that are no numbers.")
        return self.table.values[:, place].copy()  # the rest of the table need not stay for it

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, table={self.table!r}, target={self.target_name!r})"


def check_left_out(ignore: Collection[str], names: Sequence[str], target: str | None, where: str) -> None:
    """Refuse to leave out columns that are not there, or that are the target."""
    if isinstance(ignore, str):
        raise ValueError(f"Expected a list of columns to leave out, got the text {ignore!r}; put it in brackets.")
    for name in ignore:
        if name == target:
            raise ValueError(f"{where} cannot do without the column {name!r}: it is the target.")
        if name not in names:
            raise ValueError(f"{where} has no column {name!r} to leave out; it has {list(names)}.")


def choose_target(names: Sequence[str], target: str | bool | None, schema: Schema | None) -> str | None:
    """Return the name of the column to predict, or None if there is none.

    Parameters
    ----------
    names : sequence of str
        The columns of the file.
    target : str, None or False
        A name; None for the last column (unless `schema` says that trees ask about it); False for no target.
    schema : Schema or None
        The columns that a tree was fitted on.
    """
    if target is False:
        return None
    if target is None:
        return None if schema is not None and names[-1] in schema.names else names[-1]
    if target not in names:
        raise ValueError(
            f"There is no column {target!r} to predict; the file has {list(names)}. Name one of these as the target."
        )
    if schema is not None and target in schema.names:
        raise ValueError(
            f"The model uses the column {target!r} to predict, so {target!r} cannot be the target as well; name the "
            "column that holds the classes."
        )
    return str(target)


def split_target(
    finished: Iterator[tuple[Column, np.ndarray]],
    shape: tuple[int, int],
    target: str | None,
    *,
    declared: bool,
    name: str,
    stands_for_missing: Collection[str] = (),
) -> Dataset:
    """Set the target's column apart and put the others together in a table.

    Parameters
    ----------
    finished : iterator of (Column, (n_rows,) float64 ndarray)
        What the columns are, and their numbers or codes of levels. None is kept: each is in the table before the next
        one is asked for, so that a file is not in memory twice.
    shape : (int, int)
        How many rows there are, and columns, with the target's.
    target : str or None
        The name of the target's column.
    declared : bool
        Whether the order of the target's levels is a declared one.
    name : str
        The name of the data set.
    stands_for_missing : collection of str
        The texts that were read as missing values, for the message where the target has some.
    """
    n_rows, n_columns = shape[0], shape[1] - (target is not None)
    if n_columns == 0:
        raise ValueError(f"{name} has no column beside the target {target!r}; a tree needs one to ask about.")
    values = np.empty((n_rows, n_columns), dtype=np.float64, order="F")
    kept: list[Column] = []
    labels, levels = None, None
    for column, array in finished:
        if column.name == target:
            labels = _target_values(column, array, stands_for_missing)
            levels = column.levels if declared and column.kind == "nominal" else None
        else:
            values[:, len(kept)] = array
            kept.append(column)
    return Dataset(Table(Schema(tuple(kept)), values), labels, target, levels, name)


def _target_values(column: Column, array: np.ndarray, stands_for_missing: Collection[str]) -> np.ndarray:
    n_missing = int(np.isnan(array).sum())
    if n_missing:
        texts = ", ".join(text or "an empty field" for text in stands_for_missing)
        raise ValueError(
            f"The target {column.name!r} is missing in {n_missing} of {len(array)} rows; fill it in or "
            f"remove these rows.{f' (Read as missing: {texts}; give a class of such a name another.)' if texts else ''}"
        )
    if column.kind == "nominal":
        return np.array(column.levels)[array.astype(np.intp)]
    whole = array.astype(np.int64) if np.all(np.abs(array) < 2**53) else array
    return whole if np.array_equal(whole, array) else array
