"""A part of the rows to learn from and a part that is held back, dealt so that the order of the rows does not count.

    rows     ordered by class, and within a class by a keyed hash of their values; each as often as it counts
    dealt    every third is held back

A row of weight two is dealt like two equal rows: where weights are repetitions to a run, they are here too. Of a large
table some rows are drawn first, by their numbers.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heirwood.core.draws import draws
from heirwood.data.rows import Rows

PARTS = 3  # of which one is held back
MIXER = np.uint64(0xBF58476D1CE4E5B9)
SHIFT = np.uint64(32)


def hold_out(rows: Rows, seed: int, most_rows: int) -> tuple[Rows, Rows]:
    """Return two thirds of the rows and the other third, by a seed; of more than `most_rows`, so many are drawn first.

    Parameters
    ----------
    rows : Rows
        At least two, or the second part is empty.
    seed : int
    most_rows : int
    """
    if len(rows) > most_rows:  # by number: all values of a large table take long to read
        drawn = np.argpartition(draws(seed, len(rows)), most_rows)[:most_rows]
        rows = rows.take(np.sort(drawn))
    hashes = hash_rows(rows.table.values, rows.target.codes, seed)
    order = np.lexsort((hashes, rows.target.codes))
    counts = np.ones(len(order), np.int64) if rows.counts is None else rows.counts[order]
    held_back = _every_last(PARTS, counts)
    return _counted_as(rows, order, counts, counts - held_back), _counted_as(rows, order, counts, held_back)


def hash_rows(values: np.ndarray, codes: np.ndarray, seed: int) -> np.ndarray:
    """Return 64 bits for each row that go by its values, its class and a seed: equal rows have equal ones."""
    hashes = (codes.astype(np.uint64) + np.uint64(1)) * MIXER + np.uint64(seed)
    for column in values.T:
        of_column = (column + 0.0).view(np.uint64)  # -0.0 is 0.0
        of_column[np.isnan(column)] = np.uint64(1)  # a missing value is one, whichever NaN it is
        hashes ^= of_column
        hashes *= MIXER
        hashes ^= hashes >> SHIFT
    return hashes


def _every_last(n_parts: int, counts: np.ndarray) -> np.ndarray:
    """Return how often each row is the last of so many, where rows are counted through."""
    ends = np.cumsum(counts)
    often: np.ndarray = ends // n_parts - (ends - counts) // n_parts
    return often


def _counted_as(rows: Rows, places: np.ndarray, before: np.ndarray, counts: np.ndarray) -> Rows:
    """Return rows that count less than before, less those that do not count, in their order."""
    stay = np.flatnonzero(counts > 0)
    stay = stay[np.argsort(places[stay], kind="stable")]
    part = rows.take(places[stay])
    if rows.counts is None:
        return part
    weights = part.target.weights // before[stay] * counts[stay]
    return replace(part, target=replace(part.target, weights=weights), counts=counts[stay])
