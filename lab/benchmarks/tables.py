"""Generated tables for benchmarks: classes follow a weighted vote of the columns, with noise."""

import numpy as np

from heirwood.data.schema import Column, Schema, Table

NOISE = 0.05


def nominal_table(n_rows=3196, seed=0):
    """Return a table of kr-vs-kp's shape: 35 columns of two levels and one of three."""
    rng = np.random.default_rng(seed)
    levels = [2] * 35 + [3]
    columns = tuple(Column(f"a{i}", "nominal", tuple("abc"[:n])) for i, n in enumerate(levels))
    values = np.column_stack([np.floor(rng.random(n_rows) ** 1.5 * n) for n in levels])
    passes = [values[:, i] == 0 for i in range(len(levels))]
    return Table(Schema(columns), np.asfortranarray(values)), planted(passes, n_rows, rng)


def numeric_table(n_rows, n_columns=20, seed=0):
    """Return a table of numeric columns with continuous values."""
    rng = np.random.default_rng(seed)
    values = np.asfortranarray(rng.normal(size=(n_rows, n_columns)))
    columns = tuple(Column(f"x{i}", "numeric") for i in range(n_columns))
    cuts = rng.normal(scale=0.5, size=n_columns)
    passes = [values[:, i] <= cuts[i] for i in range(n_columns)]
    return Table(Schema(columns), values), planted(passes, n_rows, rng)


def planted(passes, n_rows, rng, n_voters=12):
    """Return two classes: a weighted vote of the first columns, plus noise, so that larger trees keep paying."""
    votes = np.zeros(n_rows)
    for voter in range(n_voters):
        votes += np.where(passes[voter], 1.0, -1.0) * 0.8**voter
    codes = votes > np.median(votes)
    noisy = rng.random(n_rows) < NOISE
    return np.where(noisy, rng.integers(0, 2, n_rows), codes).astype(np.int64)
