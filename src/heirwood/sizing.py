"""The number of leaves by cross-validation: whole halls of fame, judged on rows that they have not seen.

rows     [ fold 0 | fold 1 | ... | fold 4 ]        dealt class by class, from the seed of the run
fold k   a run on all rows but those of fold k  ->  its hall, each size scored on fold k
size     the most rows held back that are right, where each further leaf must add some: what it costs, if that was
         given; with one standard error, the fewest leaves whose mean accuracy is not worse than the best by more
tree     of a run on all rows: the best on its own rows with at most as many leaves
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from heirwood.answers import find_leaves
from heirwood.core.draws import draws, fold, generation_key
from heirwood.data import Rows
from heirwood.events import Listener, tell
from heirwood.export.hall import HallEntry, HallOfFame
from heirwood.frames import warn_user
from heirwood.journal import JournalWriter
from heirwood.payoff.leaf_cost import cost_in
from heirwood.runs import Order, Run
from heirwood.seeds import CART
from heirwood.settings import Payoff
from heirwood.view import TreeView

N_FOLDS = 5
SIZING = 2**63 + 1  # in the place of a generation, for the keys of cross-validation: no run has that many
DEALING = 2**63  # in the place of a fold, for dealing the rows
PER_ERROR = 3  # leaves that a standard error of the hits on rows held back is worth
MANY_ROWS = 800  # of which that holds; with fewer, it is worth more of them
ROWS_PER_LEAF = 2  # that a leaf must get right more, as a guide of the search
LEAST_COST = 0.001  # of a leaf, as a guide: below it, runs take longer and find no better trees


def guiding_payoff(payoff: Payoff, size: str, n_rows: int) -> Payoff:
    """Return the payoff that guides a run; a cost per leaf that nobody gave goes by the rows, where folds choose.

    It says which sizes a run works on most. It should not ask much more of a leaf than the folds do (`due_of`), or the
    sizes that they would choose are by-products. Two rows are about that where most rows are right.
    """
    if size == "payoff" or payoff.name != "leaf_cost" or "cost" in payoff.parameters:
        return payoff
    cost = max(LEAST_COST, min(cost_in({}), ROWS_PER_LEAF / n_rows))
    return Payoff("leaf_cost", cost=float(f"{cost:.2g}"))  # two digits, to be read


def given_cost(payoff: Payoff) -> float | None:
    """Return the cost per leaf that somebody gave, of a pair the end, wherever the run stops; None if nobody did."""
    if payoff.name != "leaf_cost" or "cost" not in payoff.parameters:
        return None
    cost = payoff.parameters["cost"]
    end = float(cost[-1] if isinstance(cost, (tuple, list)) else cost)
    return min(max(end, 0.0), 2.0)  # no leaf gains more than all rows


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
class Scores:
    """What the trees of each size get right on rows that were held back.

    Attributes
    ----------
    smallest : int
        The fewest leaves that every fold has a tree of.
    hits : (n_folds, n_sizes) int64
        Weight that is right, by fold and by leaves from `smallest` on, of the tree with at most so many leaves that
        is best on its own rows. With costs, what mistakes cost, below zero: then accuracies are costs below zero, too.
    totals : (n_folds,) int64
        Weight that was held back.
    due : Fraction
        What every further leaf must add to the hits of all folds: its cost, or see `due_of`.
    unit : float or None
        With costs: what one step of cost is worth.
    """

    smallest: int
    hits: np.ndarray
    totals: np.ndarray
    due: Fraction = Fraction()
    unit: float | None = None

    @property
    def accuracies(self) -> np.ndarray:
        """Accuracy by fold and by leaves."""
        return self.hits / self.totals[:, None]

    def means(self) -> list[Fraction]:
        """Return the mean accuracy of each size: exactly, so that equal sizes are equal."""
        n_folds = len(self.totals)
        totals = [int(total) for total in self.totals]
        return [
            sum((Fraction(int(hits), total) for hits, total in zip(column, totals, strict=True)), Fraction()) / n_folds
            for column in self.hits.T
        ]

    def errors(self) -> np.ndarray:
        """Return the standard error of each mean."""
        return self.accuracies.std(axis=0, ddof=1) / math.sqrt(len(self.totals))

    def best(self, one_standard_error: bool = False) -> int:
        """Return the number of leaves with the most hits, where every further leaf adds what is due, or more.

        With one standard error: the fewest leaves whose mean is within one of the best mean.
        """
        if one_standard_error:
            means = self.means()
            best = means.index(max(means))
            enough = float(means[best]) - float(self.errors()[best])
            return self.smallest + next(place for place, mean in enumerate(means) if float(mean) >= enough)
        hits = self.hits.sum(axis=0).tolist()
        worth = [(found - place * self.due, found) for place, found in enumerate(hits)]
        return self.smallest + worth.index(max(worth))

    def applied(self, hall: HallOfFame, one_standard_error: bool) -> HallOfFame:
        """Return a hall that shows these scores, with the tree of the best size in use."""
        means, errors = self.means(), self.errors()
        entries = []
        for entry in hall:
            place = min(entry.leaves - self.smallest, len(means) - 1)  # larger trees than any fold had
            entries.append(self._noted(entry, means[place], errors[place]) if place >= 0 else entry)
        size = self.best(one_standard_error)
        within = [entry.leaves for entry in hall.improving() if entry.leaves <= size]
        return HallOfFame(entries, hall.place_of(within[-1]) if within else 0)

    def _noted(self, entry: HallEntry, mean: Fraction, error: float) -> HallEntry:
        if self.unit is None:
            return replace(entry, cv_accuracy=float(mean), cv_error=float(error))
        return replace(entry, cv_cost=-float(mean) * self.unit, cv_error=float(error) * self.unit)


def score_halls(halls: Sequence[HallOfFame], held_back: Sequence[Rows], cost: float | None = None) -> Scores:
    """Score every size of some halls, each on the rows that were held back from it.

    A cost per leaf is what a further one must gain there: so the best size has the least objective on these rows.
    """
    smallest = max(hall[0].leaves for hall in halls)
    largest = max(hall[-1].leaves for hall in halls)
    hits = np.zeros((len(halls), largest - smallest + 1), np.int64)
    for number, (hall, rows) in enumerate(zip(halls, held_back, strict=True)):
        for entry in hall.improving():  # smallest first: a larger tree takes over from its own size on
            hits[number, max(entry.leaves - smallest, 0) :] = count_hits(entry.tree, rows)
    totals = np.array([rows.target.weights.sum() for rows in held_back], np.int64)
    if cost is None:
        most = smallest + int(hits.sum(axis=0).argmax())
        best = [[entry.tree for entry in hall.improving() if entry.leaves <= most][-1] for hall in halls]
        lost = np.concatenate([losses(tree, rows) for tree, rows in zip(best, held_back, strict=True)])
        due = due_of(lost.tolist())
    else:
        due = Fraction(repr(cost)) * sum(int(rows.target.stakes.sum()) for rows in held_back)  # 0.02, not its float
    costs = held_back[0].target.costs
    return Scores(smallest, hits, totals, due, None if costs is None else costs.unit)


def count_hits(tree: TreeView, rows: Rows) -> int:
    """Return the weight of the rows that a tree gets right; with costs, what the others cost, below zero."""
    lost = int(losses(tree, rows).sum())
    return -lost if rows.target.costs is not None else int(rows.target.weights.sum()) - lost


def losses(tree: TreeView, rows: Rows) -> np.ndarray:
    """Return the weight of each row that a tree gets wrong, else 0; with costs, what it costs."""
    target = rows.target
    labels = np.array([node.label for node in tree.nodes])[find_leaves(tree, rows.table.values)]
    if target.costs is not None:
        return np.asarray(target.weights * target.costs.steps[target.codes, labels])
    return np.where(labels == target.codes, 0, target.weights)


def due_of(lost: Sequence[int]) -> Fraction:
    """Return what a further leaf must gain: a third of the standard error of what is lost in all.

    Fewer than `MANY_ROWS` rows ask for less, √(n / `MANY_ROWS`) of it. That is a fixed share of the rows, where the
    standard error is a large one.

    Parameters
    ----------
    lost : sequence of int
        By row. In Python's integers, for squares are more than what is counted in 64 bits, and the same everywhere.
    """
    variance = sum(each * each for each in lost) - Fraction(sum(lost) ** 2, len(lost))
    share = Fraction(min(len(lost), MANY_ROWS), MANY_ROWS)
    return Fraction(math.isqrt(int(share * variance * 10**6)), 10**3) / PER_ERROR


def cross_validate(
    run: Run, listeners: Sequence[Listener], interrupted: Callable[[], bool], cost: float | None = None
) -> tuple[Run, Scores | None]:
    """Score the sizes of a run that is about to breed, by runs like it on parts of its rows.

    Listeners hear when a fold begins, but for the journal, which is the story of one run. A cost is what a leaf must
    gain (`score_halls`).

    Returns
    -------
    run : Run
        The run itself; or, where cross-validation was interrupted, one that begins with the trees found so far.
    scores : Scores or None
        None where it was interrupted, or there are no two rows.
    """
    rows, seed = run.rows, run.evolution.seed
    n_folds = min(N_FOLDS, len(rows))
    if n_folds < 2:
        warn_user("a single row cannot be cross-validated: the size is chosen by payoff")
        return run, None
    _warn_of_rare_classes(rows, n_folds)
    folds = deal(rows.target.codes, n_folds, seed)
    alike = _order_of_folds(run, n_folds)
    halls: list[HallOfFame] = []
    for number, (train, _) in enumerate(folds):
        tell(
            [listener for listener in listeners if not isinstance(listener, JournalWriter)],
            {"event": "fold", "fold": number, "folds": n_folds},
        )
        out_of_time = _deadline(alike.time_limit)
        part = Run(alike, rows.take(train), seed_of_fold(seed, number), bounds=run.bounds)
        part.bound.give_up()  # what counts is how the trees do on the rows that are held back
        part.go([], out_of_time, interrupted)
        halls.append(part.hall())
        if interrupted():
            return _with_trees(run, halls), None
    return run, score_halls(halls, [rows.take(test) for _, test in folds], cost)


def _order_of_folds(run: Run, n_folds: int) -> Order:
    """Return what is asked of the run of a fold: the same, with its share of the time.

    Trees of the user's own may have been grown on rows that are held back; what CART grows, it grows anew.
    """
    order = run.order
    return replace(
        order,
        generations=run.evolution.generation + order.generations,  # a run that goes on has bred some before
        time_limit=None if order.time_limit is None else order.time_limit / (n_folds + 1),
        seeds=tuple(seed for seed in order.seeds if isinstance(seed, str) and seed == CART),
    )


def _deadline(seconds: float | None) -> Callable[[], bool]:
    began = time.monotonic()
    return lambda: seconds is not None and time.monotonic() - began > seconds


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
