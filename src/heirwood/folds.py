"""The runs of a cross-validation: the same as the run on all rows, each without a part of them.

rows     [ fold 0 | fold 1 | ... | fold 4 ]        dealt class by class, from the seed of the run
time     [ fold 0 | fold 1 | ... | fold 4 | the run on all rows, twice a fold's share ]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from heirwood.clock import Clock
from heirwood.core.draws import draws, fold, generation_key
from heirwood.data import Rows
from heirwood.events import Listener, tell
from heirwood.export.hall import HallOfFame
from heirwood.frames import warn_user
from heirwood.journal import JournalWriter
from heirwood.runs import Order, Run
from heirwood.seeds import CART
from heirwood.sizing import Scores, score_halls
from heirwood.view import TreeView

N_FOLDS = 5
SIZING = 2**63 + 1  # in the place of a generation, for the keys of cross-validation: no run has that many
DEALING = 2**63  # in the place of a fold, for dealing the rows
LAST_PARTS = 2  # of a time limit, for the run on all rows, where each fold has one: it makes the tree
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


def cross_validate(
    run: Run, listeners: Sequence[Listener], clock: Clock, interrupted: Callable[[], bool], cost: float | None = None
) -> tuple[Run, Scores | None]:
    """Score the sizes of a run that is about to breed, by runs like it on parts of its rows.

    Listeners hear when a fold begins, but for the journal, which is the story of one run. A cost is what a leaf must
    gain (`score_halls`).

    Returns
    -------
    run : Run
        The run itself; or, where cross-validation came to nothing, one that begins with the trees found so far.
    scores : Scores or None
        None where it was interrupted, the time allowed for less than two folds, or there are no two rows.
    """
    rows = run.rows
    n_folds = min(N_FOLDS, len(rows))
    if n_folds < 2:
        warn_user("a single row cannot be cross-validated: the size is chosen by payoff")
        return run, None
    _warn_of_rare_classes(rows, n_folds)
    folds = deal(rows.target.codes, n_folds, run.evolution.seed)
    told = [listener for listener in listeners if not isinstance(listener, JournalWriter)]
    halls = list(_halls_of(run, folds, told, clock, interrupted))
    if interrupted():
        return _with_trees(run, halls), None
    if len(halls) < 2:
        warn_user("the time limit allows for no cross-validation: the size is chosen by payoff; give it more time")
        return _with_trees(run, halls) if halls and clock.is_up() else run, None
    if len(halls) < n_folds:
        warn_user(f"the time limit allowed for {len(halls)} of {n_folds} folds; give it more time for all of them")
    return run, score_halls(halls, [rows.take(held) for _, held in folds[: len(halls)]], cost)


def _halls_of(
    run: Run, folds: Sequence[Fold], listeners: Sequence[Listener], clock: Clock, interrupted: Callable[[], bool]
) -> Iterator[HallOfFame]:
    """Yield the hall of each fold, while there is time for another one.

    Of a time limit every fold has an equal part of what is left.
    """
    alike = _order_of_folds(run, len(folds))
    preparing = longest = clock.elapsed()  # a fold has to be prepared as the run was
    for number, (train, _) in enumerate(folds):
        began, n_parts = clock.elapsed(), len(folds) + LAST_PARTS - number
        if clock.left() < max(longest * ANOTHER, preparing * n_parts):
            return
        tell(listeners, {"event": "fold", "fold": number, "folds": len(folds)})
        is_over = clock.part(n_parts)
        part = Run(alike, run.rows.take(train), seed_of_fold(run.evolution.seed, number), bounds=run.bounds)
        part.bound.give_up()  # what counts is how the trees do on the rows that are held back
        reason = part.go([], is_over, interrupted)
        if reason == "time_limit" and part.evolution.generation == 0:
            return  # nothing was bred: such trees say little of those that would be
        yield part.hall()
        if interrupted():
            return
        longest = max(longest, clock.elapsed() - began)


def _order_of_folds(run: Run, n_folds: int) -> Order:
    """Return what is asked of the run of a fold: the same, with its share of the time.

    Trees of the user's own may have been grown on rows that are held back; what CART grows, it grows anew.
    """
    order = run.order
    return replace(
        order,
        generations=run.evolution.generation + order.generations,  # a run that goes on has bred some before
        time_limit=None if order.time_limit is None else order.time_limit / (n_folds + LAST_PARTS),
        seeds=tuple(seed for seed in order.seeds if isinstance(seed, str) and seed == CART),
    )


def _with_trees(run: Run, halls: Sequence[HallOfFame]) -> Run:
    """Return a run on all rows that begins with trees of the folds; one that goes on has trees of its own."""
    if run.state is not None:
        return run
    order = replace(run.order, seeds=(*run.order.seeds, *_trees(halls)))
    return Run(order, run.rows, run.evolution.seed)


def _trees(halls: Sequence[HallOfFame]) -> Iterator[TreeView]:
    return (entry.tree for hall in halls for entry in hall)


def _warn_of_rare_classes(rows: Rows, n_folds: int) -> None:
    counts = np.bincount(rows.target.codes, minlength=rows.target.n_classes)
    rare = np.flatnonzero((counts > 0) & (counts < n_folds))
    if len(rare):
        name, n = rows.classes.tolist()[rare[0]], counts[rare[0]]
        warn_user(
            f"the class {name!r} has {n} of {len(rows)} rows, fewer than the {n_folds} folds that choose the size: "
            "some folds know little of it, or nothing",
        )
