"""Do saved checks become saved time? The paper's central claim, on the paper's own data structures.

The `slow` backend keeps instance indices at leaves and asks instance after instance, as the paper does. A cell (a set
and a setting) is run the old way and the new from one seed, side by side (`times_side_by_side`). *Evaluating* is the
classification of instances alone, without limits and ledger, which are ours; the whole run is everything that a
generation takes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heirwood.backends.slow import SlowBackend
from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Listener
from heirwood.evolve.loop import Evolution
from heirwood.oracle.tree import Tree
from heirwood.settings import Engine
from lab.paper.figure5_runs import start
from lab.paper.grid import load_sets, run_cells
from lab.paper.printed import SETTINGS, Setting
from lab.paper.results import Results
from lab.paper.savings import cell_seed, make_conditions
from lab.paper.sets import SETS
from lab.paper.times_side_by_side import time_side_by_side

FORMAT = 1  # of the file of results
SIZE, REPEATS = 100, 5


@dataclass(frozen=True)
class SlowCell:
    """What one cell measured. Shares are percent of what full evaluations would have cost."""

    set: str
    size: int
    table: int  # of the paper, whose setting it is
    seed: int
    rows: int  # of the set
    evaluating_old: float  # processor seconds that instances were classified in
    evaluating_new: float
    whole_old: float  # processor seconds of all generations
    whole_new: float
    measured: int  # times
    rows_saved: float
    checks_saved: float

    @property
    def evaluating_saved(self) -> float:
        """The share of evaluation time saved, in percent."""
        return 100 * (1 - self.evaluating_new / self.evaluating_old)

    @property
    def whole_saved(self) -> float:
        """The share of the whole run's time saved, in percent."""
        return 100 * (1 - self.whole_new / self.whole_old)


@dataclass
class SlowGrid:
    """The cells that were measured, and the sets that could not be had, with the reason."""

    size: int
    tables: tuple[int, ...]
    conditions: dict[str, Any]
    cells: list[SlowCell] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


class TimedBackend(SlowBackend):
    """The slow backend with a clock on the classification of instances."""

    evaluating = 0.0  # processor seconds, of the last generation

    def evaluate(self, bred: list[Tree]) -> list[Tree]:
        """Classify as ever, and note how long it took."""
        started = time.thread_time()
        finished = super().evaluate(bred)
        self.evaluating = time.thread_time() - started
        return finished


def run_slow_grid(
    sets: Sequence[str] = tuple(SETS),
    tables: Sequence[int] = tuple(SETTINGS),
    *,
    size: int = SIZE,
    folder: str | Path | None = None,
    results: Path | None = None,
    listener: Listener | None = None,
    seed: int = 1,
    repeats: int = REPEATS,
) -> SlowGrid:
    """Measure every cell that the file of results does not hold yet.

    Parameters
    ----------
    sets, tables : sequences
        Sets by the paper's names, settings by their tables' numbers.
    size : int, default=100
        Trees, and generations, of a run.
    folder : path, optional
        Where the sets are; see `load_set`.
    results : path, optional
        File that keeps the cells, and that an interrupted grid goes on with.
    listener : callable, optional
        Is told of the grid and of each cell; one that returns True stops the grid.
    seed : int, default=1
        Every cell folds it into a seed of its own.
    repeats : int, default=5
        How often a cell is measured.
    """
    loaded, missing = load_sets(sets, folder)
    conditions = {"slow": FORMAT, **make_conditions(seed, repeats), "size": size}
    grid = SlowGrid(size, tuple(tables), conditions, missing=missing)
    kept = Results(results, conditions, lambda cell: (cell["set"], cell["table"]))
    found = run_cells(
        [(name, table) for name in loaded for table in tables],
        lambda key: measure(key[0], loaded[key[0]], size, SETTINGS[key[1]], seed=seed, repeats=repeats),
        kept,
        key=lambda key: key,
        effort=lambda key: len(loaded[key[0]].table),  # a cell takes as long as its set has rows, about
        missing=missing,
        listener=listener,
    )
    grid.cells = [SlowCell(**cell) for _, cell in found]
    return grid


def measure(
    name: str, dataset: Dataset, size: int, setting: Setting, *, seed: int = 1, repeats: int = REPEATS
) -> SlowCell:
    """Run one cell both ways, side by side, and return what it measured.

    Raises
    ------
    DifferentRunsError
        Where inheritance changed anything but the seconds.
    """
    own_seed = cell_seed(seed, name, size, setting)
    timed = time_side_by_side(
        lambda inherit: _start(dataset, size, setting, own_seed, inherit=inherit),
        size,
        repeats,
        f"{name}, size {size}, {setting}",
    )
    (evaluating_old, evaluating_new), (whole_old, whole_new) = timed.evaluating, timed.whole
    rows, rows_full, checks, checks_full, _, _ = timed.ledger
    return SlowCell(
        set=name,
        size=size,
        table=setting.table,
        seed=own_seed,
        rows=len(dataset.table),
        evaluating_old=evaluating_old,
        evaluating_new=evaluating_new,
        whole_old=whole_old,
        whole_new=whole_new,
        measured=repeats,
        rows_saved=100 * (1 - rows / rows_full),
        checks_saved=100 * (1 - checks / checks_full),
    )


def _start(dataset: Dataset, size: int, setting: Setting, seed: int, *, inherit: bool) -> Evolution:
    estimator = EvolvedTreeClassifier.gatree(
        setting.mutation_rate,
        setting.x,
        population_size=size,
        generations=size,
        random_state=seed,
        engine=Engine(backend="slow", inherit=inherit),
    )
    return start(dataset, estimator, size, TimedBackend)
