"""The law on populations that have converged: a few shapes of trees tell what their children save.

The paper's vote converges to a single test, and its printed 29 % is what the closed form gives for that shape. Here the
last tenth of a run is measured, and predicted from nothing but the shapes that most of its trees have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from heirwood.backends import BACKENDS, Backend
from heirwood.backends.cpu import spans_and_heights
from heirwood.data import Dataset
from heirwood.theory import Shape, population_saving
from lab.paper.law import start_cell
from lab.paper.printed import SETTINGS, SIZES, Setting
from lab.paper.sets import SetMissingError, load_set

SETS_SHOWN = ("vote", "soybean")  # they converge in the paper
SIZE = max(SIZES)
LAST = 0.1  # share of the generations that are measured
MOST = 0.9  # share of the trees whose shapes are used


@dataclass(frozen=True)
class Converged:
    """The end of one run: what it saved, and what its commonest shapes predict. Savings are percent of rows."""

    set: str
    size: int
    table: int
    children: int
    rows_saved: float
    commonest_nodes: int  # of the commonest shape
    commonest_share: float  # percent of the trees that have it
    by_commonest: float  # predicted from it alone
    n_shapes: int  # the fewest that make up most of the trees
    law: float  # predicted from those

    @property
    def difference(self) -> float:
        """Measured less predicted, in points."""
        return self.rows_saved - self.law


def measure_converged(
    name: str, dataset: Dataset, size: int, setting: Setting, *, seed: int = 1, last: float = LAST
) -> Converged:
    """Run one cell, and compare what its last generations saved with what the commonest shapes predict.

    Parameters
    ----------
    name, dataset, size, setting
        A cell of the grid of savings.
    seed : int, default=1
        Of the grid.
    last : float, default=0.1
        Share of the generations that are measured.
    """
    evolution = start_cell(name, dataset, size, setting, BACKENDS["cpu"], seed=seed)
    n_last = max(1, round(last * size))
    for _ in range(size - n_last):
        evolution.step()
    before, n_before = evolution.ledger.copy(), evolution.n_children
    shapes: Counter[Shape] = Counter()
    for _ in range(n_last):
        shapes += count_shapes(evolution.backend, evolution.handles)
        evolution.step()
    rows, rows_full = (evolution.ledger - before).tolist()[:2]
    (commonest, number), n_trees = shapes.most_common(1)[0], shapes.total()
    most = commonest_shapes(shapes, MOST)
    return Converged(
        set=name,
        size=size,
        table=setting.table,
        children=evolution.n_children - n_before,
        rows_saved=100 * (1 - rows / rows_full),
        commonest_nodes=len(commonest.spans),
        commonest_share=100 * number / n_trees,
        by_commonest=100 * float(population_saving({commonest: 1}, setting.mutation_rate)),
        n_shapes=len(most),
        law=100 * float(population_saving(most, setting.mutation_rate)),
    )


def measure_all_converged(
    sets: Sequence[str] = SETS_SHOWN,
    tables: Sequence[int] = tuple(SETTINGS),
    *,
    folder: str | Path | None = None,
    size: int | None = None,
    seed: int = 1,
) -> list[Converged]:
    """Return the ends of the runs of those sets that converge and can be had, under each setting.

    Parameters
    ----------
    sets, tables : sequences
        By the paper's names and numbers.
    folder : path, optional
        Where the sets are; see `load_set`.
    size : int, optional
        Trees and generations; the paper's largest if not given.
    seed : int, default=1
        Of the grid of savings.
    """
    ends = []
    for name in SETS_SHOWN:
        if name not in sets:
            continue
        try:
            dataset = load_set(name, folder)
        except SetMissingError:
            continue  # the grid says so
        ends += [measure_converged(name, dataset, size or SIZE, SETTINGS[table], seed=seed) for table in tables]
    return ends


def count_shapes(backend: Backend, handles: np.ndarray) -> Counter[Shape]:
    """Return how many of some trees have each shape."""
    kinds: Counter[tuple[bytes, bytes]] = Counter()
    for handle in handles:
        genes, rows, _ = backend.genes(int(handle))
        kinds[(genes >= 0).tobytes(), rows.astype(np.int64).tobytes()] += 1
    found: Counter[Shape] = Counter()
    for (inner, rows_there), number in kinds.items():
        spans, _ = spans_and_heights(np.where(np.frombuffer(inner, bool), 0, -1))
        found[Shape(tuple(spans.tolist()), tuple(np.frombuffer(rows_there, np.int64).tolist()))] = number
    return found


def commonest_shapes(shapes: Counter[Shape], share: float) -> dict[Shape, int]:
    """Return the fewest shapes that make up this share of all trees."""
    chosen: dict[Shape, int] = {}
    for shape, number in shapes.most_common():
        if sum(chosen.values()) >= share * shapes.total():
            break
        chosen[shape] = number
    return chosen
