"""From whatever holds a table (a frame, an array, lists) to a `Table`.

scikit-learn's own `validate_data` checks the shape and the column names, so that its messages and warnings
are the ones its users know. Frames keep their columns: each is read on its own, by its own type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from heirwood.data.column import RawColumn, encode_column, learn_column
from heirwood.data.dataset import Dataset
from heirwood.data.schema import UNSEEN, Column, Schema, Table, contiguous, first_repeated

CHECKED = 2**20  # cells at a time

# scikit-learn takes a second to load, which a process that only compiles kernels does not have: functions import it.


def read_table(X: Any, *, schema: Schema | None = None, estimator: Any = None) -> Table:
    """Read a table, learning its schema or following a given one.

    Parameters
    ----------
    X : frame, array, list of rows, or Table
        A pandas or polars DataFrame, a pyarrow Table, a two-dimensional NumPy array (of numbers, booleans,
        strings or objects), or a list of rows. None, NaN and pandas.NA are missing values.
    schema : Schema, optional
        Follow this schema, as prediction does: levels that it does not know become -1, and a column that no
        longer fits its kind is an error. Without it the schema is learnt, as fitting does.
    estimator : estimator, optional
        The estimator on whose behalf the table is read. Learning sets its `n_features_in_` and
        `feature_names_in_`; following checks them, with scikit-learn's own messages.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If a value is infinite, a column holds dates or mixes types, or X does not fit the schema; also if a
        schema is to be learnt from a Table with levels that its own does not know.
    TypeError
        If X is sparse or lazy, or a column holds something that is neither text, boolean nor number.

    Notes
    -----
    Columns of an array that are learnt are called ``x0``, ``x1``, ... A Table is followed by name: its
    columns may come in any order, and those that the schema does not name are left out.
    """
    if isinstance(X, Dataset):
        raise TypeError(f"got the whole {X!r}; give its table and its target apart: fit(data.table, data.target)")
    if isinstance(X, Table):
        return _follow_table(X, schema, estimator) if schema else _learn_from_table(X, estimator)
    frame = _as_frame(X)
    if frame is not None:
        raws = _read_frame(X, frame, schema, estimator)
        return _from_columns(raws, schema)
    array = _read_array(X, schema, estimator)
    if array.dtype.kind in "iuf" and (schema is None or _all_numeric(schema)):
        names = schema.names if schema else _array_names(array.shape[1])
        values = contiguous(array)
        _refuse_infinity(values, names)
        return Table(schema or Schema(tuple(Column(name, "numeric") for name in names)), values)
    names = schema.names if schema else _array_names(array.shape[1])
    return _from_columns(
        [RawColumn(name, array[:, place]) for place, name in enumerate(names)],
        schema,
    )


def is_of_numbers(X: Any) -> bool:
    """Say whether a table, or a column, holds numbers already: what is text or objects must be parsed first."""
    if isinstance(X, Table):
        return True
    if hasattr(X, "columns"):
        frame = nw.from_native(X, pass_through=True)
        dtypes = frame.schema.values() if isinstance(frame, nw.DataFrame) else ()
        return bool(dtypes) and all(dtype.is_numeric() or dtype == nw.Boolean for dtype in dtypes)
    return getattr(getattr(X, "dtype", None), "kind", "O") in "biuf"


def _from_columns(raws: Sequence[RawColumn], schema: Schema | None) -> Table:
    if schema is None:
        schema = Schema(tuple(learn_column(raw) for raw in raws))
    values = _side_by_side(raws) if _all_numeric(schema) else None
    if values is None:
        values = np.empty((len(raws[0].values), len(raws)), dtype=np.float64, order="F")
        for place, (column, raw) in enumerate(zip(schema.columns, raws, strict=True)):
            values[:, place] = encode_column(column, raw)
    _refuse_infinity(values, [raw.name for raw in raws])
    return Table(schema, values)


def _side_by_side(raws: Sequence[RawColumn]) -> np.ndarray | None:
    """Return the matrix that columns of floats are one after the other in memory, as a frame may keep them; or None."""
    arrays = [raw.values for raw in raws]
    first, base = arrays[0], arrays[0].base
    size = first.nbytes
    if not isinstance(base, np.ndarray) or not all(
        array.dtype == np.float64
        and array.flags.c_contiguous
        and array.base is base
        and array.ctypes.data == first.ctypes.data + place * size
        for place, array in enumerate(arrays)
    ):
        return None
    return np.lib.stride_tricks.as_strided(first, (len(first), len(arrays)), (8, size), writeable=False)


def _read_array(X: Any, schema: Schema | None, estimator: Any) -> np.ndarray:
    """Return a two-dimensional array of any dtype, checked by scikit-learn."""
    from sklearn.utils.validation import check_array, validate_data

    if isinstance(X, list | tuple):
        # As objects, so that numbers next to text stay numbers.
        X = np.array(X, dtype=object)
    if getattr(getattr(X, "dtype", None), "names", None):
        raise ValueError("X is a structured array; expected rows and columns. Pass a DataFrame instead.")
    # Infinity is ours to refuse: we say in which column.
    checks: dict[str, Any] = {"dtype": None, "ensure_all_finite": False}
    if estimator is not None:
        return validate_data(estimator, X, reset=schema is None, **checks)
    array = check_array(X, input_name="X", **checks)
    if schema is not None and array.shape[1] != len(schema):
        raise ValueError(f"X has {array.shape[1]} features, but the schema has {len(schema)} columns.")
    return array


def _as_frame(X: Any) -> nw.DataFrame | None:
    """Return X as a narwhals frame, or None if it is not a frame."""
    # A lazy frame may have to compute its names, and is refused below.
    if not hasattr(X, "collect") and hasattr(X, "columns"):
        # The columns of pyarrow are the data; those of the others are their names.
        repeated = first_repeated(getattr(X, "column_names", X.columns))
        if repeated is not None:
            raise ValueError(f"The column name {repeated!r} occurs twice in X; give every column its own name.")
    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("X is a lazy frame, whose rows are not there yet; collect it first: X.collect().")
    return frame if isinstance(frame, nw.DataFrame) else None


def _read_frame(X: Any, frame: nw.DataFrame, schema: Schema | None, estimator: Any) -> list[RawColumn]:
    import sklearn
    from sklearn.utils.validation import check_array, validate_data

    names = [str(name) for name in frame.columns]
    if estimator is not None:
        # From 1.9 on scikit-learn reads the names of every frame that narwhals knows; before, by the interchange
        # protocol, which polars has dropped since.
        knows_narwhals = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 9)
        known = knows_narwhals or hasattr(X, "__dataframe__")
        seen = X if known else _InterchangeNames(frame)
        validate_data(estimator, seen, reset=schema is None, skip_check_array=True)
    elif schema is not None and tuple(names) != schema.names:
        raise ValueError(f"X has the columns {names}, and the schema {list(schema.names)}; pass the same ones.")
    if 0 in frame.shape:
        check_array(np.empty(frame.shape), estimator=estimator, input_name="X")  # raises
    columns = [frame.get_column(column) for column in frame.columns]
    return [_raw_column(name, series) for name, series in zip(names, columns, strict=True)]


class _InterchangeNames:
    """The shape and the column names of a frame, as scikit-learn before 1.9 asks for them."""

    def __init__(self, frame: nw.DataFrame) -> None:
        self.shape = frame.shape
        self._names = frame.columns

    def __dataframe__(self) -> _InterchangeNames:
        return self

    def column_names(self) -> list[str]:
        return self._names


def _raw_column(name: str, series: nw.Series) -> RawColumn:
    if series.dtype in (nw.Categorical, nw.Enum):
        return _raw_categorical(name, series)
    levels = (False, True) if series.dtype == nw.Boolean else None
    if series.dtype in (nw.Int128, nw.UInt128):  # of which NumPy has none
        return RawColumn(name, np.array(series.to_list(), dtype=object))
    # narwhals takes a pandas column of nothing but None for text, whose type says no such thing.
    text = series.dtype == nw.String and str(getattr(series.to_native(), "dtype", "")) != "object"
    return RawColumn(name, series.to_numpy(), levels, text)


def _raw_categorical(name: str, series: nw.Series) -> RawColumn:
    """Read a column of declared levels; levels that are no text, boolean or number go by their text."""
    native = series.to_native()
    if hasattr(getattr(native, "dtype", None), "pyarrow_dtype"):  # pandas, with the columns of pyarrow
        native = native.array.__arrow_array__()
    if series.implementation.is_pyarrow() or hasattr(native, "unify_dictionaries"):
        native = native.unify_dictionaries()
        categories = native.chunk(0).dictionary.to_pylist() if native.num_chunks else []
        # Decoded first: a missing value of a dictionary array would come out as its last level.
        values = native.cast(native.type.value_type).to_numpy()
    elif series.implementation.is_polars() and series.dtype == nw.Categorical:
        # Its order is that of a string pool which all frames share; only an Enum declares one.
        return RawColumn(name, series.to_numpy(), text=True)
    else:
        categories = list(native.dtype.categories)
        values = series.to_numpy()
    levels = tuple(level.item() if isinstance(level, np.generic) else level for level in categories)
    if not all(isinstance(level, str | bool | int | float) for level in levels):
        # pandas.cut makes levels that are intervals, for example.
        texts = {category: str(category) for category in categories}
        values = np.array([texts.get(item) for item in values], dtype=object)
        levels = tuple(texts.values())
    return RawColumn(name, values, levels, text=True)


def _learn_from_table(table: Table, estimator: Any) -> Table:
    _refuse_unseen(table)
    if estimator is not None:
        estimator.n_features_in_ = len(table.schema)
        estimator.feature_names_in_ = np.array(table.schema.names, dtype=object)
    _refuse_infinity(table.values, table.schema.names)
    return table


def _follow_table(table: Table, schema: Schema, estimator: Any) -> Table:
    if table.schema == schema:
        return table
    places = {name: place for place, name in enumerate(table.schema.names)}
    missing = [name for name in schema.names if name not in places]
    if missing:
        who = type(estimator).__name__ if estimator is not None else "The schema"
        raise ValueError(f"{who} expects the column {missing[0]!r}, and the table has only {list(places)}; add it.")
    values = np.empty((len(table), len(schema)), dtype=np.float64, order="F")
    for place, column in enumerate(schema.columns):
        found = places[column.name]
        values[:, place] = _recode(column, table.schema.columns[found], table.values[:, found])
    _refuse_infinity(values, schema.names)
    return Table(schema, values)


def _recode(column: Column, found: Column, values: np.ndarray) -> np.ndarray:
    if found.kind == "numeric":
        return encode_column(column, RawColumn(column.name, values))
    # The levels are translated once, and the codes looked up: [..., missing, unknown level].
    levels = encode_column(column, RawColumn(column.name, np.array(found.levels, dtype=object)))
    unknown = UNSEEN if column.kind == "nominal" else np.nan
    translation = np.concatenate([levels, [np.nan, unknown]])
    codes = np.where(np.isnan(values), len(levels), values).astype(np.intp)
    return translation[codes]  # -1, a level that was not known before, is the last


def _all_numeric(schema: Schema) -> bool:
    return all(column.kind == "numeric" for column in schema.columns)


def _array_names(n_columns: int) -> tuple[str, ...]:
    return tuple(f"x{place}" for place in range(n_columns))


def _refuse_unseen(table: Table) -> None:
    for place, column in enumerate(table.schema.columns):
        n_unseen = int((table.values[:, place] == UNSEEN).sum()) if column.kind == "nominal" else 0
        if n_unseen:
            raise ValueError(
                f"Column {column.name!r} of the table holds a level that its schema does not know (code -1) in "
                f"{n_unseen} of {len(table)} rows, which a tree cannot be fitted on; read the data without schema=, "
                "or leave those rows out."
            )


def _refuse_infinity(values: np.ndarray, names: Sequence[str]) -> None:
    infinite = np.zeros(values.shape[1], bool)
    n = max(CHECKED // max(values.shape[1], 1), 1)
    for start in range(0, len(values), n):  # some rows at a time: a table may be most of the memory
        infinite |= np.isinf(values[start : start + n]).any(axis=0)
    if infinite.any():
        name = names[int(infinite.argmax())]
        raise ValueError(
            f"Input X contains infinity in column {name!r}; replace it by a finite number or mark it missing."
        )
