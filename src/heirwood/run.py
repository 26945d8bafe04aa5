"""One run: what is asked of it, its preparation on some rows, and what is left of it."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from heirwood.backends import BACKENDS, Backend, can_pair, is_informed
from heirwood.core.rules import Rules
from heirwood.data import Rows, TestBank, make_bank
from heirwood.data.cut_slots import coarse_columns, make_cut_slots
from heirwood.data.test_bank import answer_plan
from heirwood.data.test_scope import TestScope
from heirwood.events import Event, Listener, tell
from heirwood.evolve import Evolution, Plan, Schedule, State, evolve
from heirwood.evolve.exactly import Exactly, search_exactly
from heirwood.evolve.fill import fill_first, fill_sizes
from heirwood.evolve.history import history_columns, savings
from heirwood.evolve.narrow import make_narrow_scout
from heirwood.evolve.planning import (
    as_payoff,
    check_encoding,
    check_engine,
    check_labels,
    check_measure,
    describe_payoff,
    find_seed,
    make_plan,
    make_problem,
    make_rules,
    n_places,
    n_threads,
    one_of,
    positive,
    whole,
    without_sharpening,
)
from heirwood.evolve.scout import is_bounded, make_scout
from heirwood.evolve.tidy import improving, kept_trees
from heirwood.evolve.views import Weigher, drawn
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.initial_trees import check_initial_trees, find_initial_trees
from heirwood.interrupt import Interrupt
from heirwood.journal import VERSION
from heirwood.payoff import LOSSES, PRICED, is_one_of, pay
from heirwood.payoff.leaf_cost import cost_in
from heirwood.payoff.leaf_cost_parameter import with_cost
from heirwood.probabilities import check_smoothing
from heirwood.run_bound import Bound
from heirwood.settings import SETTINGS, Breeding, Encoding, Engine, Monitoring, Payoff, Search, Selection, Succession
from heirwood.stopped_error import StoppedError
from heirwood.terminal_text import brief
from heirwood.time_limit import LARGE, Clock, Stop

SECONDS_A_NODE = 8e-6  # of the hall, that it takes to be made ready for readers when a run ends,
SECONDS_A_NODE_BY_SHARES = 2.5e-5  # where leaves answer with shares,
MOST_FOR_ENDING = 0.5  # of a limit at most
PARTS_TO_FILL = 4  # of the time left the greedy trees have one, before the first generation
SIZE_SELECTIONS = ("payoff", "cv", "cv_1se", "cv_best")  # how the number of leaves is chosen


@dataclass(frozen=True)
class Order:
    """What is asked of a run: the parameters of an estimator, checked, and its settings, filled in."""

    population_size: int
    generations: int
    n_iter_no_change: int | None
    payoff: Payoff
    max_leaf_nodes: int | None
    max_depth: int | None
    min_samples_leaf: int
    time_limit: float | None
    n_threads: int
    breeding: Breeding
    selection: Selection
    succession: Succession
    encoding: Encoding
    search: Search
    engine: Engine
    monitoring: Monitoring
    initial_trees: Sequence[Any] = ()
    size_selection: str = "payoff"
    smoothing: float | None = 0.0

    @classmethod
    def of(cls, estimator: Any) -> Order:
        """Return what an estimator asks for; refuse what cannot be run, before a table is read and its bank built."""
        limit = estimator.time_limit
        order = cls(
            population_size=estimator.population_size,
            generations=whole("generations", estimator.generations, 0),
            n_iter_no_change=None
            if estimator.n_iter_no_change is None
            else whole("n_iter_no_change", estimator.n_iter_no_change, 1),
            payoff=with_cost(as_payoff(estimator.payoff), estimator.leaf_cost),
            max_leaf_nodes=estimator.max_leaf_nodes,
            max_depth=estimator.max_depth,
            min_samples_leaf=estimator.min_samples_leaf,
            time_limit=None if limit is None else positive("time_limit", limit),
            n_threads=n_threads(estimator.n_jobs),
            initial_trees=check_initial_trees(estimator.initial_trees),
            size_selection=one_of("size_selection", estimator.size_selection, SIZE_SELECTIONS),
            smoothing=check_smoothing(estimator.smoothing),
            **{name: setting(estimator, name) for name in SETTINGS if name != "payoff"},
        )
        if estimator.succession is None and not _fills_islands(order.population_size, order.succession.islands):
            order = replace(order, succession=Succession(islands=1))
        check_labels(order.breeding, costly=estimator.cost_matrix is not None)
        check_measure(order.payoff, order.breeding, costly=estimator.cost_matrix is not None)
        check_encoding(order.encoding)
        order.plan(order.rules(None, 1), (0, order.generations))
        check_engine(order.engine)
        if isinstance(estimator.random_state, numbers.Integral):
            find_seed(estimator.random_state)
        if not isinstance(estimator.verbose, numbers.Integral):
            raise ValueError(f"verbose={brief(estimator.verbose)} is not valid; expected 0 or 1")
        return order

    def rules(self, bank: TestBank | None, n_classes: int) -> Rules:
        """Return the rules of breeding; without a bank, less the tests."""
        limits = self.max_leaf_nodes, self.max_depth, self.min_samples_leaf
        return make_rules(bank, n_classes, self.breeding, *limits, by_labels=self.by_labels)

    @property
    def by_labels(self) -> bool:
        """Whether leaves are worth what their labels get right, and not what their shares say."""
        return not is_one_of(self.payoff.name, LOSSES)

    def plan(self, rules: Rules, bounds: tuple[int, int]) -> Plan:
        """Return the plan of a run whose payoff parameters move between two generations."""
        return make_plan(
            self.population_size,
            self.payoff,
            bounds,
            self.selection,
            self.succession,
            rules.max_leaf_nodes,
            self.breeding,
        )

    def leaf_cost_at(self, generation: int, bounds: tuple[int, int] | None = None) -> float | None:
        """Return what a leaf costs in some generation, as a share of all weight; None with other payoffs."""
        if not is_one_of(self.payoff.name, PRICED):
            return None
        schedule = Schedule(self.payoff.parameters, *(bounds or (0, self.generations)))
        return float(cost_in(schedule.at(generation)))

    def bounds(self, state: State | None) -> tuple[int, int]:
        """Return where payoff parameters start and stop moving: as at the first fit, unless given anew."""
        if state is None:
            return 0, self.generations
        if self.payoff == state.payoff:
            return state.bounds
        return state.generation, state.generation + self.generations


def _fills_islands(population_size: Any, islands: int) -> bool:
    """Say whether a population can be shared out; of one that is no number at all, others will say what is wrong."""
    return not isinstance(population_size, int | np.integer) or (
        population_size % islands == 0 and bool(population_size >= 2 * islands)
    )


def setting(estimator: Any, name: str) -> Any:
    """Return a setting of an estimator, or its defaults."""
    value = getattr(estimator, name)
    kind = SETTINGS[name]
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise TypeError(
            f"{name}={brief(value)} is not valid; expected None or settings made by heirwood.{kind.__name__}()"
        )
    return value


def _must_end(flag: np.ndarray, stop: Stop) -> bool:
    """Say whether what is being done is to be given up: kernels are told so, or should be."""
    return bool(flag[0]) or stop.is_overdue()


class Run:
    """A run on some rows, planted or taken up again, that is about to breed.

    Parameters
    ----------
    order : Order
    rows : Rows
    seed : int
    state : State, optional
        What an earlier run left; this one goes on from there.
    bounds : (int, int), optional
        Generations between which payoff parameters move, where others than those of the order.
    stop : Stop, optional
        Says when it is to end.
    scope : TestScope, optional
        Which tests are made, where that is decided: those that an earlier fold had time for.
    fills : bool
        Whether it sees to trees of sizes that pay less, before the first generation and in the end.

    Raises
    ------
    StoppedError
        If it has to end before it is prepared.
    """

    def __init__(
        self,
        order: Order,
        rows: Rows,
        seed: int,
        state: State | None = None,
        bounds: tuple[int, int] | None = None,
        stop: Stop | None = None,
        scope: TestScope | None = None,
        fills: bool = True,
    ) -> None:
        self.order, self.rows, self.state = order, rows, state
        self.left: State | None = None  # once it has ended: what another can go on with
        self.stop = Stop(Clock(None), Interrupt()) if stop is None else stop
        self.costs = None if rows.target.costs is None else rows.target.costs.matrix
        began = self.stop.clock.elapsed()
        self.bank = self._make_bank(scope)
        self._check_room(self.stop.clock.elapsed() - began)
        self.bounds = order.bounds(state) if bounds is None else bounds
        rules = order.rules(self.bank, rows.target.n_classes)
        seeds = self._seeds(rules) if state is None else []
        if state is not None:
            self.bank = state.asked_of(self.bank, rows.table)
        if state is not None and not state.fits(self.bank, rows.classes, order.population_size, rules):
            raise ValueError(
                "warm_start goes on with the trees of the last fit, but their questions, classes, number or size "
                "no longer fit; give the same columns, population_size, max_leaf_nodes and max_depth, or set "
                "warm_start=False"
            )
        self._make_cut_slots(state)
        self._check()
        rules = self.order.rules(self.bank, rows.target.n_classes)
        self.evolution = self._evolution(rules, seed)
        # Of the run itself it must know nothing, or threads of the backend would outlive it until garbage is collected.
        self.evolution.must_end = partial(_must_end, self.evolution.backend.problem.stop, self.stop)
        self._check()
        self._send_scouts(rules)
        self.fills = fills and self.evolution.scout is not None
        if state is None:
            self.evolution.begin(seeds)
            if self.fills and self.bank.scope is None:  # with no time for all tests, there is none for this
                clock, interrupt = self.stop.clock.part(PARTS_TO_FILL), self.stop.interrupt
                fill_first(self.evolution, lambda: clock.is_up() or interrupt.is_overdue)
        else:
            state.restore(self.evolution, rules)
        self.evolution.exactly = self._search_exactly()
        nominal = np.array([column.kind == "nominal" for column in self.bank.schema.columns], bool)
        self.bound = Bound(self.evolution, rows, nominal, order.payoff.name)

    def _make_bank(self, scope: TestScope | None) -> TestBank:
        order, stop = self.order, self.stop
        encoding = check_encoding(order.encoding)
        given: dict[str, Any] = {
            "memory_budget": encoding["memory_budget"],
            "room": n_places(order.encoding, order.breeding),
            "binned": is_informed(order.rules(None, 1)),
            "must_end": stop.is_overdue,
        }
        if self.state is not None and self.state.scope is not None:  # the last run had no time for all tests
            return answer_plan(self.state.plan(), self.rows.table, scope=self.state.scope, **given)
        left = stop.clock.left_of_half if stop.clock.limit < np.inf else None
        return make_bank(
            self.rows.table, cuts=encoding["cuts"], max_cuts=encoding["max_cuts"], left=left, scope=scope, **given
        )

    def _check(self) -> None:
        """Give up where nobody waits any more."""
        if self.stop.is_overdue():
            raise StoppedError

    def _check_room(self, seconds_of_bank: float) -> None:
        """Give up where a large table leaves no time to prepare a run: that takes half as long as its tests, or more.

        Late by as much, a run would have nothing but the trees that there are without it.
        """
        if len(self.rows) >= LARGE and self.stop.clock.left() < seconds_of_bank / 2:
            raise StoppedError

    def _seeds(self, rules: Rules) -> list[np.ndarray]:
        """Return the genes of the seeds; their questions join the bank."""
        order = self.order
        if not order.initial_trees:
            return []
        plan = order.plan(rules, self.bounds)
        clock, interrupt = self.stop.clock.part(2), self.stop.interrupt  # half of the time left is for breeding
        self.bank, genes = find_initial_trees(
            order.initial_trees,
            self.rows,
            self.bank,
            rules,
            majority=order.breeding.labels == "majority",
            memory_budget=order.encoding.memory_budget,
            most=plan.population_size,
            judge=lambda trees: pay(plan.payoff, trees, plan.schedule.at(0)),
            seconds_left=self.stop.clock.left(),
            must_end=lambda: clock.is_up() or interrupt.is_overdue,
        )
        return genes

    def _make_cut_slots(self, state: State | None) -> None:
        """Let exact cuts join the bank, where an operator asks for them; those of an earlier run are there again."""
        at_least = 0 if state is None else state.n_places
        if at_least or len(self.bank.bits) > self.bank.n_tests:
            self.bank = make_cut_slots(self.bank, self.rows.table, at_least=at_least)
        if state is not None:
            state.seat(self.bank, self.rows.table)
        if self.bank.exact is None:
            self.order = replace(self.order, breeding=without_sharpening(self.order.breeding))

    def _evolution(self, rules: Rules, seed: int) -> Evolution:
        order, bank = self.order, self.bank
        plan = order.plan(rules, self.bounds)
        problem = make_problem(
            bank,
            self.rows.table.values,
            self.rows.target,
            rules,
            plan,
            order.breeding,
            order.engine,
            order.n_threads,
        )
        backend: Backend = BACKENDS[order.engine.backend](problem)
        names = tuple(self.rows.classes.tolist())

        def draw(handle: int) -> Any:
            return drawn(*backend.genes(handle), bank, names)

        return Evolution(backend, plan, seed, draw, self.rows.target.measure)

    def _search_exactly(self) -> Exactly | None:
        """Return the exact searches that go with the run, where the whole hall is not what is wanted."""
        order, schedule = self.order, self.evolution.plan.schedule
        labelled = order.breeding.labels == "majority"
        if not (order.search.optimum and order.size_selection == "payoff" and labelled) or schedule.moves:
            return None
        is_fine = order.encoding.cuts == "midpoints" and not self._is_coarse()
        parameters = schedule.at(self.evolution.generation)
        name = order.payoff.name
        plan = self.evolution.plan
        return search_exactly(
            self.evolution.backend,
            self.bank,
            self.rows.target,
            name,
            parameters,
            is_fine=is_fine,
            n_children=plan.succession.n_children * plan.islands,
            is_scouted=self.evolution.narrow_scout is not None,
            # A run on all tests is the beginning of the run without a limit, whatever is left of it.
            seconds_left=np.inf if self.bank.scope is None else self.stop.clock.left(),
        )

    def _is_coarse(self) -> bool:
        """Say whether some column has more midpoints than cuts; a bank with room for exact ones knows it."""
        exact = self.bank.exact
        return len(coarse_columns(self.bank) if exact is None else exact.columns) > 0

    def _send_scouts(self, rules: Rules) -> None:
        """Let others build trees beside the run, where leaves take the best label and operators look at rows."""
        order, evolution = self.order, self.evolution
        backend, plan = evolution.backend, evolution.plan
        labelled = order.breeding.labels == "majority"
        if not (order.search.lookahead and labelled and plan.priced and is_informed(backend.problem.rules)):
            return
        n_children = plan.succession.n_children * plan.islands
        # Where the depth ends what grows, the lowest levels can be the best there are.
        pairs = backend.pairs() if is_bounded(rules) and can_pair(backend.problem) else None
        looking = backend.lookahead()
        evolution.scout = make_scout(looking, self.bank, rules, n_children, evolution.seed, pairs)
        evolution.narrow_scout = make_narrow_scout(backend, n_children, evolution.seed)

    def find_bound(self) -> None:
        """Find what no tree exceeds, if the payoff has such a bound, after a first search for a tree that has it.

        With no time for all tests there is none for such a search either: what there is is for breeding.
        """
        interrupt = self.stop.interrupt
        if self.bound.exists and self.bank.scope is None and not interrupt():
            with self._ringing():
                self.evolution.seek(scouting=self.state is None)  # one taken up again goes on after a generation
        self.bound.find()

    def _ringing(self) -> AbstractContextManager[None]:
        is_slow = self.order.engine.backend == "slow"  # there one step of a search may take seconds on any table
        return self.stop.ringing(self.evolution.backend.problem.stop, np.inf if is_slow else len(self.rows))

    def go(self, listeners: list[Listener]) -> str:
        """Breed, telling everyone who listens; return why the run ended."""
        with self._ringing():
            return self._go(listeners)

    def _go(self, listeners: list[Listener]) -> str:
        clock, interrupted = self.stop.clock, self.stop.interrupt

        each = SECONDS_A_NODE if self.order.by_labels else SECONDS_A_NODE_BY_SHARES

        def out_of_time() -> bool:
            return clock.left() < min(each * self.evolution.hall.n_nodes, MOST_FOR_ENDING * clock.limit)

        tell(listeners, self._start_event())
        reason = evolve(
            self.evolution,
            self.order.generations,
            listeners,
            tell_first=self.state is None,
            out_of_time=out_of_time,
            interrupted=interrupted,
            optimal=lambda: self._is_optimal(listeners),
            n_iter_no_change=self.order.n_iter_no_change,
            seconds_left=clock.left,
        )
        if reason not in ("time_limit", "interrupted") and not out_of_time():
            self.left = self._state()  # a run that goes on does so as if it had not ended
            if self.fills:
                fill_sizes(self.evolution)
            self.bound.find_thoroughly()
            self.bound.tell(listeners)
        tell(listeners, {"event": "end", "reason": reason, "generation": self.evolution.generation})
        return reason

    def _is_optimal(self, listeners: list[Listener]) -> bool:
        """Say whether no tree is better than the best one, nor as good with fewer leaves, and another is not wanted."""
        self.bound.look_again(listeners)
        return self.order.size_selection == "payoff" and self.bound.is_reached()

    @property
    def _leaf_cost(self) -> float | None:
        """What a leaf costs in this generation, as a share of all weight; None with other payoffs."""
        return self.order.leaf_cost_at(self.evolution.generation, self.bounds)

    def _start_event(self) -> Event:
        return {
            "event": "start",
            "journal": VERSION,
            "seed": self.evolution.seed,
            "rows": self.bank.n_rows,
            "columns": len(self.bank.schema),
            "tests": self.bank.n_tests,
            "classes": [str(value) for value in self.rows.classes.tolist()],
            "population": int(self.order.population_size),
            "generations": self.order.generations,
            "payoff": describe_payoff(self.order.payoff),
            **({} if self.costs is None else {"costs": self.costs.tolist()}),
            **self.bound.start(),
        }

    # ---- what is left of it ----

    def hall(self) -> HallOfFame:
        """Return the hall of fame as it is now, the tree with the best payoff in use."""
        weigher = Weigher(self.bank, self.rows.target, tuple(self.rows.classes.tolist()))
        # Labels that are bred make the paper's trees: they are shown as they are.
        tidily = self.order.breeding.labels == "majority"
        kept = kept_trees(self.evolution, tidily=tidily, idle=None if self.rows.target.loss is None else weigher.idle)
        if tidily and isinstance(self.order.payoff.name, str):  # what is good about others, a payoff of one's own says
            kept = improving(kept)
        ceilings = self.bound.ceilings()
        entries = []
        for tree in kept:
            view = weigher.view(tree.genes)
            gap = None if ceilings is None else max(0.0, float(ceilings[tree.leaves - 1]) - tree.payoff)
            cost = None if self.costs is None else view.mean_cost(self.costs.tolist())
            loss = self.rows.target.loss
            entry = HallEntry(tree.leaves, view.depth, view.accuracy, tree.payoff, view, gap=gap, cost=cost)
            entries.append(entry if loss is None else replace(entry, **{loss: getattr(view, loss)()}))
        return HallOfFame(entries, int(np.argmax([tree.payoff for tree in kept])))

    def attributes(
        self, told: list[Event], before: dict[str, np.ndarray] | None, reason: str | None = None
    ) -> dict[str, Any]:
        """Return the fitted attributes, as if the run ended now.

        Parameters
        ----------
        told : list of events
            The generations that this run told.
        before : dict of str to array, optional
            The history of the run that this one goes on from.
        reason : str, optional
            Why the run ended.
        """
        evolution = self.evolution
        return {
            "classes_": self.rows.classes,
            "schema_": self.bank.schema,
            "seed_": evolution.seed,
            "hall_": self.hall(),
            "n_generations_": evolution.generation,
            "stop_reason_": reason,
            "savings_": savings(evolution.ledger),
            "leaf_cost_": self._leaf_cost,
            "history_": history_columns(told, before),
            "seconds_": dict(evolution.seconds),
            "_state": self._state() if self.left is None else self.left,
        }

    def _state(self) -> State:
        return State.of(self.evolution, self.bank, self.rows.classes, self.order.payoff, self.bounds)
