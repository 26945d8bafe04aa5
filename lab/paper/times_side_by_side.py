"""Two ways to make one run, timed side by side on a machine that does other things as well.

The run without inheritance and the run with it are stepped in turn, a generation of each, so that whatever else goes on
meets both alike. Seconds are those that the processor spent on this thread. All of it is repeated, and of each
generation the fastest counts. After every generation the two must have told the same story.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heirwood.backends.cpu import CpuBackend
from heirwood.evolve.loop import Evolution

OLD, NEW = 0, 1


class DifferentRunsError(RuntimeError):
    """Two runs of one seed, with inheritance and without, that are not the same run."""


@dataclass(frozen=True)
class SideBySide:
    """Processor seconds of all generations: evaluating children, and everything; old and new."""

    evaluating: tuple[float, float]
    whole: tuple[float, float]
    ledger: tuple[int, ...]


class TimedCpuBackend(CpuBackend):
    """The compiled backend with a clock on the evaluation of children."""

    evaluating = 0.0  # processor seconds, of the last generation

    def refresh(self, children: np.ndarray) -> np.ndarray:
        """Evaluate as ever, and note how long it took."""
        started = time.thread_time()
        cost = super().refresh(children)
        self.evaluating = time.thread_time() - started
        return cost


def time_side_by_side(make: Callable[[bool], Evolution], generations: int, repeats: int, what: str) -> SideBySide:
    """Time a run both ways.

    Parameters
    ----------
    make : callable
        Returns the run with inheritance or without, ready to step; its backend tells by `evaluating` how long the last
        generation's evaluation took.
    generations, repeats : int
    what : str
        What is timed, for an error.

    Raises
    ------
    DifferentRunsError
        Where inheritance changed anything but the seconds.
    """
    evaluating, whole = np.empty((repeats, 2, generations)), np.empty((repeats, 2, generations))
    for repeat in range(repeats):
        pair = [make(False), make(True)]
        _step(pair, evaluating[repeat], whole[repeat], what)
    fastest = [tuple(seconds.min(axis=0).sum(axis=1).tolist()) for seconds in (evaluating, whole)]
    return SideBySide(fastest[0], fastest[1], tuple(pair[NEW].ledger.tolist()))


def _step(pair: list[Evolution], evaluating: np.ndarray, whole: np.ndarray, what: str) -> None:
    """Step two runs in turn, noting the seconds of each generation."""
    gc.collect()
    gc.disable()  # it would strike one of the two
    try:
        for generation in range(whole.shape[1]):
            for way, evolution in enumerate(pair):
                started = time.thread_time()
                evolution.step()
                whole[way, generation] = time.thread_time() - started
                evaluating[way, generation] = evolution.backend.evaluating  # type: ignore[attr-defined]
            if pair[OLD].event() != pair[NEW].event():
                raise DifferentRunsError(_differing(what, f"in generation {generation + 1}"))
    finally:
        gc.enable()
    if _trees(pair[OLD]) != _trees(pair[NEW]):
        raise DifferentRunsError(_differing(what, "in the trees they end with"))


def _trees(evolution: Evolution) -> list[list[list[int]]]:
    """Return the genes, rows and hits of every tree of the population, and of the best tree of every size."""
    handles = [*evolution.handles.tolist(), *evolution.hall.handles[evolution.hall.leaves].tolist()]
    return [[part.tolist() for part in evolution.backend.genes(handle)] for handle in handles]


def _differing(what: str, where: str) -> str:
    return (
        f"{what}: with inheritance and without, one seed gave two runs; they differ {where}. "
        "That is a fault of the engine: please report it."
    )
