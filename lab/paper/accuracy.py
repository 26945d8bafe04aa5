"""Accuracy, size and time by cross-validation, cell by cell: Tables 8 to 12 of the paper, run again.

What a cell is, `accuracy_cells` says. All cells of a set share its folds; our own search joins at the effort of each
preset cell where the paper's GATree trails J48.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heirwood import __version__
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Listener
from heirwood.settings import Encoding
from lab.common.machine import this_machine
from lab.paper.accuracy_cells import (
    DEFAULT,
    SAME_CHILDREN,
    Cell,
    Task,
    children_per_generation,
    make_estimator,
    measure,
    preset_task,
)
from lab.paper.accuracy_printed import J48_KINDS, SETTINGS, TRAILING, Setting
from lab.paper.folds import N_FOLDS
from lab.paper.grid import load_sets, run_cells
from lab.paper.printed import SIZES
from lab.paper.results import Results
from lab.paper.sets import SETS
from lab.paper.weka import Weka, WekaMissingError, find_weka

FORMAT = 1  # of the file of results

# What takes as long as that many children: a generation and a run to begin, Java to start.
GENERATION_START, RUN_START, JAVA_START = 75.0, 20_000.0, 250_000.0


@dataclass
class Grid:
    """The cells that were measured, and what could not be had, with the reason."""

    sizes: tuple[int, ...]
    settings: tuple[Setting, ...]
    conditions: dict[str, Any]
    weka: str | None = None  # its version
    weka_missing: str = ""
    cells: dict[Task, Cell] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def run_grid(
    sets: Sequence[str] = tuple(SETS),
    sizes: Sequence[int] = SIZES,
    settings: Sequence[Setting] = SETTINGS,
    *,
    folder: str | Path | None = None,
    results: Path | None = None,
    listener: Listener | None = None,
    seed: int = 1,
    jar: str | Path | None = None,
) -> Grid:
    """Measure every cell that the file of results does not hold yet, small sizes first.

    Parameters
    ----------
    sets, sizes, settings : sequences
        Sets by the paper's names, trees and generations of a run, and settings; those of Table 12 only concern the
        sets of Table 12.
    folder : path, optional
        Where the sets are; see `load_set`.
    results : path, optional
        File that keeps the cells, and that an interrupted grid goes on with.
    listener : callable, optional
        Is told of the grid and of each cell; one that returns True stops the grid.
    seed : int, default=1
        Deals the folds; every run folds it into a seed of its own.
    jar : path, optional
        Weka's; see `find_weka`. Where none is given or found, the cells of J48 are left out and the grid says why.
    """
    loaded, missing = load_sets(sets, folder)
    grid = Grid(tuple(sizes), tuple(settings), make_conditions(seed), missing=missing)
    weka: Weka | None = None
    try:
        weka = find_weka(jar)
        grid.weka = weka.version
    except WekaMissingError as error:
        if jar is not None:  # a jar that was asked for is not passed over
            raise
        grid.weka_missing = str(error)

    kept = Results(results, grid.conditions, lambda cell: tuple(cell["task"].values()))
    found = run_cells(
        list(list_tasks(list(loaded), grid)),
        lambda task: measure(task, loaded[task.set], seed=seed, weka=weka),
        kept,
        key=lambda task: task.key,
        effort=effort,
        missing=missing,
        listener=listener,
    )
    grid.cells = {task: Cell(**{**cell, "task": task}) for task, cell in found}
    return grid


def list_tasks(sets: Sequence[str], grid: Grid) -> Iterator[Task]:
    """Yield the cells of a grid: what is had once for each set first, then by size."""
    for name in sets:
        yield Task(name, DEFAULT)
        if grid.weka is not None:
            for learner in J48_KINDS:
                yield Task(name, learner, by=f"Weka {grid.weka}")
    for size in grid.sizes:
        for name in sets:
            settings = [setting for setting in grid.settings if setting.table != 12 or name in TRAILING]
            for setting in settings:
                yield preset_task(name, setting, size)
            if name in TRAILING:
                # Our search has a mutation rate of its own, so one run stands beside both of the paper's rates.
                for last_x in dict.fromkeys(setting.last_x for setting in settings):
                    yield Task(name, SAME_CHILDREN, size, last_x=last_x)


def effort(task: Task) -> float:
    """Return about how long a cell takes, in children, from which it is told how long the rest will take."""
    if task.learner in J48_KINDS:
        return JAVA_START
    estimator = make_estimator(task)
    per_generation = children_per_generation(estimator) + GENERATION_START
    return N_FOLDS * (RUN_START + estimator.generations * per_generation)


def make_conditions(seed: int) -> dict[str, Any]:
    """Return what all cells of a grid have in common, both searches in full: one that changed is another grid."""
    default = EvolvedTreeClassifier.blind(encoding=Encoding()).get_params()
    preset = EvolvedTreeClassifier.gatree().get_params()
    of_search = ("breeding__", "selection__", "succession__", "encoding__", "payoff__", "max_", "min_")
    of_cell = ("breeding__mutation_rate", "payoff__x")
    of_default = (*of_search, "population_size", "generations", "payoff")
    return {
        "accuracy": FORMAT,
        "version": __version__,
        "seed": seed,
        "scheme": {name: value for name, value in preset.items() if name.startswith(of_search) and name not in of_cell},
        "default": {name: value for name, value in default.items() if name.startswith(of_default)},
        "machine": this_machine(),
    }
