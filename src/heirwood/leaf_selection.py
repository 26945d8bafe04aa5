"""The number of leaves by cross-validation: whole halls of fame, judged on rows that they have not seen.

fold k   a run on all rows but those of fold k  ->  its hall, each size scored on fold k
smooth   probabilities are smoothed so that the best size loses least there
good     the sizes whose hits on rows held back are within one standard error of the most; with losses, a third
size     "cv"       of the good sizes, that whose tree has the fewest errors on the rows it was evolved on, where each
                    further leaf must gain what it costs; where that cost was given, the most rows held back that are
                    right, where each further leaf must add as much
         "cv_1se"   the fewest leaves whose mean accuracy is within one standard error of the best
         "cv_best"  of the good sizes, that whose tree has the fewest errors on the rows it was evolved on, where each
                    further leaf must save a part of the standard error
tree     of a run on all rows: the best on its own rows with at most as many leaves
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from heirwood.data import Rows
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.probabilities import USUAL, class_shares
from heirwood.tree_apply import find_leaves
from heirwood.tree_view import TreeView

PARTS_OF_LOSS = 3  # losses tell sizes apart better than hits: of their standard error a third counts
LOSS_STEPS = 2**16  # to a bit, or to a Brier score of 1
MOST_WEIGHT_BITS = 40  # of all rows: times a loss in steps, they are counted in 64
LEAST_SHARE = 2.0**-52  # without smoothing a class may have none: then a row loses so many bits
PER_ERROR_TRAINED = 5  # leaves that a standard error of the hits on rows held back is worth, where accuracy comes first


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
    error : Fraction
        By how much the hits of sizes may differ that are as good: the standard error of the most hits of all folds, or
        a part of it.
    at_stake : int
        The most hits that there could be: a weight for each row that was held back, or its largest cost.
    noise : float
        How much the loss of the size with the most hits varies from row to row (`noise_of`).
    due : Fraction
        What every further leaf must add to the hits of all folds, or to as many trained ones: its cost.
    is_given : bool
        Whether somebody said what a leaf costs.
    unit : float or None
        With costs or losses: what one step of them is worth.
    is_loss : bool
        Whether they are losses of probabilities.
    smoothing : float
        That of the probabilities.
    """

    smallest: int
    hits: np.ndarray
    totals: np.ndarray
    error: Fraction = Fraction()
    at_stake: int = 0
    noise: float = 0.0
    due: Fraction = Fraction()
    is_given: bool = False
    unit: float | None = None
    is_loss: bool = False
    smoothing: float = USUAL

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

    def at_cost(self, cost: float, *, is_given: bool) -> Scores:
        """Return the scores where a leaf has a cost, in the unit of the payoff per row."""
        due = Fraction(repr(cost)) * self.at_stake  # 0.02, not its float
        if self.is_loss and self.unit is not None:
            due /= Fraction(self.unit)
        return replace(self, due=due, is_given=is_given)

    def choose(self, hall: HallOfFame, size: str) -> HallEntry:
        """Return the tree of the best size, in one of three senses; of equals, the smallest.

        Where no tree has a size that is best, or as good, the next smaller one stands for it.
        """
        improving = hall.improving()
        if size == "cv_1se":
            return _largest(improving, self.smallest + self._within_one_error())
        if size == "cv" and self.is_given:
            return _largest(improving, self.smallest + self._paying())
        hits = dict(enumerate(self.hits.sum(axis=0).tolist(), self.smallest))
        most = max(hits, key=hits.__getitem__)
        good = [entry for entry in improving if hits.get(entry.leaves, -math.inf) >= hits[most] - self.error]
        due = self.due if size == "cv" else self.error / PER_ERROR_TRAINED
        return max(good or [_largest(improving, most)], key=lambda entry: self._worth(entry, due))

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

    def _worth(self, entry: HallEntry, due: Fraction) -> Fraction:
        """Return what a tree gets right of rows that it has seen, less a due for its leaves; in the unit of the hits.

        Which of the sizes that are as good as the best has the most hits is luck. Rows that were trained on know less
        of luck, and want larger trees; so a leaf has a due.
        """
        unit = Fraction(1 if self.unit is None else self.unit)
        right = round(Fraction(entry.quality) * int(self.totals.sum()) / unit)  # a whole number, but for the float
        return right - entry.leaves * due

    def applied(self, hall: HallOfFame, size: str) -> HallOfFame:
        """Return a hall that shows these scores, with the tree of the best size in use (`choose`)."""
        means, errors = self.means(), self.errors()
        entries = []
        for entry in hall:
            place = min(entry.leaves - self.smallest, len(means) - 1)  # larger trees than any fold had
            entries.append(self._noted(entry, means[place], errors[place]) if place >= 0 else entry)
        return HallOfFame(entries, hall.place_within(self.choose(hall, size).leaves))

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
    halls: Sequence[HallOfFame], held_back: Sequence[Rows], smoothings: Sequence[float] = (USUAL,)
) -> Scores:
    """Score every size of some halls, each on the rows that were held back from it.

    Of the smoothings that of least loss counts: of probabilities with the size that is best with it.
    """
    smallest = max(hall[0].leaves for hall in halls)
    largest = max(hall[-1].leaves for hall in halls)
    target = held_back[0].target
    tried = smoothings if target.loss is not None else smoothings[:1]  # else it plays no part in what is right
    hits = np.zeros((len(tried), len(halls), largest - smallest + 1), np.int64)
    at_stake = 0
    for number, (hall, rows) in enumerate(zip(halls, held_back, strict=True)):
        at_stake += int(rows.target.stakes.sum())
        for entry in hall.improving():  # smallest first: a larger tree takes over from its own size on
            leaves = find_leaves(entry.tree, rows.table.values)
            found = [count_hits(entry.tree, rows, leaves, smoothing) for smoothing in tried]
            hits[:, number, max(entry.leaves - smallest, 0) :] = np.array(found)[:, None]
    of_all = hits.sum(axis=1)
    place, most = divmod(int(of_all.argmax()), of_all.shape[1])
    best = [[entry.tree for entry in hall.improving() if entry.leaves <= smallest + most][-1] for hall in halls]
    smoothing = tried[place] if target.loss is not None else _smoothest(best, held_back, smoothings)
    parts = zip(best, held_back, strict=True)
    lost = np.concatenate([losses(tree, rows, smoothing) for tree, rows in parts]).tolist()
    return Scores(
        smallest,
        hits[place],
        np.array([rows.target.weights.sum() for rows in held_back], np.int64),
        error_of(lost) / (PARTS_OF_LOSS if target.loss is not None else 1),
        at_stake,
        noise_of(lost, held_back),
        unit=loss_unit(target.loss) if target.loss is not None else target.costs.unit if target.costs else None,
        is_loss=target.loss is not None,
        smoothing=smoothing,
    )


def _smoothest(trees: Sequence[TreeView], held_back: Sequence[Rows], smoothings: Sequence[float]) -> float:
    """Return the smoothing with which trees have the least log loss, each on the rows that were held back from it."""
    lost = np.zeros(len(smoothings), np.int64)
    total = sum(int(rows.target.weights.sum()) for rows in held_back)
    shift = max(total.bit_length() - MOST_WEIGHT_BITS, 0)
    for tree, rows in zip(trees, held_back, strict=True):
        leaves, codes = find_leaves(tree, rows.table.values), rows.target.codes
        weights = rows.target.weights >> shift
        for place, smoothing in enumerate(smoothings):
            lost[place] += (weights * row_losses(tree, smoothing, "log_loss")[leaves, codes]).sum()
    return smoothings[int(lost.argmin())]


def loss_unit(loss: str) -> float:
    """Return what one step of a loss is worth: losses of rows held back are rounded to such steps."""
    return math.log(2.0) / LOSS_STEPS if loss == "log_loss" else 1.0 / LOSS_STEPS


def count_hits(tree: TreeView, rows: Rows, leaves: np.ndarray, smoothing: float) -> int:
    """Return the weight of the rows that a tree gets right; with costs or losses what rows cost or lose, below zero."""
    lost = int(_losses_at(tree, rows, leaves, smoothing).sum())
    is_right = rows.target.costs is None and rows.target.loss is None
    return int(rows.target.weights.sum()) - lost if is_right else -lost


def losses(tree: TreeView, rows: Rows, smoothing: float = 0.0) -> np.ndarray:
    """Return the weight of each row that a tree gets wrong, else 0; with costs, what it costs; its loss, in steps."""
    return _losses_at(tree, rows, find_leaves(tree, rows.table.values), smoothing)


def _losses_at(tree: TreeView, rows: Rows, leaves: np.ndarray, smoothing: float) -> np.ndarray:
    target = rows.target
    if target.loss is not None:
        return np.asarray(target.weights * row_losses(tree, smoothing, target.loss)[leaves, target.codes])
    labels = np.array([node.label for node in tree.nodes])[leaves]
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


def noise_of(lost: Sequence[int], held_back: Sequence[Rows]) -> float:
    """Return how much the loss varies from row to row: its standard deviation, in the unit of the payoff per row.

    Parameters
    ----------
    lost : sequence of int
        What is lost on each row, as `losses` tells it; in Python's integers, so that it is the same everywhere.
    held_back : sequence of Rows
        The rows that trees were judged on. Of them half a row is taken to be lost at least.
    """
    weights, at_stake, n_counted = [], 0, 0
    for rows in held_back:
        weights += rows.target.weights.tolist()
        at_stake += int(rows.target.stakes.sum())
        n_counted += rows.n_counted
        loss = rows.target.loss
    total = sum(weights)
    squares = sum(each * (each // weight) for each, weight in zip(lost, weights, strict=True) if each)
    variance = Fraction(squares, total) - Fraction(sum(lost), total) ** 2
    unit = total / max(at_stake, 1) if loss is None else loss_unit(loss)
    least = 0.5 / n_counted
    return math.sqrt(max(float(variance) * unit**2, least * (1.0 - least)))


def error_of(lost: Sequence[int]) -> Fraction:
    """Return the standard error of what is lost in all, in thousandths.

    Parameters
    ----------
    lost : sequence of int
        By row. In Python's integers, for squares are more than what is counted in 64 bits, and the same everywhere.
    """
    variance = sum(each * each for each in lost) - Fraction(sum(lost) ** 2, len(lost))
    return Fraction(math.isqrt(int(variance * 10**6)), 10**3)
