"""Tables of whatever people have: refused with a ValueError or TypeError, or a tree that answers for every row."""

import datetime
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from heirwood import EvolvedTreeClassifier
from tests.fuzz.harness import HangError
from tests.fuzz.mutate import generator, some

ALLOWED = (ValueError, TypeError)

# What a cell may be. A column draws from one of these lists, or from all of them.
CELLS = {
    "floats": [0.5, -1.25, 3.0, 1e300, -1e300, 5e-324, 0.0, -0.0],
    "floats with gaps": [0.5, 1.5, math.nan, None],
    "infinite": [1.0, math.inf, -math.inf],
    "integers": [0, 1, 2, -7, 2**40],
    "large integers": [2**53 + 1, 2**63 - 1, -(2**63), 2**53],
    "huge integers": [2**70, 1, 10**400],
    "booleans": [True, False],
    "booleans with gaps": [True, False, None],
    "texts": ["a", "b", "c d", ""],
    "texts with gaps": ["a", None, "b"],
    "odd texts": ["\x00", "\x1b[31m", "\ud800", "\u202e", "=1", "x" * 1000, "nan", "NA"],
    "numbers as texts": ["1", "2.5", "-3"],
    "mixed": ["a", 1, 2.5, None],
    "decimals": [Decimal("1.5"), Decimal("NaN"), Decimal("sNaN"), Decimal("1e500"), Decimal(2)],
    "dates": [datetime.date(2020, 1, 1), datetime.date(2021, 5, 5)],
    "times": [datetime.datetime(2020, 1, 1, 3), None],
    "spans": [datetime.timedelta(days=1), datetime.timedelta(days=2)],
    "lists": [[1], [2, 3], []],
    "bytes": [b"a", b"b"],
    "complex": [1j, 2.0],
    "nothing": [None],
    "one value": [4],
    "NA": [pd.NA, 1, 2],
}
KINDS = [
    "list", "object array", "array", "float32 array", "float16 array", "int8 array", "bool array", "text array",
    "F array", "strided array", "pandas", "pandas typed", "pandas arrow", "pandas category", "polars",
    "polars category", "pyarrow", "read-only",
]  # fmt: skip
ODD_KINDS = ["masked", "one dimension", "three dimensions", "structured", "memoryview"]
LABELS = [*["integers", "texts", "texts", "booleans"] * 30, *CELLS]
WEIGHTS = [None] * 40 + [
    "ones",
    "floats",
    "zeros",
    "some zeros",
    "huge",
    "tiny",
    "negative",
    "nan",
    "inf",
    "texts",
    "short",
    "all zero",
    "10**400",
    "huge fractions",
    "fractions",
    "decimals",
    "complex",
    "one huge number",
]


def make_case(rng):
    """Return how a table is made."""
    likely = ["floats", "integers", "texts", "booleans", "floats with gaps", "texts with gaps"]
    n_columns = int(some(rng, [0, 1, 1, 2, 2, 2, 3, 3, 3, 4]))
    return {
        "seed": int(rng.integers(2**31)),
        "n_rows": int(some(rng, [0, 1, 2, 3, 10, 10, 40, 40, 40])),
        "columns": [some(rng, likely if rng.random() < 0.85 else list(CELLS)) for _ in range(n_columns)],
        "kind": some(rng, KINDS if rng.random() < 0.9 else ODD_KINDS),
        "names": some(rng, ["plain"] * 14 + ["twice", "numbers", "empty", "odd", "mixed"]),
        "labels": some(rng, LABELS),
        "labels kind": some(
            rng, ["list", "array", "object array", "pandas", "polars", "pyarrow", "column", "category"]
        ),
        "weights": some(rng, WEIGHTS),
        "class_weight": some(rng, [None, None, None, "balanced"]),
        "payoff": some(rng, ["leaf_cost", "leaf_cost", "gatree", "fewest_errors"]),
    }


def run_case(case, folder):
    """Fit a tree on the table, and ask it for every row of it."""
    rng = generator(case)
    n = case["n_rows"]
    columns = [_cells(rng, CELLS[name], n) for name in case["columns"]]
    X = _table(case, columns, n)
    y = _labels(case["labels kind"], _cells(rng, CELLS[case["labels"]], n))
    weights = _weights(case["weights"], rng, n)
    tree = EvolvedTreeClassifier(
        population_size=7,
        generations=3,
        random_state=1,
        time_limit=5,
        class_weight=case["class_weight"],
        payoff=case["payoff"],
    )
    tree.fit(X, y, sample_weight=weights)
    answers = tree.predict(X)
    assert answers.shape == (n,)
    assert set(answers.tolist()) <= set(tree.classes_.tolist())
    shares = tree.predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1.0)
    leaves = tree.apply(X)
    assert all(tree.tree_.nodes[leaf].is_leaf for leaf in leaves.tolist())
    if weights is None:
        counts = np.bincount(leaves, minlength=len(tree.tree_.nodes))
        assert all(node.n_rows == counts[i] for i, node in enumerate(tree.tree_.nodes) if node.is_leaf)
    path = folder / "model.json"
    tree.save(path)
    assert np.array_equal(EvolvedTreeClassifier.load(path).apply(X), leaves)


def _cells(rng, values, n):
    return [values[int(i)] for i in rng.integers(len(values), size=n)]


def _names(case):
    n = len(case["columns"])
    plain = [f"c{i}" for i in range(n)]
    return {
        "plain": plain,
        "twice": ["a"] * n,
        "numbers": list(range(n)),
        "empty": ["", *plain[1:]][:n],
        "odd": ["\x1b[31m", "\ud800", "=1", "x" * 500][:n],
        "mixed": ["a", 1, (2, 3), None][:n],
    }[case["names"]]


def _table(case, columns, n):
    kind = case["kind"]
    rows = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(n)]
    if kind == "list":
        return rows
    if kind.startswith(("pandas", "polars", "pyarrow")):
        return _frame(kind, dict(zip(_names(case), columns, strict=True)), _names(case), columns)
    array = np.empty((n, len(columns)), dtype=object)
    for place, cells in enumerate(columns):
        for row, cell in enumerate(cells):
            array[row, place] = cell
    dtype = {
        "array": np.float64, "float32 array": np.float32, "float16 array": np.float16, "int8 array": np.int8,
        "bool array": bool, "text array": str, "F array": np.float64, "strided array": np.float64, "masked": np.float64,
        "read-only": np.float64, "one dimension": np.float64, "three dimensions": np.float64, "memoryview": np.float64,
    }.get(kind, object)  # fmt: skip
    try:
        array = array.astype(dtype)
    except OverflowError as error:  # NumPy's own, before it is ours
        raise ValueError from error
    if kind == "F array":
        return np.asfortranarray(array)
    if kind == "strided array":
        return np.repeat(np.repeat(array, 2, 0), 3, 1)[::2, ::3]
    if kind == "masked":
        return np.ma.masked_invalid(array)
    if kind == "read-only":
        array.flags.writeable = False
    if kind == "one dimension":
        return array.ravel()
    if kind == "three dimensions":
        return array[None]
    if kind == "structured":
        return np.zeros(n, dtype=[("a", float), ("b", int)])
    return memoryview(array) if kind == "memoryview" else array


class _NotMadeError(ValueError):
    """A library does not make such a frame, so there is nothing to give us."""


def _frame(kind, by_name, names, columns):
    try:
        if kind.startswith("pandas"):
            frame = (
                pd.concat([pd.Series(cells, dtype=object) for cells in columns], axis=1) if columns else pd.DataFrame()
            )
            frame.columns = names if columns else []
            if kind == "pandas typed":
                return frame.convert_dtypes()
            if kind == "pandas arrow":
                return frame.convert_dtypes(dtype_backend="pyarrow")
            return frame.astype("category") if kind == "pandas category" else frame
        if kind.startswith("polars"):
            frame = pl.DataFrame({str(name): pl.Series(cells, strict=False) for name, cells in by_name.items()})
            return frame.cast({pl.String: pl.Categorical}) if kind == "polars category" else frame
        return pa.table({str(name): cells for name, cells in by_name.items()})
    except BaseException as error:  # polars panics with one that is no Exception
        if isinstance(error, (KeyboardInterrupt, HangError)):
            raise
        raise _NotMadeError from error


def _labels(kind, cells):
    try:
        match kind:
            case "list":
                return cells
            case "array":
                return np.array(cells)
            case "object array":
                return np.array(cells, dtype=object)
            case "pandas":
                return pd.Series(cells)
            case "polars":
                return pl.Series(cells, strict=False)
            case "pyarrow":
                return pa.chunked_array([cells])
            case "column":
                return np.array(cells)[:, None]
            case "category":
                return pd.Series(cells).astype("category")
    except BaseException as error:  # polars panics with one that is no Exception
        if isinstance(error, (KeyboardInterrupt, HangError)):
            raise
        raise _NotMadeError from error


def _weights(kind, rng, n):
    if kind is None:
        return None
    draws = rng.random(n)
    return {
        "ones": np.ones(n),
        "floats": draws,
        "zeros": (draws > 0.5).astype(int),
        "some zeros": np.where(draws > 0.3, draws, 0.0),
        "huge": draws * 1e300,
        "tiny": draws * 1e-300,
        "negative": draws - 0.5,
        "nan": np.where(draws > 0.5, np.nan, 1.0),
        "inf": np.where(draws > 0.5, np.inf, 1.0),
        "texts": ["a"] * n,
        "short": draws[:-1],
        "all zero": np.zeros(n),
        "10**400": [10**400, *[1] * n][:n],
        "huge fractions": [Fraction(10**400)] * n,
        "fractions": [Fraction(int(draw * 100), 7) for draw in draws],
        "decimals": [Decimal(str(draw)) for draw in draws],
        "complex": draws * 1j,
        "one huge number": 10**400,
    }[kind]
