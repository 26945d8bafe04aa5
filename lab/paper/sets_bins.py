"""Numbers into bins, as Weka's unsupervised filter does it: the paper's glass and anneal were made so.

`Discretize -B 10` makes ten bins of equal width; `-O` chooses how many by leave-one-out. Cuts and the names of bins
are Weka's, so what is made here from the raw set equals what Weka 3.6 writes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from heirwood.data import Column, Schema, Table

N_BINS = 10
Cuts = Callable[[np.ndarray], np.ndarray]


def cuts_of_equal_width(values: np.ndarray) -> np.ndarray:
    """Return the cuts between ten bins of equal width (``Discretize -B 10``)."""
    low, high = np.nanmin(values), np.nanmax(values)
    return low + (high - low) / N_BINS * np.arange(1, N_BINS)


def cuts_by_leave_one_out(values: np.ndarray) -> np.ndarray:
    """Return the cuts between at most ten bins, their number chosen by leave-one-out (``Discretize -O -B 10``).

    Bins are a tenth of the range wide however many are chosen, and the last one takes the rest: Weka 3.6 keeps the
    width of the last number it tried, and the paper's anneal was made with it.
    """
    present = values[~np.isnan(values)]
    low, high = present.min(), present.max()
    best, fewest = 1, np.inf
    for n_bins in range(1, N_BINS + 1):
        width = (high - low) / n_bins
        places = np.searchsorted(low + width * np.arange(1, n_bins), present, side="left")
        counts = np.bincount(places, minlength=n_bins)
        if counts.min() < 2 or width == 0:
            continue  # a bin with a single value has nothing left to predict it by
        cost = -(counts * np.log((counts - 1) / width)).sum()
        if cost < fewest:
            best, fewest = n_bins, cost
    return low + (high - low) / N_BINS * np.arange(1, best)


def into_bins(table: Table, cuts_of: Cuts) -> Table:
    """Return a table whose numeric columns are nominal, a level for each bin; missing values stay missing."""
    columns, arrays = [], []
    for column, values in zip(table.schema.columns, table.values.T, strict=True):
        if column.kind == "numeric":
            cuts = cuts_of(values)
            column = Column(column.name, "nominal", _names(cuts))
            values = np.where(np.isnan(values), np.nan, np.searchsorted(cuts, values, side="left"))
        columns.append(column)
        arrays.append(values)
    return Table(Schema(tuple(columns)), np.asfortranarray(np.column_stack(arrays)))


def missing_as_level(table: Table, level: str = "?") -> Table:
    """Return a table where a missing value of a nominal column is a level of its own, the first."""
    columns, arrays = [], []
    for column, values in zip(table.schema.columns, table.values.T, strict=True):
        missing = np.isnan(values)
        if column.kind == "nominal" and missing.any():
            column = Column(column.name, "nominal", (level, *column.levels))
            values = np.where(missing, 0.0, values + 1)
        columns.append(column)
        arrays.append(values)
    return Table(Schema(tuple(columns)), np.asfortranarray(np.column_stack(arrays)))


def _names(cuts: np.ndarray) -> tuple[str, ...]:
    """Return Weka's names of the bins, its quotes included."""
    if len(cuts) == 0:
        return ("'All'",)
    at = [f"{cut:.6f}".rstrip("0").rstrip(".") for cut in cuts]
    inner = [f"'({low}-{high}]'" for low, high in pairwise(at)]
    return (f"'(-inf-{at[0]}]'", *inner, f"'({at[-1]}-inf)'")
