"""What inheritance saves, cell by cell: Tables 4 to 7 of the paper, run again.

A *cell* is a set, a size (trees and generations) and a setting (mutation rate and x). It is run twice from one seed,
the old way (every child evaluated in full) and the new (inherited), and the two must be the same run: the same hall
of fame, the same history. Only then are their seconds compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from heirwood import __version__
from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Event, Listener
from heirwood.settings import Engine, Monitoring
from lab.common.machine import this_machine
from lab.paper.figure5_runs import start
from lab.paper.grid import load_sets, run_cells
from lab.paper.printed import SETTINGS, SIZES, Setting
from lab.paper.results import Results
from lab.paper.sets import SETS
from lab.paper.times_side_by_side import DifferentRunsError, TimedCpuBackend, time_side_by_side
from lab.paper.whole_fit import fit_whole

FORMAT = 2  # of the file of results
CLOSE = 1.1  # old / new below this is measured again, where that is asked for


@dataclass(frozen=True)
class Cell:
    """What one cell measured. Shares are percent of what full evaluations would have cost."""

    set: str
    size: int
    table: int  # of the paper, whose setting it is
    seed: int
    seconds_old: float  # of the whole run, once the table is read
    seconds_new: float
    evaluating_old: float  # seconds of it that children were evaluated in
    evaluating_new: float
    measured: int  # pairs of runs; where there is more than one, seconds are those of `time_side_by_side`
    rows_saved: float
    checks_saved: float
    words_saved: float
    accuracy: float  # of the best tree, on the rows it was evolved on
    leaves: int
    mean_leaves: float  # of all trees over all generations

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells the cell from all others of a grid."""
        return self.set, self.size, self.table


@dataclass
class Grid:
    """The cells that were measured, and the sets that could not be had, with the reason."""

    sizes: tuple[int, ...]
    tables: tuple[int, ...]
    conditions: dict[str, Any]
    cells: list[Cell] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


def run_grid(
    sets: Sequence[str] = tuple(SETS),
    sizes: Sequence[int] = SIZES,
    tables: Sequence[int] = tuple(SETTINGS),
    *,
    folder: str | Path | None = None,
    results: Path | None = None,
    listener: Listener | None = None,
    seed: int = 1,
    repeats: int = 1,
) -> Grid:
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
        Every cell folds it into a seed of its own.
    repeats : int, default=1
        Depth2Search of runs where old and new are within a tenth of each other; they are timed side by side.
    """
    loaded, missing = load_sets(sets, folder)
    grid = Grid(tuple(sizes), tuple(tables), make_conditions(seed, repeats), missing=missing)
    kept = Results(results, grid.conditions, lambda cell: (cell["set"], cell["size"], cell["table"]))
    wanted = [(name, size, table) for size in sizes for name in loaded for table in tables]
    for name in dict.fromkeys(name for name, size, table in wanted if kept.get((name, size, table)) is None):
        _warm_up(loaded[name], SETTINGS[tables[0]])
    found = run_cells(
        wanted,
        lambda key: measure(key[0], loaded[key[0]], key[1], SETTINGS[key[2]], seed=seed, repeats=repeats),
        kept,
        key=lambda key: key,
        effort=lambda key: effort(key[1]),
        missing=missing,
        listener=listener,
    )
    grid.cells = [Cell(**cell) for _, cell in found]
    return grid


def effort(size: int) -> float:
    """Return about what a run of that many trees and generations costs: a generation, as much as a thousand trees."""
    return size * (size + 1000)


def measure(name: str, dataset: Dataset, size: int, setting: Setting, *, seed: int = 1, repeats: int = 1) -> Cell:
    """Run one cell both ways, check that it is one run, and return what it measured.

    Raises
    ------
    DifferentRunsError
        Where inheritance changed anything but the seconds.
    """
    own_seed = cell_seed(seed, name, size, setting)
    old, new = (_run(dataset, size, setting, own_seed, inherit=inherit) for inherit in (False, True))
    check_same_run(old.model, new.model, f"{name}, size {size}, {setting}")
    whole, evaluating, measured = (old.whole, new.whole), (old.evaluating, new.evaluating), 1
    if repeats > 1 and min(old.whole / new.whole, old.evaluating / new.evaluating) < CLOSE:
        again = time_side_by_side(
            lambda inherit: start(dataset, _estimator(size, setting, own_seed, inherit), size, TimedCpuBackend),
            size,
            repeats,
            f"{name}, size {size}, {setting}",
        )
        whole, evaluating, measured = again.whole, again.evaluating, repeats
    best = new.model.hall_[new.model.hall_.chosen]
    saved = new.model.savings_
    return Cell(
        set=name,
        size=size,
        table=setting.table,
        seed=own_seed,
        seconds_old=whole[0],
        seconds_new=whole[1],
        evaluating_old=evaluating[0],
        evaluating_new=evaluating[1],
        measured=measured,
        rows_saved=100 * saved["rows"],
        checks_saved=100 * saved["checks"],
        words_saved=100 * saved["words"],
        accuracy=best.accuracy,
        leaves=best.leaves,
        mean_leaves=float(new.model.history_["mean_leaves"].mean()),
    )


def check_same_run(old: EvolvedTreeClassifier, new: EvolvedTreeClassifier, what: str) -> None:
    """Raise DifferentRunsError unless two fitted models have the same hall of fame and the same history."""
    differing = [
        name for name, column in old.history_.items() if not np.array_equal(column, new.history_.get(name, ()))
    ]
    if list(old.hall_) != list(new.hall_) or old.hall_.chosen != new.hall_.chosen:
        differing.append("the hall of fame")
    if differing:
        raise DifferentRunsError(
            f"{what}: with inheritance and without, one seed gave two runs; they differ in {', '.join(differing)}. "
            "That is a fault of the engine: please report it."
        )


def cell_seed(seed: int, name: str, size: int, setting: Setting) -> int:
    """Return the seed of a cell: as in the paper, each has its own; here, always the same one."""
    text = f"{seed}/{name}/{size}/{setting.mutation_rate}/{setting.x}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def make_conditions(seed: int, repeats: int) -> dict[str, Any]:
    """Return what all cells of a grid have in common, the preset in full: a preset that changed is another grid."""
    preset = EvolvedTreeClassifier.gatree().get_params()
    of_scheme = ("breeding__", "selection__", "succession__", "encoding__", "payoff__", "max_", "min_")
    of_cell = ("breeding__mutation_rate", "payoff__x")
    scheme = {name: value for name, value in preset.items() if name.startswith(of_scheme) and name not in of_cell}
    return {
        "savings": FORMAT,
        "version": __version__,
        "seed": seed,
        "repeats": repeats,
        "scheme": scheme,
        "machine": this_machine(),
    }


@dataclass
class _Run:
    model: EvolvedTreeClassifier
    whole: float
    evaluating: float


def _estimator(size: int, setting: Setting, seed: int, inherit: bool, *listeners: Listener) -> EvolvedTreeClassifier:
    return EvolvedTreeClassifier.gatree(
        setting.mutation_rate,
        setting.x,
        population_size=size,
        generations=size,
        random_state=seed,
        engine=Engine(inherit=inherit),
        monitoring=Monitoring(listeners=listeners),
    )


def _run(dataset: Dataset, size: int, setting: Setting, seed: int, *, inherit: bool) -> _Run:
    clock = _Clock()
    model = _estimator(size, setting, seed, inherit, clock)
    assert dataset.target is not None
    fit_whole(model, dataset.table, dataset.target)
    return _Run(model, clock.seconds, model.seconds_["refresh"])


def _warm_up(dataset: Dataset, setting: Setting) -> None:
    """Run a little both ways, so that what a table makes necessary is compiled before anything is timed."""
    for inherit in (False, True):
        _run(dataset, 4, setting, 1, inherit=inherit)


class _Clock:
    """A listener that keeps how long a run has taken."""

    seconds = 0.0

    def __call__(self, event: Event) -> None:
        if event["event"] == "clock":
            self.seconds = event["seconds"]
