"""The loop: evaluate, select, breed, refresh, remember, tell."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heirwood.backends import Backend
from heirwood.core.draws import child_keys, fold, generation_key
from heirwood.events import Event, Listener, exact_sum, ledger_dict, mean, tell
from heirwood.evolve.beside import offers_of
from heirwood.evolve.exactly import Exactly
from heirwood.evolve.hall import Hall
from heirwood.evolve.islands import Explorers, on_each, shores
from heirwood.evolve.learning import EVERY, Learning
from heirwood.evolve.narrow import NarrowScout
from heirwood.evolve.parents import choose_parents, from_hall
from heirwood.evolve.price import leaf_price, price_of_limit
from heirwood.evolve.replacement import Replacement, stand_last
from heirwood.evolve.schedule import Schedule
from heirwood.evolve.scout import Scout, is_bounded
from heirwood.payoff import Trees, pay

SELECTING = 2**63  # folded into a generation's key for its selection: no child has that number
SETTLED = 20  # generations without a better tree of any size, after which a run that has the best one may end
RENEWING = 2**62  # folded, with the island, into the seed of what is planted anew


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run besides its rows and its seed."""

    population_size: int
    payoff: Callable[..., Any]
    schedule: Schedule
    select: Callable[[np.ndarray, int, int], np.ndarray]
    succession: Replacement
    max_leaf_nodes: int
    hall_share: float = 0.0  # of the parents, those that come from the hall of fame
    islands: int = 1
    renewal: int = 20  # generations without a better tree after which an island but the first starts anew
    adaptive: bool = False  # whether the rates of operators follow what pays
    priced: bool = False  # whether some operator asks for the price of a leaf


class Evolution:
    """One run: a population in a backend, its hall of fame and its ledger.

    Parameters
    ----------
    backend : Backend
    plan : Plan
    seed : int
    draw : callable
        Turns a handle into a tree that is ready to draw, for events.
    measure : (str, float)
        What events tell of how good trees are: "accuracy", or the mean "cost", "log_loss" or "brier" of a row; and what
        each hit that a tree lacks adds to that.
    """

    def __init__(
        self,
        backend: Backend,
        plan: Plan,
        seed: int,
        draw: Callable[[int], Any],
        measure: tuple[str, float] = ("accuracy", 0.0),
    ) -> None:
        self.backend = backend
        self.plan = plan
        self.seed = seed
        self.draw = draw
        self.measure = measure
        self.generation = 0
        self.hall = Hall(plan.max_leaf_nodes)
        self.handles = np.empty(0, np.int64)
        self.payoffs = np.empty(0)
        self.ledger = np.zeros(6, np.int64)  # of the whole run
        self.n_children = 0
        self.seconds = {"breed": 0.0, "refresh": 0.0}
        self._last_ledger = np.zeros(6, np.int64)
        rules = backend.problem.rules
        self.learning = Learning(rules.inner_odds, rules.leaf_odds) if plan.adaptive else None
        self.explorers = Explorers(plan.islands, plan.renewal)
        self.exactly: Exactly | None = None  # searches that go on beside
        self.scout: Scout | None = None  # builds trees beside,
        self.narrow_scout: NarrowScout | None = None  # and one of fewer tests
        self.price = 0.0  # what a leaf must get right more, for operators that weigh size
        self._price_by_payoff = 0.0
        self.improved = 0  # the generation that found the best tree
        self.enriched = 0  # the last one that found a better tree of any size
        self.must_end: Callable[[], bool] | None = None  # whether what is being done is to be given up
        self.is_cut = False  # whether the last generation was cut short by that
        self._best = -1
        self._told = -1  # the best tree the listeners know

    def begin(self, initial_trees: Sequence[np.ndarray] = ()) -> None:
        """Plant the first generation.

        Parameters
        ----------
        initial_trees : sequence of genes
            Trees that take the first places, at most as many as there are; what is drawn for the others does not
            depend on them. They must hold the limits.
        """
        keys = child_keys(self.seed, 0, self.plan.population_size)[len(initial_trees) :]
        handles = [self.backend.adopt(list(initial_trees))] if initial_trees else []
        if len(keys):
            handles.append(self.backend.start(keys))
        self.handles = np.concatenate(handles)
        self._remember(self.backend.record(self.handles))

    def seat(self, handles: np.ndarray, *, as_best: bool = True) -> None:
        """Let trees into the hall that are better than those of their size, and let go of the others.

        The population stays as it is.

        Parameters
        ----------
        handles : (n_trees,) int64
        as_best : bool
            Whether one may be better than the best of all: not once the run is over, and told.
        """
        record = self.backend.record(handles)
        payoffs = self._pay(record)
        if not as_best:
            others = np.flatnonzero(payoffs <= self.hall.payoffs[self.hall.best])
            handles, record, payoffs = handles[others], record.take(others), payoffs[others]
        if len(handles):
            self._welcome(handles, record, payoffs)
        if len(handles) and as_best:
            self._note_best()
        self.let_go()

    def let_go(self) -> None:
        """Let go of all trees but population and hall."""
        self.backend.keep(np.concatenate([self.handles, self.hall.handles[self.hall.leaves]]))

    def resume(
        self,
        generation: int,
        population: list[np.ndarray],
        hall: list[np.ndarray],
        learning: Learning | None,
        explorers: Explorers,
    ) -> None:
        """Go on from trees given as genes, the population, and the hall by ascending size; and from what was learnt."""
        self.generation = generation
        self.learning = learning if self.plan.adaptive else None
        self.explorers = explorers
        handles = self.backend.adopt([*hall, *population])
        famous, self.handles = handles[: len(hall)], handles[len(hall) :]
        trees = self.backend.record(famous)
        self.hall.welcome(famous, trees, self._pay(trees))
        self._remember(self.backend.record(self.handles))
        if self.learning is not None:
            self.backend.adapt(**self.learning.odds())

    def step(self) -> bool:
        """Breed one generation; say whether there was time for any of it.

        Where there was not for all of it, `is_cut` says so: not all children were bred, which then only enter the hall,
        or what searches beside was given up.
        """
        plan = self.plan
        generation = self.generation + 1
        mothers, fathers = self._parents(fold(generation_key(self.seed, generation), SELECTING))
        keys = child_keys(self.seed, generation, len(mothers))

        started = time.perf_counter()
        children = self.backend.breed(mothers, fathers, keys, self.must_end)
        bred = time.perf_counter()
        ledger = self.backend.refresh(children)
        self.seconds["breed"] += bred - started
        self.seconds["refresh"] += time.perf_counter() - bred

        self.ledger += ledger
        children = children[: self.backend.n_bred]
        self.n_children += len(children)
        record = self.backend.record(children)
        if len(children) == 0:
            return False
        self.generation, self._last_ledger = generation, ledger
        if len(children) < len(mothers):
            self._end_early(children, record)
            return True
        if self.learning is not None:
            self._learn(self.learning, mothers, children, record)
        self._remember(self._join(children, record))
        if plan.islands > 1:
            for island in self.explorers.tired(self.payoffs):
                self._renew(island)
        self.seek()
        return True

    def _end_early(self, children: np.ndarray, record: Trees) -> None:
        """Let the children of a generation that was cut short enter the hall, and go."""
        self.is_cut = True
        self._welcome(children, record, self._pay(record))
        self._note_best()
        self.let_go()

    def _join(self, children: np.ndarray, record: Trees) -> Trees:
        """Let children stand behind the trees that stay, on every island; return the record of all of them."""
        plan = self.plan
        trees = self.trees.join(record)
        handles = np.concatenate([self.handles, children])
        if plan.islands == 1 and plan.succession.all_stay:  # then that is their order already
            self.handles = handles
            return trees
        staying = on_each(plan.islands, self.payoffs, plan.succession.stay)
        born = len(self.handles) + np.arange(len(children)).reshape(plan.islands, -1)
        places = np.concatenate([place for pair in zip(staying, born, strict=True) for place in pair])
        self.handles = handles[places]
        return trees.take(places)

    def seek(self, *, scouting: bool = True) -> None:
        """Go on with what searches beside; what it finds takes the place of other trees."""
        offers = offers_of(self, scouting=scouting)
        self.is_cut = self.must_end is not None and self.must_end()
        if self.is_cut:
            return
        if offers:
            # All at once: tests that nobody asks any more leave the bank when the others are let go.
            taken_in = self.backend.adopt([genes for _, genes in offers])
            self.handles = self.handles.copy()
            for (place, _), handle in zip(offers, taken_in.tolist(), strict=True):
                if self._has_rows_enough(handle):
                    self.handles[place] = handle
            self._settle(self.backend.record(self.handles))

    def _has_rows_enough(self, handle: int) -> bool:
        """Say whether enough rows arrive at every leaf of a tree; a single leaf has all there are."""
        min_rows = self.backend.problem.rules.min_rows
        if min_rows <= 1:
            return True
        genes, rows, _ = self.backend.genes(handle)
        return len(genes) == 1 or int(rows[genes < 0].min()) >= min_rows

    def _renew(self, island: int) -> None:
        """Let an island's trees go home, where the best of both stay, and plant it anew."""
        plan = self.plan
        home, *others = shores(plan.population_size, plan.islands)
        there = others[island - 1]
        both = np.concatenate([np.arange(home.start, home.stop), np.arange(there.start, there.stop)])
        standing = self.payoffs[both]
        if plan.succession.distinct:
            standing = stand_last(standing, self.backend.tree_hashes(self.handles[both]))
        places = np.arange(plan.population_size)
        places[home] = both[plan.succession.leave(standing, home.stop)]
        keys = child_keys(fold(self.seed, RENEWING + island), self.generation, there.stop - there.start)
        self.handles = self.handles[places]
        self.handles[there] = self.backend.start(keys)
        self._settle(self.backend.record(self.handles))

    def _settle(self, trees: Trees) -> None:
        """Take stock after trees have joined, and let go of those that left."""
        self.trees, self.payoffs = trees, self._pay(trees)
        self._welcome(self.handles, trees, self.payoffs)
        self._note_best()
        self.let_go()

    def _welcome(self, handles: np.ndarray, trees: Trees, payoffs: np.ndarray) -> None:
        if self.hall.welcome(handles, trees, payoffs):
            self.enriched = self.generation

    def _parents(self, key: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the parents of the next generation; the first island also calls on the hall."""
        plan = self.plan
        n = plan.succession.n_children
        mothers, fathers = choose_parents(plan.select, self.handles, self.payoffs, plan.islands, n, key)
        if plan.hall_share > 0:
            called = from_hall(np.concatenate([mothers[:n], fathers[:n]]), self.hall, plan.hall_share, key)
            mothers[:n], fathers[:n] = called[:n], called[n:]
        return mothers, fathers

    def _learn(self, learning: Learning, mothers: np.ndarray, children: np.ndarray, record: Trees) -> None:
        """Count which operators gained, and change their rates now and then."""
        better = self._pay(record) > self._pay(self.backend.record(mothers))
        learning.note(self.backend.operators(children), better)
        if self.generation % EVERY == 0:
            learning.change()
            self.backend.adapt(**learning.odds())

    def event(self) -> Event:
        """Return what this generation has to tell."""
        best = self.hall.best
        famous = self.hall.by_size
        event: Event = {
            "event": "generation",
            "generation": self.generation,
            "best": {
                "payoff": float(self.hall.payoffs[best]),
                **self._quality(int(famous.hits[best]), famous.total, 1),
                "hits": int(famous.hits[best]),
                "leaves": best,
                "depth": int(famous.depth[best]),
            },
            "mean": {
                "payoff": mean(self.payoffs),
                **self._quality(exact_sum(self.trees.hits, self.trees.total), self.trees.total, len(self.trees)),
                "leaves": int(self.trees.leaves.sum()) / len(self.trees),
            },
            "ledger": ledger_dict(self._last_ledger),
            **({"cut": True} if self.is_cut else {}),
        }
        if self.hall.handles[best] != self._told:
            self._told = self.hall.handles[best]
            event["tree"] = self.draw(int(self._told))
        return event

    def _quality(self, hits: int, total: int, n_trees: int) -> dict[str, float]:
        """Return the mean accuracy of some trees, given the sum of their hits; or their mean cost or loss."""
        name, of_a_miss = self.measure
        if name == "accuracy":
            return {name: hits / (total * n_trees)}
        return {name: (total * n_trees - hits) / n_trees * of_a_miss}

    def _pay(self, trees: Trees) -> np.ndarray:
        return pay(self.plan.payoff, trees, self.plan.schedule.at(self.generation))

    def _remember(self, trees: Trees) -> None:
        """Recompute all payoffs (x moves), let the worst leave, and keep population and hall."""
        plan = self.plan
        if plan.schedule.moves:
            self.hall.rescore(self._pay)
        payoffs = self._pay(trees)
        self._welcome(self.handles, trees, payoffs)
        if plan.succession.all_stay:
            remaining = self._remaining(payoffs)
            self.handles, trees, payoffs = self.handles[remaining], trees.take(remaining), payoffs[remaining]
        self.trees, self.payoffs = trees, payoffs
        self._note_best()
        self.let_go()

    def _remaining(self, payoffs: np.ndarray) -> np.ndarray:
        """Return the places that remain once the children have joined, on every island."""
        plan = self.plan
        n_places = plan.population_size // plan.islands
        hashes = self.backend.tree_hashes(self.handles) if plan.succession.distinct else None
        remaining = []
        for shore in shores(len(payoffs), plan.islands):
            standing = payoffs[shore] if hashes is None else stand_last(payoffs[shore], hashes[shore])
            remaining.append(shore.start + plan.succession.leave(standing, n_places))
        return np.concatenate(remaining)

    def _note_best(self) -> None:
        """Note when the best tree changes; what a leaf may cost goes by it."""
        best = self.hall.best
        is_new = self.hall.handles[best] != self._best
        if is_new:
            self._best = int(self.hall.handles[best])
            self.improved = self.generation
        if not self.plan.priced:
            return
        if is_new or self.plan.schedule.moves:
            tree = self.hall.by_size.take(np.array([best]))
            self._price_by_payoff = leaf_price(self.plan.payoff, self.plan.schedule.at(self.generation), tree)
        price = max(self._price_by_payoff, self._price_of_limit())
        if price != self.price:
            self.price = price
            self.backend.adapt(price=price)

    def _price_of_limit(self) -> float:
        """Return what the limit of leaves makes of a leaf; where that of depth allows for no more, there is none."""
        return 0.0 if is_bounded(self.backend.problem.rules) else price_of_limit(self.hall, self.plan.max_leaf_nodes)


def evolve(
    evolution: Evolution,
    generations: int,
    listeners: list[Listener],
    *,
    tell_first: bool = True,
    out_of_time: Callable[[], bool] = lambda: False,
    interrupted: Callable[[], bool] = lambda: False,
    optimal: Callable[[], bool] = lambda: False,
    n_iter_no_change: int | None = None,
    seconds_left: Callable[[], float] = lambda: math.inf,
) -> str:
    """Run for some generations, telling each; return why the run ended.

    A run that goes on does not tell its first generation again. One whose time was up just now, with nothing bred,
    breeds a generation all the same. With `n_iter_no_change`, it ends once the best tree has not changed for so many
    generations, but not before the payoff's parameters have come to their end. One that has the best tree there is
    goes on while trees of other sizes get better.

    Returns
    -------
    {"generations", "time_limit", "interrupted", "listener", "optimal", "no_change"}
    """
    first, last = evolution.generation, evolution.generation + generations
    schedule = evolution.plan.schedule
    since = max(first, schedule.last) if schedule.moves else first
    clock = _Clock(evolution, _Ahead(evolution, first, last, since, n_iter_no_change, seconds_left))
    if tell_first and _tell(evolution, listeners, clock):
        return "listener"
    if evolution.is_cut:  # what was to be searched before the first generation was given up
        return "interrupted" if interrupted() else "time_limit"
    while evolution.generation < last:
        if interrupted():
            return "interrupted"
        if optimal() and evolution.generation - evolution.enriched >= SETTLED:
            return "optimal"
        if n_iter_no_change is not None and evolution.generation - max(evolution.improved, since) >= n_iter_no_change:
            return "optimal" if optimal() else "no_change"
        if out_of_time() and (evolution.generation > first or is_overdue(evolution)):
            return "time_limit"
        is_done = evolution.step()
        if is_done and _tell(evolution, listeners, clock):
            return "listener"
        if not is_done or evolution.is_cut:
            return "interrupted" if interrupted() else "time_limit"
    return "generations"


def is_overdue(evolution: Evolution) -> bool:
    """Say whether there is no time for anything any more."""
    return evolution.must_end is not None and evolution.must_end()


@dataclass(frozen=True)
class _Ahead:
    """What a run still has before it, at most."""

    evolution: Evolution
    first: int
    last: int  # generation, unless the run ends before
    since: int  # generation from which on generations without a better tree count
    n_iter_no_change: int | None
    seconds_left: Callable[[], float]

    def seconds(self, spent: float) -> float | None:
        """Return the seconds that are left: by the limit, and by generations at their pace so far; None if unknown.

        If nothing better is found, that is: then a number of generations without a better tree ends the run.
        """
        generation, limit = self.evolution.generation, max(self.seconds_left(), 0.0)
        n_left = self.last - generation
        if self.n_iter_no_change is not None:
            n_left = min(n_left, max(self.evolution.improved, self.since) + self.n_iter_no_change - generation)
        n_bred = generation - self.first
        left = min(limit, spent / n_bred * max(n_left, 0)) if n_bred else limit
        return left if left < math.inf else None


class _Clock:
    """Seconds and children since a run began or went on."""

    def __init__(self, evolution: Evolution, ahead: _Ahead) -> None:
        self._evolution = evolution
        self._ahead = ahead
        self._started = time.perf_counter()
        self._before = evolution.n_children

    def event(self) -> Event:
        seconds = time.perf_counter() - self._started
        left = self._ahead.seconds(seconds)
        return {
            "event": "clock",
            "generation": self._evolution.generation,
            "seconds": seconds,
            "children": self._evolution.n_children - self._before,
            **({} if left is None else {"left": left}),
        }


def _tell(evolution: Evolution, listeners: list[Listener], clock: _Clock) -> bool:
    """Tell of a generation, and of the clock apart; return whether someone asks to stop."""
    stop = tell(listeners, evolution.event())
    return tell(listeners, clock.event()) or stop
