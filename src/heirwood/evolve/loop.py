"""The loop: evaluate, select, breed, refresh, remember, tell."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heirwood.backends import Backend
from heirwood.core.draws import child_keys, fold, generation_key
from heirwood.events import Event, Listener, ledger_dict, mean, tell
from heirwood.evolve.hall import Hall
from heirwood.evolve.schedule import Schedule
from heirwood.evolve.succession import Succession
from heirwood.payoff import Trees, pay

SELECTING = 2**63  # folded into a generation's key for its selection: no child has that number


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run besides its rows and its seed."""

    population: int
    payoff: Callable[..., Any]
    schedule: Schedule
    select: Callable[[np.ndarray, int, int], np.ndarray]
    succession: Succession
    max_leaves: int


class Evolution:
    """One run: a population in a backend, its hall of fame and its ledger.

    Parameters
    ----------
    backend : Backend
    plan : Plan
    seed : int
    draw : callable
        Turns a handle into a tree that is ready to draw, for events.
    """

    def __init__(self, backend: Backend, plan: Plan, seed: int, draw: Callable[[int], Any]) -> None:
        self.backend = backend
        self.plan = plan
        self.seed = seed
        self.draw = draw
        self.generation = 0
        self.hall = Hall(plan.max_leaves)
        self.ledger = np.zeros(6, np.int64)  # of the whole run
        self.n_children = 0
        self.seconds = {"breed": 0.0, "refresh": 0.0}
        self._last_ledger = np.zeros(6, np.int64)
        self._told = -1  # the best tree the listeners know

    def begin(self, seeds: Sequence[np.ndarray] = ()) -> None:
        """Plant the first generation.

        Parameters
        ----------
        seeds : sequence of genes
            Trees that take the first places, at most as many as there are; what is drawn for the others does not
            depend on them. They must hold the limits.
        """
        keys = child_keys(self.seed, 0, self.plan.population)[len(seeds) :]
        handles = [self.backend.adopt(list(seeds))] if seeds else []
        if len(keys):
            handles.append(self.backend.start(keys))
        self.handles = np.concatenate(handles)
        self._remember(self.backend.record(self.handles))

    def resume(self, generation: int, population: list[np.ndarray], hall: list[np.ndarray]) -> None:
        """Go on from trees given as genes: the population, and the hall by ascending size."""
        self.generation = generation
        handles = self.backend.adopt([*hall, *population])
        famous, self.handles = handles[: len(hall)], handles[len(hall) :]
        trees = self.backend.record(famous)
        self.hall.welcome(famous, trees, self._pay(trees))
        self._remember(self.backend.record(self.handles))

    def step(self) -> None:
        """Breed one generation."""
        plan = self.plan
        n = plan.succession.n_children
        generation = self.generation + 1
        key = fold(generation_key(self.seed, generation), SELECTING)
        parents = self.handles[plan.select(self.payoffs, 2 * n, key)]
        keys = child_keys(self.seed, generation, n)

        started = time.perf_counter()
        children = self.backend.breed(parents[:n], parents[n:], keys)
        bred = time.perf_counter()
        self._last_ledger = self.backend.refresh(children)
        self.seconds["breed"] += bred - started
        self.seconds["refresh"] += time.perf_counter() - bred

        self.generation = generation
        self.ledger += self._last_ledger
        self.n_children += n
        staying = plan.succession.stay(self.payoffs)
        self.handles = np.concatenate([self.handles[staying], children])
        self._remember(self.trees.take(staying).join(self.backend.record(children)))

    def event(self) -> Event:
        """Return what this generation has to tell."""
        best = self.hall.best
        famous = self.hall.by_size
        event: Event = {
            "event": "generation",
            "generation": self.generation,
            "best": {
                "payoff": float(self.hall.payoffs[best]),
                "accuracy": int(famous.hits[best]) / famous.total,
                "hits": int(famous.hits[best]),
                "leaves": best,
                "depth": int(famous.depth[best]),
            },
            "mean": {
                "payoff": mean(self.payoffs),
                "accuracy": int(self.trees.hits.sum()) / (self.trees.total * len(self.trees)),
                "leaves": int(self.trees.leaves.sum()) / len(self.trees),
            },
            "ledger": ledger_dict(self._last_ledger),
        }
        if self.hall.handles[best] != self._told:
            self._told = self.hall.handles[best]
            event["tree"] = self.draw(int(self._told))
        return event

    def _pay(self, trees: Trees) -> np.ndarray:
        return pay(self.plan.payoff, trees, self.plan.schedule.at(self.generation))

    def _remember(self, trees: Trees) -> None:
        """Recompute all payoffs (x moves), let the worst leave, and keep population and hall."""
        if self.plan.schedule.moves:
            self.hall.rescore(self._pay)
        payoffs = self._pay(trees)
        self.hall.welcome(self.handles, trees, payoffs)
        remaining = self.plan.succession.leave(payoffs, self.plan.population)
        if remaining is not None:
            self.handles, trees, payoffs = self.handles[remaining], trees.take(remaining), payoffs[remaining]
        self.trees, self.payoffs = trees, payoffs
        self.backend.keep(np.concatenate([self.handles, self.hall.handles[self.hall.leaves]]))


def evolve(
    evolution: Evolution,
    generations: int,
    listeners: list[Listener],
    *,
    tell_first: bool = True,
    out_of_time: Callable[[], bool] = lambda: False,
    interrupted: Callable[[], bool] = lambda: False,
    optimal: Callable[[], bool] = lambda: False,
) -> str:
    """Run for some generations, telling each; return why the run ended.

    A run that goes on does not tell its first generation again.

    Returns
    -------
    {"generations", "time_limit", "interrupted", "listener", "optimal"}
    """
    last = evolution.generation + generations
    clock = _Clock(evolution)
    if tell_first and _tell(evolution, listeners, clock):
        return "listener"
    while evolution.generation < last:
        if interrupted():
            return "interrupted"
        if optimal():
            return "optimal"
        if out_of_time():
            return "time_limit"
        evolution.step()
        if _tell(evolution, listeners, clock):
            return "listener"
    return "generations"


class _Clock:
    """Seconds and children since a run began or went on."""

    def __init__(self, evolution: Evolution) -> None:
        self._evolution = evolution
        self._started = time.perf_counter()
        self._before = evolution.n_children

    def event(self) -> Event:
        return {
            "event": "clock",
            "generation": self._evolution.generation,
            "seconds": time.perf_counter() - self._started,
            "children": self._evolution.n_children - self._before,
        }


def _tell(evolution: Evolution, listeners: list[Listener], clock: _Clock) -> bool:
    """Tell of a generation, and of the clock apart; return whether someone asks to stop."""
    stop = tell(listeners, evolution.event())
    return tell(listeners, clock.event()) or stop
