"""One column: what kind it is, and how its values become float64.

Whatever library a column came from, it arrives here as a one-dimensional NumPy array. Arrays of numbers and
booleans are read as they are; everything else is read as Python objects, which must all belong to one family:

    family     values                        learnt as
    -------    --------------------------    ---------------------------------------
    numbers    int, float, Decimal, ...      numeric
    boolean    bool                          nominal, levels (False, True)
    text       str                           nominal, levels found, sorted
    nothing    only missing values           numeric, unless the column's type says otherwise

A column that mixes families is refused: it is nearly always a slip in reading the data, and whether "1" and 1
are the same level is not ours to guess.
"""

from __future__ import annotations

import datetime
import numbers
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np

from heirwood.data.schema import UNSEEN, Column

DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
FLOATS = (float, np.floating, Decimal)  # what can be NaN
BOOLEAN_LEVELS = (False, True)


@dataclass(frozen=True)
class RawColumn:
    """A column before it has a kind.

    Parameters
    ----------
    name : str
        Its name, for messages and the schema.
    values : (n_rows,) ndarray of any dtype
        Its values; None, NaN and pandas.NA are missing.
    levels : tuple or None
        The levels that its type declares, in order.
    text : bool
        Whether its type says that it holds text, even if every value is missing.
    """

    name: str
    values: np.ndarray
    levels: tuple | None = None
    text: bool = False

    @cached_property
    def items(self) -> list:
        """The values as Python objects, with None for every kind of missing value."""
        items = self.values.tolist()
        pandas = nw.dependencies.get_pandas()  # None unless the caller has imported it
        missing = getattr(pandas, "NA", None)
        types = set(map(type, items))
        if type(missing) not in types and not any(issubclass(type_, FLOATS) for type_ in types):
            return items
        return [None if item is missing or _is_nan(item) else item for item in items]


def _is_nan(item: Any) -> bool:
    if isinstance(item, Decimal):
        return item.is_nan()  # a signalling one would not let itself be compared
    return isinstance(item, FLOATS) and bool(item != item)


def learn_column(raw: RawColumn) -> Column:
    """Return the kind and the levels of a column."""
    if raw.levels is not None:
        return Column(raw.name, "nominal", raw.levels)
    family = _family(raw)
    if family == "boolean":
        return Column(raw.name, "nominal", BOOLEAN_LEVELS)
    if family == "text" or (family == "nothing" and raw.text):
        found = {str(item) for item in raw.items if item is not None}
        return Column(raw.name, "nominal", tuple(sorted(found)), declared=False)
    return Column(raw.name, "numeric")


def encode_column(column: Column, raw: RawColumn) -> np.ndarray:
    """Return a column's numbers or codes of levels, by a schema that is already known.

    Parameters
    ----------
    column : Column
        What the column is.
    raw : RawColumn
        Its values, of a family that fits the kind: text for text levels, numbers or booleans for all else.

    Returns
    -------
    (n_rows,) float64 ndarray
        NaN where a value is missing, -1 where a level is not known.
    """
    _check_fits(column, raw, _family(raw))
    if column.kind == "numeric":
        return _encode_numbers(raw)
    if raw.values.dtype.kind == "b" and column.levels == BOOLEAN_LEVELS:
        return raw.values.astype(np.float64)
    codes: dict[Any, float] = {level: float(code) for code, level in enumerate(column.levels)}
    codes[None] = np.nan
    return np.array([codes.get(item, UNSEEN) for item in raw.items], dtype=np.float64)


def _encode_numbers(raw: RawColumn) -> np.ndarray:
    if raw.values.dtype.kind in "biuf":
        return raw.values.astype(np.float64)
    try:
        numbers_ = [np.nan if item is None else float(item) for item in raw.items]
    except OverflowError:
        raise ValueError(
            f"Column {raw.name!r} of input X holds a number that is too large for float64 and would become "
            "infinity; rescale it."
        ) from None
    return np.array(numbers_, dtype=np.float64)


def _check_fits(column: Column, raw: RawColumn, family: str) -> None:
    textual = column.kind == "nominal" and (not column.levels or type(column.levels[0]) is str)
    if family == "nothing" or textual == (family == "text"):
        return
    expected = "text" if textual else "numbers" if column.kind == "numeric" else f"one of {column.levels}"
    example = next(item for item in raw.items if item is not None)
    raise ValueError(
        f"Column {raw.name!r} is {column.kind} in the data the tree was fitted on ({expected}), and now "
        f"holds {type(example).__name__} values such as {example!r}; convert it as it was for fitting."
    )


def _family(raw: RawColumn) -> str:
    """Return "numbers", "boolean", "text" or "nothing", or refuse the column."""
    if raw.values.ndim != 1:
        raise TypeError(
            f"Column {raw.name!r} holds arrays of shape {raw.values.shape[1:]}; every argument must be a "
            "string, a boolean, a number or missing. Give every element a column of its own."
        )
    kind = raw.values.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {raw.name!r} is {raw.values.dtype}.")
    if kind in "mM":
        raise _dates(raw.name, str(raw.values.dtype))
    if kind in "iuf":
        return "numbers"
    if kind == "b":
        return "boolean"
    types = set(map(type, raw.items)) - {type(None)}
    families = {_family_of_type(raw.name, type_) for type_ in types}
    if len(families) > 1:
        found = ", ".join(sorted(type_.__name__ for type_ in types))
        raise ValueError(
            f"Column {raw.name!r} mixes values of the types {found}; expected only text, only booleans, or "
            "only numbers. Convert the column to one type, for example to text."
        )
    return families.pop() if families else "nothing"


def _family_of_type(name: str, type_: type) -> str:
    if issubclass(type_, DATES):
        raise _dates(name, type_.__name__)
    if issubclass(type_, bool | np.bool_):
        return "boolean"
    if issubclass(type_, numbers.Real | Decimal):
        return "numbers"
    if issubclass(type_, str):
        return "text"
    raise TypeError(
        f"Column {name!r} holds values of the type {type_.__name__}; every argument must be a string, a "
        "boolean, a number or missing. Convert the column, or drop it."
    )


def _dates(name: str, found: str) -> ValueError:
    return ValueError(
        f"Column {name!r} holds dates or times ({found}), which a tree cannot compare; convert it to a "
        "number, for example of days since a fixed date."
    )
