"""The classes of the rows and what each row weighs, before anything is rounded or packed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np

from heirwood.file_budgets import CLASSES
from heirwood.terminal_text import brief

# scikit-learn takes a second to load, which a process that only compiles kernels does not have: functions import it.


def read_classes(y: Any, n_rows: int, owner: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct classes, sorted, and the code of every row.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        A class for every row.
    n_rows : int
        Rows of the table.
    owner : str
        Who asks, for messages.
    """
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None; give one class for each row of X")
    y = _as_objects(y)
    if not (type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biufUO"):
        from sklearn.utils.validation import column_or_1d

        y = column_or_1d(y, warn=True)
    _refuse_missing(y)
    if len(y) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(y)}; expected one class for each row")
    y = _one_type(y)
    is_sound = y.dtype.kind in "biuU" or (y.dtype.kind == "O" and len(y) > 0 and isinstance(y[0], str))
    if not is_sound:
        _refuse_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if is_sound and 2 * len(classes) > len(y):
        _refuse_targets(y)  # warns: these may be numbers to predict, or names of the rows
    CLASSES.check(len(classes), "The target")
    return classes, codes


def _refuse_targets(y: np.ndarray) -> None:
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(y)


def _as_objects(y: Any) -> Any:
    """Return classes of a type that NumPy does not have, integers of 128 bits, as Python has them."""
    series = nw.from_native(y, allow_series=True, series_only=False, pass_through=True)
    wide = isinstance(series, nw.Series) and series.dtype in (nw.Int128, nw.UInt128)
    return np.array(series.to_list(), dtype=object) if wide else y


def row_weights(
    y: np.ndarray, values: np.ndarray, sample_weight: Any, class_weight: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sample weight of every row, and the weight of its class.

    "balanced" gives every class the same total of sample weights, so that a row of weight two counts
    as two rows there as well, and one of weight zero as none.

    Parameters
    ----------
    y : (n_rows,) array
        The class of every row.
    values : (n_rows, n_columns) array
    sample_weight : array-like of shape (n_rows,) or None
    class_weight : dict, "balanced" or None
    """
    weights = of_class = np.ones(len(y))
    if sample_weight is not None:
        weights = _sample_weights(sample_weight, values)
    if isinstance(class_weight, str) and class_weight == "balanced":
        of_class = _balanced(y, weights)
    elif class_weight is not None:
        if not isinstance(class_weight, (str, Mapping)):  # scikit-learn takes lists, for many targets at once
            raise ValueError(
                f'class_weight={brief(class_weight)} is not valid; expected None, "balanced" or a dict of weights '
                "by class"
            )
        if isinstance(class_weight, Mapping):
            class_weight = _class_weights(class_weight)
        from sklearn.utils.class_weight import compute_sample_weight

        of_class = compute_sample_weight(class_weight, y)
    return weights, of_class


def _sample_weights(given: Any, values: np.ndarray) -> np.ndarray:
    from sklearn.utils.validation import _check_sample_weight

    try:
        if isinstance(given, complex):
            raise TypeError("it is complex")  # NumPy would drop a part of it
        weights: np.ndarray = _check_sample_weight(_as_objects(given), values, dtype=np.float64)
    except (TypeError, ArithmeticError) as error:  # no numbers, or too large for a float
        raise ValueError(
            f"sample_weight={brief(given)} is not valid ({error}); expected a finite number from 0 up for each row"
        ) from error
    if (weights < 0).any():
        n = int((weights < 0).sum())
        raise ValueError(f"sample_weight has {n} negative weights; expected weights from 0 up")
    return weights


def _class_weights(given: Mapping[Any, Any]) -> dict[Any, float]:
    for value, weight in given.items():
        try:
            is_sound = 0 <= float(weight) < np.inf
        except (TypeError, ValueError, ArithmeticError):  # no number, or too large for a float
            is_sound = False
        if not is_sound:
            raise ValueError(
                f"class_weight has {brief(weight)} for {brief(value)}; class_weight={brief(given)} is not valid: "
                "expected finite weights from 0 up"
            )
    return {value: float(weight) for value, weight in given.items()}


def _balanced(y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    classes, codes = np.unique(y, return_inverse=True)
    totals = np.bincount(codes, weights, minlength=len(classes))
    present = totals > 0
    shares = np.zeros(len(classes))
    shares[present] = weights.sum() / (present.sum() * totals[present])
    return shares[codes]


def _refuse_missing(y: np.ndarray) -> None:
    if y.dtype.kind == "f":
        missing = np.isnan(y)
    elif y.dtype.kind in "mM":
        missing = np.isnat(y)
    elif y.dtype.kind == "O":
        missing = np.array([_is_missing(value) for value in y.tolist()], dtype=bool)
    else:
        return
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} of {len(y)} classes are missing; expected a class for "
            "every row. Leave those rows out."
        )


def _is_missing(value: Any) -> bool:
    if value is None or isinstance(value, str):
        return value is None
    # pandas.NA is neither equal to itself nor unequal, and says so by its text.
    return str(value) in ("<NA>", "NaT") or (isinstance(value, (float, np.floating)) and value != value)


def _one_type(y: np.ndarray) -> np.ndarray:
    """Return classes that can be sorted: numbers that come as objects as numbers; text beside numbers is refused."""
    if y.dtype.kind != "O":
        return y
    kinds = {_kind(value) for value in y.tolist()}
    if len(kinds) > 1:
        names = ", ".join(sorted(kinds))
        raise ValueError(f"y mixes classes of the types {names}; expected one type. Convert y, for example to text.")
    return np.array(y.tolist()) if kinds == {"number"} else y


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "str"
    return "number" if isinstance(value, (bool, int, float, np.number, np.bool_)) else type(value).__name__
