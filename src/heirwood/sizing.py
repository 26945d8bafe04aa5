"""The number of leaves by cross-validation: whole halls of fame, judged on rows that they have not seen.

fold k   a run on all rows but those of fold k  ->  its hall, each size scored on fold k
size     "cv"       the most rows held back that are right, where each further leaf must add some: what it costs, if
                    that was given
         "cv_1se"   the fewest leaves whose mean accuracy is within one standard error of the best
         "cv_best"  of sizes within one standard error of the best, that whose tree has the fewest errors on the rows it
                    was evolved on, where each further leaf must save some
tree     of a run on all rows: the best on its own rows with at most as many leaves
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from heirwood.answers import find_leaves
from heirwood.data import Rows
from heirwood.export.hall import HallEntry, HallOfFame
from heirwood.payoff.leaf_cost import cost_in
from heirwood.probabilities import class_shares
from heirwood.settings import Payoff
from heirwood.view import TreeView

LOSS_STEPS = 2**16  # to a bit, or to a Brier score of 1
LEAST_SHARE = 2.0**-52  # without smoothing a class may have none: then a row loses so many bits
PER_ERROR = 3  # leaves that a standard error of the hits on rows held back is worth
MANY_ROWS = 800  # of which that holds; with fewer, it is worth more of them
PER_ERROR_TRAINED = 5  # the same of rows that were trained on, where accuracy comes first
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
    error : Fraction
        Standard error of the most hits of all folds.
    unit : float or None
        With costs or losses: what one step of them is worth.
    is_loss : bool
        Whether they are losses of probabilities.
    """

    smallest: int
    hits: np.ndarray
    totals: np.ndarray
    due: Fraction = Fraction()
    error: Fraction = Fraction()
    unit: float | None = None
    is_loss: bool = False

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

    def best(self, size: str = "cv") -> int:
        """Return the number of leaves that is best on rows held back: where leaves pay, or within one error."""
        return self.smallest + (self._paying() if size == "cv" else self._within_one_error())

    def _paying(self) -> int:
        """Return the place with the most hits, where every further leaf adds what is due, or more."""
        hits = self.hits.sum(axis=0).tolist()
        worth = [(found - place * self.due, found) for place, found in enumerate(hits)]
        return worth.index(max(worth))

    def _within_one_error(self) -> int:
        """Return the first place whose mean is within a standard error of the best mean."""
        means = self.means()
        best = means.index(max(means))
        enough = float(means[best]) - float(self.errors()[best])
        return next(place for place, mean in enumerate(means) if float(mean) >= enough)

    def choose(self, hall: HallOfFame, size: str) -> HallEntry:
        """Return the tree of the best size, in one of three senses; of equals, the smallest.

        Where no tree has a size that is best, or as good, the next smaller one stands for it.
        """
        improving = hall.improving()
        if size != "cv_best":
            return _largest(improving, self.best(size))
        hits = dict(enumerate(self.hits.sum(axis=0).tolist(), self.smallest))
        most = max(hits, key=hits.__getitem__)
        good = [entry for entry in improving if hits.get(entry.leaves, -math.inf) >= hits[most] - self.error]
        return max(good or [_largest(improving, most)], key=self._worth)

    def _worth(self, entry: HallEntry) -> Fraction:
        """Return what a tree gets right of rows that it has seen, less a due for its leaves; in the unit of the hits.

        Which of the sizes that are as good as the best has the most hits is luck. Rows that were trained on know less
        of luck, and want larger trees; so they have a due of their own.
        """
        unit = Fraction(1 if self.unit is None else self.unit)
        right = round(Fraction(entry.quality) * int(self.totals.sum()) / unit)  # a whole number, but for the float
        return right - entry.leaves * self.error / PER_ERROR_TRAINED

    def applied(self, hall: HallOfFame, size: str) -> HallOfFame:
        """Return a hall that shows these scores, with the tree of the best size in use (`choose`)."""
        means, errors = self.means(), self.errors()
        entries = []
        for entry in hall:
            place = min(entry.leaves - self.smallest, len(means) - 1)  # larger trees than any fold had
            entries.append(self._noted(entry, means[place], errors[place]) if place >= 0 else entry)
        return HallOfFame(entries, hall.place_of(self.choose(hall, size).leaves))

    def _noted(self, entry: HallEntry, mean: Fraction, error: float) -> HallEntry:
        if self.unit is None:
            return replace(entry, cv_accuracy=float(mean), cv_error=float(error))
        lost, error = -float(mean) * self.unit, float(error) * self.unit
        if self.is_loss:
            return replace(entry, cv_loss=lost, cv_error=error)
        return replace(entry, cv_cost=lost, cv_error=error)


def _largest(improving: Sequence[HallEntry], leaves: int) -> HallEntry:
    """Return the last tree with at most so many leaves; the smallest, if all have more."""
    return [entry for entry in improving if entry.leaves <= leaves or entry is improving[0]][-1]


def score_halls(
    halls: Sequence[HallOfFame], held_back: Sequence[Rows], cost: float | None = None, smoothing: float = 0.0
) -> Scores:
    """Score every size of some halls, each on the rows that were held back from it.

    A cost per leaf is what a further one must gain there: so the best size has the least objective on these rows.
    """
    smallest = max(hall[0].leaves for hall in halls)
    largest = max(hall[-1].leaves for hall in halls)
    hits = np.zeros((len(halls), largest - smallest + 1), np.int64)
    for number, (hall, rows) in enumerate(zip(halls, held_back, strict=True)):
        for entry in hall.improving():  # smallest first: a larger tree takes over from its own size on
            hits[number, max(entry.leaves - smallest, 0) :] = count_hits(entry.tree, rows, smoothing)
    totals = np.array([rows.target.weights.sum() for rows in held_back], np.int64)
    most = smallest + int(hits.sum(axis=0).argmax())
    best = [[entry.tree for entry in hall.improving() if entry.leaves <= most][-1] for hall in halls]
    parts = zip(best, held_back, strict=True)
    lost = np.concatenate([losses(tree, rows, smoothing) for tree, rows in parts]).tolist()
    target = held_back[0].target
    unit = loss_unit(target.loss) if target.loss is not None else target.costs.unit if target.costs else None
    if cost is None:
        due = due_of(lost)
    else:
        due = Fraction(repr(cost)) * sum(int(rows.target.stakes.sum()) for rows in held_back)  # 0.02, not its float
        due = due if target.loss is None else due / Fraction(loss_unit(target.loss))
    return Scores(smallest, hits, totals, due, error_of(lost), unit, target.loss is not None)


def loss_unit(loss: str) -> float:
    """Return what one step of a loss is worth: losses of rows held back are rounded to such steps."""
    return math.log(2.0) / LOSS_STEPS if loss == "log_loss" else 1.0 / LOSS_STEPS


def count_hits(tree: TreeView, rows: Rows, smoothing: float = 0.0) -> int:
    """Return the weight of the rows that a tree gets right; with costs or losses what rows cost or lose, below zero."""
    lost = int(losses(tree, rows, smoothing).sum())
    is_right = rows.target.costs is None and rows.target.loss is None
    return int(rows.target.weights.sum()) - lost if is_right else -lost


def losses(tree: TreeView, rows: Rows, smoothing: float = 0.0) -> np.ndarray:
    """Return the weight of each row that a tree gets wrong, else 0; with costs, what it costs; its loss, in steps."""
    target = rows.target
    if target.loss is not None:
        leaves = find_leaves(tree, rows.table.values)
        return np.asarray(target.weights * row_losses(tree, smoothing, target.loss)[leaves, target.codes])
    labels = np.array([node.label for node in tree.nodes])[find_leaves(tree, rows.table.values)]
    if target.costs is not None:
        return np.asarray(target.weights * target.costs.steps[target.codes, labels])
    return np.where(labels == target.codes, 0, target.weights)


def row_losses(tree: TreeView, smoothing: float, loss: str) -> np.ndarray:
    """Return what a row of each class loses at each node, in steps, (n_nodes, n_classes) int64."""
    shares = np.maximum(class_shares(tree, smoothing), LEAST_SHARE)
    if loss == "log_loss":
        return np.rint(-np.log2(shares) * LOSS_STEPS).astype(np.int64)
    squares = (shares**2).sum(axis=1, keepdims=True)
    return np.rint((squares - 2.0 * shares + 1.0) * LOSS_STEPS).astype(np.int64)


def due_of(lost: Sequence[int]) -> Fraction:
    """Return what a further leaf must gain: a third of the standard error of what is lost in all.

    Fewer than `MANY_ROWS` rows ask for less, √(n / `MANY_ROWS`) of it. That is a fixed share of the rows, where the
    standard error is a large one.

    Parameters
    ----------
    lost : sequence of int
        By row, as for `error_of`.
    """
    return error_of(lost, Fraction(min(len(lost), MANY_ROWS), MANY_ROWS)) / PER_ERROR


def error_of(lost: Sequence[int], share: Fraction = Fraction(1)) -> Fraction:
    """Return the standard error of what is lost in all, or of a share of its variance, in thousandths.

    Parameters
    ----------
    lost : sequence of int
        By row. In Python's integers, for squares are more than what is counted in 64 bits, and the same everywhere.
    share : Fraction
    """
    variance = sum(each * each for each in lost) - Fraction(sum(lost) ** 2, len(lost))
    return Fraction(math.isqrt(int(share * variance * 10**6)), 10**3)
