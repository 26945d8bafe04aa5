"""What inheritance saves, cell by cell: Tables 4 to 7 of the paper, run again.

A *cell* is a set, a size (trees and generations) and a setting (mutation rate and x). It is run twice from one seed,
the old way (every child evaluated in full) and the new (inherited), and the two must be the same run: the same hall
of fame, the same history. Only then are their seconds compared.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from heirwood import __version__
from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Event, Listener, tell
from heirwood.reproduce.printed import SETTINGS, SIZES, Setting
from heirwood.reproduce.results import Results, this_machine
from heirwood.reproduce.sets import SETS, SetMissingError, load_set
from heirwood.settings import Engine

FORMAT = 1  # of the file of results
CLOSE = 1.1  # old / new below this is measured again, where that is asked for


class DifferentRunsError(RuntimeError):
    """Two runs of one seed, with inheritance and without, that are not the same run."""


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
    measured: int  # pairs of runs; seconds are those of the fastest
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
        Pairs of runs where old and new are within a tenth of each other; the fastest count.
    """
    loaded: dict[str, Dataset] = {}
    grid = Grid(tuple(sizes), tuple(tables), make_conditions(seed, repeats))
    for name in sets:
        try:
            loaded[name] = load_set(name, folder)
        except SetMissingError as error:
            grid.missing[name] = str(error)
    kept = Results(results, grid.conditions, lambda cell: (cell["set"], cell["size"], cell["table"]))
    wanted = [(name, size, table) for size in sizes for name in loaded for table in tables]
    todo = [key for key in wanted if kept.get(key) is None]
    listeners = [] if listener is None else [listener]

    pace = _Pace(todo)
    stop = tell(listeners, _grid_event(wanted, todo, grid.missing, pace))
    for place, (name, size, table) in enumerate(todo, start=1):
        if stop:
            break
        cell = measure(name, loaded[name], size, SETTINGS[table], seed=seed, repeats=repeats)
        kept.add(asdict(cell))
        pace.done(size)
        told = {"event": "cell", "cell": asdict(cell), "done": len(wanted) - len(todo) + place, "cells": len(wanted)}
        stop = tell(listeners, {**told, **pace.event()})
    tell(listeners, {"event": "end"})
    grid.cells = [Cell(**found) for key in wanted if (found := kept.get(key)) is not None]
    return grid


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
    pairs = [(old, new)]
    if min(old.whole / new.whole, old.evaluating / new.evaluating) < CLOSE:
        while len(pairs) < repeats:
            again = [_run(dataset, size, setting, own_seed, inherit=inherit) for inherit in (False, True)]
            pairs.append((again[0], again[1]))
    best = new.model.hall_[new.model.hall_.chosen]
    saved = new.model.savings_
    return Cell(
        set=name,
        size=size,
        table=setting.table,
        seed=own_seed,
        seconds_old=min(pair[0].whole for pair in pairs),
        seconds_new=min(pair[1].whole for pair in pairs),
        evaluating_old=min(pair[0].evaluating for pair in pairs),
        evaluating_new=min(pair[1].evaluating for pair in pairs),
        measured=len(pairs),
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


def _run(dataset: Dataset, size: int, setting: Setting, seed: int, *, inherit: bool) -> _Run:
    clock = _Clock()
    model = EvolvedTreeClassifier.gatree(
        setting.mutation_rate,
        setting.x,
        population=size,
        generations=size,
        random_state=seed,
        engine=Engine(inherit=inherit, listeners=[clock]),
    )
    model.fit(dataset.table, dataset.target)
    if model.stop_reason_ == "interrupted":  # a fit ends gently; half a run is no measurement
        raise KeyboardInterrupt
    return _Run(model, clock.seconds, model.seconds_["refresh"])


class _Clock:
    """A listener that keeps how long a run has taken."""

    seconds = 0.0

    def __call__(self, event: Event) -> None:
        if event["event"] == "clock":
            self.seconds = event["seconds"]


class _Pace:
    """How long the rest will take: a run of twice the size is four times the work."""

    def __init__(self, todo: list[tuple[str, int, int]]) -> None:
        self._left = float(sum(size**2 for _, size, _ in todo))
        self._done = 0.0
        self._started = time.monotonic()

    def done(self, size: int) -> None:
        self._left -= size**2
        self._done += size**2

    def event(self) -> Event:
        seconds = time.monotonic() - self._started
        left = seconds / self._done * self._left if self._done else None
        return {"seconds": seconds, "seconds_left": left}


def _grid_event(
    wanted: list[tuple[str, int, int]], todo: list[tuple[str, int, int]], missing: dict[str, str], pace: _Pace
) -> Event:
    done = len(wanted) - len(todo)
    return {"event": "grid", "cells": len(wanted), "done": done, "missing": dict(missing), **pace.event()}
