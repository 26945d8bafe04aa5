"""Tables as peers can take them: numbers only, nothing missing.

A nominal column becomes a column of 0 and 1 for each of its levels (a missing value counts as a level), a single one
where there are two; a numeric column with missing values gets its median there and a column that says where. A column
without a single value is left out.
"""

from __future__ import annotations

import numpy as np

from heirwood.data import Dataset, Table


def as_numbers(table: Table) -> np.ndarray:
    """Return the table as an (n_rows, n_numbers) float64 array without NaN."""
    columns = []
    for column, values in zip(table.schema.columns, table.values.T, strict=True):
        columns += _numeric(values) if column.kind == "numeric" else _one_hot(values)
    return np.column_stack(columns)


def class_codes(dataset: Dataset) -> np.ndarray:
    """Return the classes as 0, 1, ... in sorted order."""
    return np.unique(np.asarray(dataset.target), return_inverse=True)[1].astype(np.int64)


def _numeric(values: np.ndarray) -> list[np.ndarray]:
    missing = np.isnan(values)
    if not missing.any():
        return [values]
    if missing.all():
        return []
    return [np.where(missing, np.nanmedian(values), values), missing.astype(np.float64)]


def _one_hot(codes: np.ndarray) -> list[np.ndarray]:
    filled = np.where(np.isnan(codes), -1.0, codes)
    levels = np.unique(filled)
    shown = levels[1:] if len(levels) <= 2 else levels  # of two, one says it all; of one, there is nothing to say
    return [(filled == level).astype(np.float64) for level in shown]
