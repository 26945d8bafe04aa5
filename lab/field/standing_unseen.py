"""What the cells on unseen rows say: mean accuracy and size, over the sets that all who are compared have done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from statistics import fmean
from typing import Any

from lab.field.peers import OURS, peer_named
from lab.field.sets import MOST_ROWS
from lab.field.standing import Cell, Verdict


@dataclass(frozen=True)
class Mean:
    """Accuracy and leaves on one set, over folds and seeds; or over sets."""

    accuracy: float
    leaves: float
    seconds: float


def means(cells: Iterable[Cell], n_folds: int = 5, **more: Any) -> dict[str, dict[str, Mean]]:
    """Return learner -> set -> mean, of sets whose folds are all there, for each seed; one that failed is not.

    Of cells with these settings more, or with none.
    """
    grouped: dict[tuple[str, str], list[Cell]] = {}
    for cell in (cell for cell in cells if has_more(cell, more)):
        grouped.setdefault((cell["learner"], cell["set"]), []).append(cell)
    found: dict[str, dict[str, Mean]] = {}
    for (learner, name), group in grouped.items():
        done = [cell for cell in group if "failed" not in cell]
        asked = set(product({cell["seed"] for cell in group}, range(n_folds)))
        if len(done) == len(group) and {(cell["seed"], cell["case"]["fold"]) for cell in done} == asked:
            found.setdefault(learner, {})[name] = Mean(
                mean_share(cell["accuracy"] for cell in done),
                fmean(cell["leaves"] for cell in done),
                fmean(cell["wall"] for cell in done),
            )
    return found


def has_more(cell: Cell, more: dict[str, Any]) -> bool:
    """Say whether a cell was run with just these settings more."""
    return bool(cell["case"] == {"fold": cell["case"]["fold"]} | more)


def mean_share(shares: Iterable[float]) -> float:
    """Return the mean of shares of rows, the same float for the same mean: many seeds may be level with one."""
    exact = [Fraction(share).limit_denominator(MOST_ROWS) for share in shares]
    return float(sum(exact, Fraction()) / len(exact))


def curves(cells: Iterable[Cell], names: Sequence[str], most: int) -> dict[str, list[tuple[int, float]]]:
    """Return learner -> leaves and mean test accuracy, over some sets, of its largest trees with no more leaves.

    A curve begins with the size that every fold has a tree for. Who has one tree a fold only is left out.
    """
    grouped: dict[str, dict[str, list[Cell]]] = {}
    for cell in cells:
        if cell["set"] in names and "failed" not in cell:
            grouped.setdefault(cell["learner"], {}).setdefault(cell["set"], []).append(cell)
    found = {}
    for learner, by_set in grouped.items():
        folds = [cell["curve"] for group in by_set.values() for cell in group]
        if len(by_set) == len(names) and any(len(curve) > 1 for curve in folds):
            least = max(curve[0][0] for curve in folds)
            found[learner] = [(size, _mean_within(by_set, size)) for size in range(least, most + 1)]
    return found


def _mean_within(by_set: dict[str, list[Cell]], size: int) -> float:
    """Return the mean accuracy, over sets, of each fold's largest tree with at most so many leaves."""
    return fmean(
        fmean(max(point for point in cell["curve"] if point[0] <= size)[1] for cell in group)
        for group in by_set.values()
    )


def is_outside(learner: str) -> bool:
    """Say whether a learner is shown beside the contest only."""
    return bool(getattr(peer_named(learner), "OUTSIDE", False))


def mean_over(by_set: dict[str, Mean], names: Iterable[str]) -> Mean:
    """Return the mean over sets."""
    chosen = [by_set[name] for name in names]
    return Mean(*(fmean(getattr(each, what) for each in chosen) for what in ("accuracy", "leaves", "seconds")))


def accuracy(cells: Iterable[Cell]) -> Verdict:
    """Judge accuracy on unseen rows: against each peer, over the sets that it has done."""
    what = "5-fold test accuracy, every size tuned, at most 32 leaves; mean over the sets"
    must = "highest mean accuracy, with no more leaves than the best peer"
    found = means(cells)
    ours = found.pop(OURS, {})
    rivals = {learner: by_set for learner, by_set in found.items() if not is_outside(learner)}
    duels = {}
    for learner, by_set in rivals.items():
        common = [name for name in by_set if name in ours]
        if common:
            duels[learner] = mean_over(ours, common), mean_over(by_set, common), len(common)
    if not duels:
        return Verdict(what, must, "not run yet", None)
    best = max(duels, key=lambda learner: duels[learner][1].accuracy - duels[learner][0].accuracy)
    n_ahead = sum(mine.accuracy > theirs.accuracy for mine, theirs, _ in duels.values())
    mine, theirs, n_sets = duels[best]
    measured = (
        f"{mine.accuracy:.4f} with {mine.leaves:.1f} leaves; the closest peer, {best}, {theirs.accuracy:.4f} with "
        f"{theirs.leaves:.1f} on the same {n_sets} sets; ahead of {n_ahead} of {len(duels)} peers"
    )
    met = n_ahead == len(duels) and mine.leaves <= theirs.leaves
    return Verdict(what, must, measured, met)
