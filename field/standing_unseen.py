"""What the cells on unseen rows say: mean accuracy and size, over the sets that all who are compared have done."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from field.peers import OURS, peer_named
from field.standing import Cell, Verdict

REPRODUCTION = Path(__file__).resolve().parents[1] / "docs" / "reproduction"


@dataclass(frozen=True)
class Mean:
    """Accuracy and leaves on one set, over folds and seeds; or over sets."""

    accuracy: float
    leaves: float
    seconds: float


def means(cells: Iterable[Cell], n_folds: int = 5) -> dict[str, dict[str, Mean]]:
    """Return learner -> set -> mean, of sets whose folds are all there; a set with a fold that failed is not."""
    grouped: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        grouped.setdefault((cell["learner"], cell["set"]), []).append(cell)
    found: dict[str, dict[str, Mean]] = {}
    for (learner, name), group in grouped.items():
        done = [cell for cell in group if "failed" not in cell]
        if len(done) == len(group) and len({cell["case"]["fold"] for cell in done}) == n_folds:
            found.setdefault(learner, {})[name] = Mean(
                fmean(cell["accuracy"] for cell in done),
                fmean(cell["leaves"] for cell in done),
                fmean(cell["wall"] for cell in done),
            )
    return found


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


@dataclass(frozen=True)
class Printed:
    """Accuracy and nodes of a learner of the paper on one of its sets."""

    accuracy: float
    nodes: float


def paper_rivals() -> dict[str, dict[str, Printed]]:
    """Return learner -> set -> figures: J48 as run by the reproduction, GATree at size 800 as printed.

    GATree is printed four times, for two mutation rates and two settings of x; each is a rival.
    """
    rivals: dict[str, dict[str, Printed]] = {}
    with (REPRODUCTION / "j48.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["accuracy"]:  # on the rows at hand, which stand in for the paper's in two sets
                figures = Printed(float(row["accuracy"]), float(row["nodes"]))
                rivals.setdefault(row["learner"], {})[f"paper/{row['set']}"] = figures
    with (REPRODUCTION / "accuracy.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["size"] == "800" and row["accuracy_printed"] and row["accuracy"]:
                name = f"GATree 800 as printed (mutation {row['mutation_rate']}, x {row['x']})"
                figures = Printed(float(row["accuracy_printed"]), float(row["nodes_printed"]))
                rivals.setdefault(name, {})[f"paper/{row['set']}"] = figures
    return rivals


def paper(cells: Iterable[Cell]) -> Verdict:
    """Judge the paper's sets: better on both, on average and in a majority of sets, than every rival."""
    what = "the paper's sets: mean accuracy and size against J48 (both prunings) and the paper's GATree at 800"
    must = "better on both, on average and in a majority of sets"
    ours = means(cells).get(OURS, {})
    if not ours:
        return Verdict(what, must, "not run yet", None)
    lines, met = [], True
    for rival, by_set in paper_rivals().items():
        duel = duel_on_paper(ours, by_set)
        lines.append(
            f"{rival}: {duel.ours.accuracy:.3f} / {duel.ours.nodes:.1f} nodes against {duel.theirs.accuracy:.3f} / "
            f"{duel.theirs.nodes:.1f}, more accurate on {duel.more_accurate}, smaller on {duel.smaller} "
            f"of {duel.n_sets}"
        )
        met &= duel.won
    return Verdict(what, must, "; ".join(lines), met)


@dataclass(frozen=True)
class Duel:
    """Ours against a rival of the paper, over the sets both have."""

    ours: Printed
    theirs: Printed
    more_accurate: int
    smaller: int
    n_sets: int

    @property
    def won(self) -> bool:
        """Whether ours is better on both, on average and in a majority of sets."""
        on_average = self.ours.accuracy > self.theirs.accuracy and self.ours.nodes < self.theirs.nodes
        return on_average and min(self.more_accurate, self.smaller) * 2 > self.n_sets


def duel_on_paper(ours: dict[str, Mean], theirs: dict[str, Printed]) -> Duel:
    """Compare over the sets both have; a binary tree of L leaves has 2 L - 1 nodes."""
    common = [name for name in theirs if name in ours]
    mine = {name: Printed(ours[name].accuracy, 2 * ours[name].leaves - 1) for name in common}

    def average(figures: dict[str, Printed]) -> Printed:
        return Printed(fmean(figures[n].accuracy for n in common), fmean(figures[n].nodes for n in common))

    return Duel(
        average(mine),
        average(theirs),
        sum(mine[name].accuracy > theirs[name].accuracy for name in common),
        sum(mine[name].nodes < theirs[name].nodes for name in common),
        len(common),
    )
