"""The law of savings, cell by cell: what inheritance should save by the shapes of the trees that were bred.

A cell is that of `savings`, run once more from the same seed and watched. Of each child the law is told its parents
and nothing else; what it expects is added up over the run, and so is the variance of what is drawn. Children are
drawn apart, so the measured saving lies about the expected one by the standard error that follows; and what was
really drawn decides it to the row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heirwood.backends import Backend, Problem
from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Listener
from heirwood.evolve.loop import Evolution
from lab.paper.figure5_runs import start
from lab.paper.grid import load_sets, run_cells
from lab.paper.law_watch import Compared, WatchedBackend
from lab.paper.printed import SETTINGS, SIZES, Setting
from lab.paper.results import Results
from lab.paper.savings import cell_seed, effort, make_conditions
from lab.paper.sets import SETS

FORMAT = 1  # of the file of results

Key = tuple[str, int, int]


@dataclass(frozen=True)
class LawCell:
    """What one cell saved, and what it should have. Savings are percent of rows, errors are points."""

    set: str
    size: int
    table: int  # of the paper, whose setting it is
    seed: int
    children: int
    rows_saved: float
    law: float
    error: float  # standard error of `rows_saved` about `law`
    miscounted: int  # children whose rows are not what their parents and the drawn nodes say

    @property
    def key(self) -> Key:
        """What tells the cell from all others of a grid."""
        return self.set, self.size, self.table

    @property
    def difference(self) -> float:
        """Measured less expected, in points."""
        return self.rows_saved - self.law

    @property
    def z(self) -> float:
        """The difference in standard errors; 0 where nothing is left to chance and both agree."""
        if self.error == 0:
            return 0.0 if self.difference == 0 else float("inf")
        return self.difference / self.error


@dataclass
class LawGrid:
    """The cells that were measured, and the sets that could not be had, with the reason."""

    sizes: tuple[int, ...]
    tables: tuple[int, ...]
    conditions: dict[str, Any]
    cells: list[LawCell] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


def run_law(
    sets: Sequence[str] = tuple(SETS),
    sizes: Sequence[int] = SIZES,
    tables: Sequence[int] = tuple(SETTINGS),
    *,
    folder: str | Path | None = None,
    results: Path | None = None,
    listener: Listener | None = None,
    seed: int = 1,
) -> LawGrid:
    """Measure every cell that the file of results does not hold yet, small sizes first.

    Parameters
    ----------
    sets, sizes, tables : sequences
        Sets by the paper's names, trees and generations of a run, settings by their tables' numbers.
    folder : path, optional
        Where the sets are; see `load_set`.
    results : path, optional
        File that keeps the cells, and that an interrupted grid goes on with.
    listener : callable, optional
        Is told of the grid and of each cell; one that returns True stops the grid.
    seed : int, default=1
        That of the grid of savings, whose runs these are.
    """
    loaded, missing = load_sets(sets, folder)
    grid = LawGrid(tuple(sizes), tuple(tables), law_conditions(seed), missing=missing)
    kept = Results(results, grid.conditions, lambda cell: (cell["set"], cell["size"], cell["table"]))
    wanted: list[Key] = [(name, size, table) for size in sizes for name in loaded for table in tables]
    found = run_cells(
        wanted,
        lambda key: measure_law(key[0], loaded[key[0]], key[1], SETTINGS[key[2]], seed=seed),
        kept,
        key=lambda key: key,
        effort=lambda key: effort(key[1]),
        missing=missing,
        listener=listener,
    )
    grid.cells = [LawCell(**cell) for _, cell in found]
    return grid


def measure_law(name: str, dataset: Dataset, size: int, setting: Setting, *, seed: int = 1) -> LawCell:
    """Run one cell, watched, and return what it saved beside what it should have."""
    evolution = start_cell(name, dataset, size, setting, WatchedBackend, seed=seed)
    for _ in range(size):
        evolution.step()
    seen: Compared = evolution.backend.compared  # type: ignore[attr-defined]
    return LawCell(
        set=name,
        size=size,
        table=setting.table,
        seed=evolution.seed,
        children=seen.children,
        rows_saved=100 * seen.saved,
        law=100 * seen.law,
        error=100 * seen.error,
        miscounted=seen.miscounted,
    )


def start_cell(
    name: str,
    dataset: Dataset,
    size: int,
    setting: Setting,
    make_backend: Callable[[Problem], Backend],
    *,
    seed: int = 1,
) -> Evolution:
    """Return the run of a cell of the grid of savings, planted and ready to step."""
    model = EvolvedTreeClassifier.gatree(
        setting.mutation_rate,
        setting.x,
        population_size=size,
        random_state=cell_seed(seed, name, size, setting),
    )
    return start(dataset, model, size, make_backend)


def law_conditions(seed: int) -> dict[str, Any]:
    """Return what all cells of a grid have in common; no machine is in it, for nothing here is timed."""
    of_savings = make_conditions(seed, repeats=1)
    return {"law": FORMAT, **{name: of_savings[name] for name in ("version", "seed", "scheme")}}
