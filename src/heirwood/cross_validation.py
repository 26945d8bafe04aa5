"""The runs of a cross-validation: as the run on all rows, but not as long, each without a part of them.

rows     [ fold 0 | fold 1 | ... | fold 4 ]        dealt class by class, from the seed of the run
time     [ fold 0 | fold 1 | ... | fold 4 | the run on all rows, twice a fold's share ]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from heirwood.auto_cost import cost_of_noise, with_rough_cost
from heirwood.caller_stack import warn_user
from heirwood.core.draws import draws, fold, generation_key
from heirwood.data import Rows
from heirwood.data.test_scope import TestScope
from heirwood.events import Listener, tell
from heirwood.evolve import State
from heirwood.export.hall_of_fame import HallOfFame
from heirwood.initial_trees import CART
from heirwood.journal import JournalWriter
from heirwood.leaf_selection import Scores, score_halls
from heirwood.payoff.leaf_cost_parameter import given_cost, wants_cost
from heirwood.probabilities import SMOOTHINGS
from heirwood.run import Order, Run
from heirwood.stopped_error import StoppedError
from heirwood.time_limit import Stop
from heirwood.tree_view import TreeView

N_FOLDS = 5
MANY_ROWS, N_OF_MANY = 4_000, 3  # of so many rows a third is enough to tell sizes apart, and fewer runs take less time
GENERATIONS, PATIENCE = 200, 30  # of a fold at most: by then sizes can be told apart, if not the last row of each
SIZING = 2**63 + 1  # in the place of a generation, for the keys of cross-validation: no run has that many
DEALING = 2**63  # in the place of a fold, for dealing the rows
LAST_PARTS = 2  # of a time limit, for the run on all rows, where each fold has one: it makes the tree
TINY = 1e-9  # seconds: a limit is above zero
ANOTHER = 2.0  # times what a fold takes, that must be left to begin one: the rest is for the run on all rows


class Fold(NamedTuple):
    """Rows to evolve on and rows that are held back, each in the order of the table."""

    train: np.ndarray
    test: np.ndarray


def deal(codes: np.ndarray, n_folds: int, seed: int) -> list[Fold]:
    """Deal rows into folds, class by class, so that each fold has its share of every class.

    Parameters
    ----------
    codes : (n_rows,) int64
        The class of each row.
    n_folds : int
        At most as many as there are rows.
    seed : int
        Of the run; it shuffles the rows of each class.
    """
    key = fold(generation_key(seed, SIZING), DEALING)
    order = np.argsort(draws(key, len(codes)), kind="stable")
    order = order[np.argsort(codes[order], kind="stable")]
    numbers = np.empty(len(codes), np.int64)
    numbers[order] = np.arange(len(codes)) % n_folds
    return [Fold(np.flatnonzero(numbers != k), np.flatnonzero(numbers == k)) for k in range(n_folds)]


def seed_of_fold(seed: int, number: int) -> int:
    """Return the seed of the run without fold `number`."""
    return fold(generation_key(seed, SIZING), number)


@dataclass(frozen=True)
class CrossValidation:
    """What the runs without a fold each came to.

    Attributes
    ----------
    scores : Scores or None
        None where it was interrupted, the time allowed for less than two folds, or there are no two rows.
    trees : sequence of TreeView
        Of the halls of all folds that were finished, the tree in use of each hall first; of the one that was
        interrupted, if it was the first.
    scope : TestScope, optional
        Which tests there was time for in the first fold: the others, and the run on all rows, have the same, so that
        sizes are compared by trees of the same tests.
    cost : float, optional
        What a leaf costs, where folds say so.
    """

    scores: Scores | None = None
    trees: Sequence[TreeView] = ()
    scope: TestScope | None = None
    cost: float | None = None


def cross_validate(
    order: Order,
    rows: Rows,
    seed: int,
    state: State | None,
    listeners: Sequence[Listener],
    stop: Stop,
) -> CrossValidation:
    """Score the sizes of a run that is to come, by runs like it on parts of its rows.

    Listeners hear when a fold begins, but for the journal, which is the story of one run.

    Parameters
    ----------
    order : Order
        What is asked of the run. Where nobody said what a leaf costs, the rows that are held back do.
    rows : Rows
    seed : int
    state : State or None
        What it goes on from.
    listeners : sequence of listeners
    stop : Stop
    """
    n_folds = min(N_OF_MANY if len(rows) >= MANY_ROWS else N_FOLDS, len(rows))
    if n_folds < 2:
        warn_user("a single row cannot be cross-validated: the size is chosen by payoff")
        return CrossValidation()
    _warn_of_rare_classes(rows, n_folds)
    folds = deal(rows.target.codes, n_folds, seed)
    told = [listener for listener in listeners if not isinstance(listener, JournalWriter)]
    runs = _FoldRuns(order, rows, seed, state, told, stop)
    halls = list(runs.halls(folds))
    trees = _in_use_first(halls or runs.unfinished)
    if stop.interrupt():
        return CrossValidation(trees=trees, scope=runs.scope)
    if len(halls) < 2:
        warn_user("the time limit allows for no cross-validation: the size is chosen by payoff; give it more time")
        return CrossValidation(trees=trees, scope=runs.scope)
    if len(halls) < n_folds:
        warn_user(f"the time limit allowed for {len(halls)} of {n_folds} folds; give it more time for all of them")
    held_out = _HeldOut(rows, folds[: len(halls)])
    scores = score_halls(halls, held_out, SMOOTHINGS if order.smoothing is None else (order.smoothing,))
    given = given_cost(order.payoff)
    if given is not None:
        return CrossValidation(scores.at_cost(given, is_given=True), trees, runs.scope, given)
    cost, due = (cost_of_noise(scores.noise, order.payoff, rows.n_counted, by_folds=each) for each in (False, True))
    return CrossValidation(scores.at_cost(due, is_given=False), trees, runs.scope, cost)


class _HeldOut(Sequence[Rows]):
    """The rows that are held back from each fold, copied when they are asked for: together they are a second table."""

    def __init__(self, rows: Rows, folds: Sequence[Fold]) -> None:
        self._rows, self._folds = rows, folds

    def __len__(self) -> int:
        return len(self._folds)

    def __getitem__(self, number: Any) -> Any:
        return self._rows.take(self._folds[number].test)


def _in_use_first(halls: Sequence[HallOfFame]) -> tuple[TreeView, ...]:
    """Return every tree of some halls once, those in use before the others."""
    chosen = [hall[hall.chosen].tree for hall in halls]
    seen: dict[tuple[object, ...], TreeView] = {}
    for tree in (*chosen, *(entry.tree for hall in halls for entry in hall)):
        seen.setdefault(tuple((node.question, node.label if node.is_leaf else None) for node in tree.nodes), tree)
    return tuple(seen.values())


class _FoldRuns:
    """Runs on all rows but those of one fold, one after the other."""

    def __init__(
        self, order: Order, rows: Rows, seed: int, state: State | None, listeners: Sequence[Listener], stop: Stop
    ) -> None:
        # Trees of the user's own may have been grown on rows that are held back; what CART grows, it grows anew.
        initial_trees = tuple(each for each in order.initial_trees if isinstance(each, str) and each == CART)
        bred = 0 if state is None else state.generation
        moves = any(isinstance(value, (tuple, list)) for value in order.payoff.parameters.values())
        generations = order.generations if moves else min(order.generations, GENERATIONS)
        patience = None if order.n_iter_no_change is None else min(order.n_iter_no_change, PATIENCE)
        self._order = replace(
            order, generations=bred + generations, n_iter_no_change=patience, initial_trees=initial_trees
        )
        self._bounds = order.bounds(state)
        self._rows, self._seed, self._listeners, self._stop = rows, seed, listeners, stop
        self.unfinished: list[HallOfFame] = []  # of a run that was interrupted, if it was the first
        self.scope: TestScope | None = None

    def halls(self, folds: Sequence[Fold]) -> Iterator[HallOfFame]:
        """Yield the hall of each run, while there is time for another one.

        Of a time limit every fold has an equal part of what is left.
        """
        clock, interrupt = self._stop.clock, self._stop.interrupt
        preparing = longest = clock.elapsed()  # until the first fold is prepared, what it took to read the rows
        for number, (train, _) in enumerate(folds):
            began, n_parts = clock.elapsed(), len(folds) + LAST_PARTS - number
            if interrupt() or clock.left() < max(longest * ANOTHER, preparing * n_parts):
                return
            tell(self._listeners, {"event": "fold", "fold": number, "folds": len(folds)})
            part = clock.part(n_parts)
            limit = None if part.limit == math.inf else max(part.limit, TINY)
            order, rows = replace(self._order, time_limit=limit), self._rows.take(train)
            if wants_cost(order.payoff):
                order = with_rough_cost(order, rows.n_counted)
            try:
                run = Run(
                    order,
                    rows,
                    seed_of_fold(self._seed, number),
                    bounds=self._bounds,
                    stop=Stop(part, interrupt),
                    scope=self.scope,
                )
            except StoppedError:
                return
            self.scope = self.scope or run.bank.scope
            preparing = max(preparing, part.elapsed())
            run.bound.give_up()  # what counts is how the trees do on the rows that are held back
            reason = run.go(self._watching(number, len(folds)))
            if reason == "interrupted":
                self.unfinished += [] if number else [run.hall()]
                return
            if reason == "time_limit" and run.evolution.generation == 0:
                return  # nothing was bred: such trees say little of those that would be
            hall = run.hall()
            del run, rows  # a bank may be most of the memory, and the next one is made while this one is asked for
            yield hall
            longest = max(longest, clock.elapsed() - began)

    def _watching(self, number: int, n_folds: int) -> list[Listener]:
        """Return who shows how a fold's run is doing."""
        shows = [getattr(listener, "watch_fold", None) for listener in self._listeners]
        return [partial(show, number, n_folds) for show in shows if show is not None]


def _warn_of_rare_classes(rows: Rows, n_folds: int) -> None:
    counts = np.bincount(rows.target.codes, minlength=rows.target.n_classes)
    rare = np.flatnonzero((counts > 0) & (counts < n_folds))
    if len(rare):
        name, n = rows.classes.tolist()[rare[0]], counts[rare[0]]
        warn_user(
            f"the class {name!r} has {n} of {len(rows)} rows, fewer than the {n_folds} folds that choose the size: "
            "some folds know little of it, or nothing",
        )
