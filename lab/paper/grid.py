"""A grid of cells: which sets there are, what is still to be done, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from heirwood.data import Dataset
from heirwood.events import Listener, tell
from lab.paper.pace import Pace
from lab.paper.results import Results
from lab.paper.sets import SetMissingError, load_set

Task = TypeVar("Task")


def load_sets(names: Iterable[str], folder: str | Path | None) -> tuple[dict[str, Dataset], dict[str, str]]:
    """Return the sets that can be had, by name, and for the others the reason why not."""
    loaded: dict[str, Dataset] = {}
    missing: dict[str, str] = {}
    for name in names:
        try:
            loaded[name] = load_set(name, folder)
        except SetMissingError as error:
            missing[name] = str(error)
    return loaded, missing


def run_cells(
    tasks: Sequence[Task],
    measure: Callable[[Task], Any],
    kept: Results,
    *,
    key: Callable[[Task], tuple[Any, ...]],
    effort: Callable[[Task], float],
    missing: Mapping[str, str],
    listener: Listener | None = None,
) -> list[tuple[Task, dict[str, Any]]]:
    """Measure every cell that the results do not hold yet; return all that they hold then, in order.

    Parameters
    ----------
    tasks : sequence
        What makes a cell, each.
    measure : callable
        Turns a task into a cell, a dataclass.
    kept : Results
    key : callable
        What tells a task's cell from all others.
    effort : callable
        About what a task costs, in any unit: from it, and the clock, it is told how long the rest will take.
    missing : mapping
        Sets that could not be had; the listener is told.
    listener : callable, optional
        Is told of the grid and of each cell; one that returns True stops the grid.
    """
    todo = [task for task in tasks if kept.get(key(task)) is None]
    listeners = [] if listener is None else [listener]
    pace = Pace([effort(task) for task in todo])
    told = {"cells": len(tasks), "done": len(tasks) - len(todo)}
    stop = tell(listeners, {"event": "grid", **told, "missing": dict(missing), **pace.event()})
    for task in todo:
        if stop:
            break
        cell = asdict(measure(task))
        kept.add(cell)
        pace.done()
        told["done"] += 1
        stop = tell(listeners, {"event": "cell", "cell": cell, **told, **pace.event()})
    tell(listeners, {"event": "end"})
    return [(task, found) for task in tasks if (found := kept.get(key(task))) is not None]
