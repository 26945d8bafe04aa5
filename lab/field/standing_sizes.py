"""What the cells on sizes say: set by set, fold by fold, ours against each who gives one tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from lab.field.deals import more as more_of
from lab.field.deals import pairs_by_set, standard_error
from lab.field.peers import OURS, TUNED_CART
from lab.field.standing import Cell, Verdict
from lab.field.study_sets import KEPT_OUT, REAL, STUDY_SETS
from lab.field.unseen_rows import N_FOLDS

FIRST_ANSWER, BY_FOLDS = {"size": "payoff"}, {}  # what is more in the cases of ours
GROUPS = {"all": STUDY_SETS, "real": REAL, "kept out": KEPT_OUT}
CLEARLY = 2.0  # standard errors of the paired differences
AHEAD_SHARE, BEHIND_SHARE = 0.7, 0.1
LARGE = 10_000  # rows
MOST_FITS_OF_LARGE, MOST_FITS = 3, 5  # times the CPU time of one fit that folds may take


@dataclass(frozen=True)
class Duel:
    """Ours and a peer on one set: mean accuracies and leaves, and the paired differences over folds and deals."""

    name: str
    ours: float
    peer: float
    our_leaves: float
    peer_leaves: float
    differences: tuple[float, ...]

    @property
    def error(self) -> float:
        """Standard error of the mean difference."""
        return standard_error(self.differences)

    @property
    def ahead(self) -> float:
        """How much ours is ahead on average."""
        return fmean(self.differences)

    @property
    def is_level(self) -> bool:
        """Whether the difference is within a standard error."""
        return abs(self.ahead) <= self.error

    @property
    def is_clearly_behind(self) -> bool:
        """Whether ours is behind by more than two standard errors."""
        return self.ahead < -CLEARLY * self.error


def duels(cells: Sequence[Cell], peer: str, more: dict[str, Any]) -> dict[str, Duel]:
    """Return, by set, ours with some settings against a peer, where all folds of a deal are there for both."""
    ours = (cell for cell in cells if cell["learner"] == OURS and more_of(cell) == more)
    theirs = (cell for cell in cells if cell["learner"] == peer)
    return {
        name: Duel(
            name,
            fmean(one["accuracy"] for one, _ in pairs),
            fmean(other["accuracy"] for _, other in pairs),
            fmean(one["leaves"] for one, _ in pairs),
            fmean(other["leaves"] for _, other in pairs),
            tuple(one["accuracy"] - other["accuracy"] for one, other in pairs),
        )
        for name, pairs in pairs_by_set(ours, theirs).items()
    }


def first_answer(cells: Sequence[Cell]) -> Verdict:
    """Judge the default, one fit, against CART tuned in both ways, in every group of sets."""
    what = "unseen rows: default, one fit, against tuned CART"
    must = (
        "higher mean accuracy, fewer leaves on average; ahead or level on 70 % of the sets or more, behind by more "
        "than two standard errors on 10 % or less; over all sets, real ones, and those kept out"
    )
    told, met = [], True
    for peer in TUNED_CART:
        of_sets = duels(cells, peer, FIRST_ANSWER)
        for group, names in GROUPS.items():
            chosen = [of_sets[name] for name in names if name in of_sets]
            if not chosen:
                return Verdict(what, must, "not run yet", None)
            text, is_met = _against(chosen)
            told.append(f"{peer}, {group}: {text}")
            met &= is_met
    return Verdict(what, must, "; ".join(told), met)


def _against(chosen: Sequence[Duel]) -> tuple[str, bool]:
    ours, peer = fmean(duel.ours for duel in chosen), fmean(duel.peer for duel in chosen)
    leaves, theirs = fmean(duel.our_leaves for duel in chosen), fmean(duel.peer_leaves for duel in chosen)
    n_good = sum(duel.ahead >= 0 or duel.is_level for duel in chosen)
    n_bad = sum(duel.is_clearly_behind for duel in chosen)
    text = (
        f"{ours:.4f} with {leaves:.1f} leaves to {peer:.4f} with {theirs:.1f} on {len(chosen)} sets "
        f"({_deals(chosen)}), ahead or level on {n_good}, clearly behind on {n_bad}"
    )
    enough = n_good >= AHEAD_SHARE * len(chosen) and n_bad <= BEHIND_SHARE * len(chosen)
    return text, ours > peer and leaves < theirs and enough


def _deals(chosen: Sequence[Duel]) -> str:
    """Return how many deals of the rows each set has at least, of those that are asked for."""
    least = min(len(duel.differences) for duel in chosen) // N_FOLDS
    return "one deal of three" if least == 1 else "two deals of three" if least == 2 else "three deals"


def by_folds(cells: Sequence[Cell]) -> Verdict:
    """Judge sizes by folds against every peer that gives one tree, on the sets that it has done."""
    what = 'unseen rows: size_selection="cv" against every peer that gives one tree'
    must = "highest mean accuracy; clearly behind CART on no set; over all sets, real ones, and those kept out"
    peers = [peer for peer in dict.fromkeys(cell["learner"] for cell in cells) if peer != OURS]
    told, met = [], True
    for peer in peers:
        of_sets = duels(cells, peer, BY_FOLDS)
        for group, names in GROUPS.items():
            chosen = [of_sets[name] for name in names if name in of_sets]
            if not chosen:
                continue
            text, _ = _against(chosen)
            told.append(f"{peer}, {group}: {text}")
            met &= fmean(duel.ours for duel in chosen) > fmean(duel.peer for duel in chosen)
            met &= peer not in TUNED_CART or not any(duel.is_clearly_behind for duel in chosen)
    return Verdict(what, must, "; ".join(told), met) if told else Verdict(what, must, "not run yet", None)


def time_by_folds(cells: Sequence[Cell]) -> Verdict:
    """Judge the CPU time of sizes by folds, by that of the same fit whose size the payoff chooses."""
    what = 'CPU time of size_selection="cv", in fits with size_selection="payoff"'
    must = f"at most {MOST_FITS_OF_LARGE} on sets of {LARGE:,} rows and more, {MOST_FITS} below"
    spent: dict[str, dict[bool, list[float]]] = {}
    n_rows = {}
    for cell in cells:
        if cell["learner"] == OURS and cell["seed"] == 0 and more_of(cell) in (FIRST_ANSWER, BY_FOLDS):
            of_set = spent.setdefault(cell["set"], {False: [], True: []})
            of_set[more_of(cell) == BY_FOLDS].append(cell["cpu"])
            n_rows[cell["set"]] = cell["rows"]
    ratios = {name: sum(both[True]) / sum(both[False]) for name, both in spent.items() if all(both.values())}
    if not ratios:
        return Verdict(what, must, "not run yet", None)
    told, met = [], True
    for words, most, chosen in (
        ("of the large ones", MOST_FITS_OF_LARGE, [name for name in ratios if n_rows[name] >= LARGE]),
        ("of the others", MOST_FITS, [name for name in ratios if n_rows[name] < LARGE]),
    ):
        for worst in sorted(chosen, key=ratios.__getitem__)[-1:]:
            told.append(f"{words} at most {ratios[worst]:.2f}, on {worst}")
            met &= ratios[worst] <= most
    return Verdict(what, must, "; ".join(told), met)
