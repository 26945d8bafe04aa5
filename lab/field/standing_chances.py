"""What the cells on probabilities say: set by set, ours by log loss against each CART that is tuned by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from lab.field.chances import CART, CASES, Case
from lab.field.deals import more, pairs_by_set, standard_error
from lab.field.peers import OURS
from lab.field.standing import Cell, Verdict
from lab.field.standing_sizes import GROUPS

LOWER_SHARE, LOWER_SHARE_SMALLER = 0.8, 0.6
SMALLER = 0.75  # of the leaves that CART chose
RIVALS: tuple[tuple[str, Case], ...] = tuple(
    (learner, case) for learner, cases in CASES.items() if learner != OURS for case in cases
)


@dataclass(frozen=True)
class ChanceDuel:
    """Ours and a rival on one set: mean log loss, AUC and leaves over folds and deals.

    And ours with at most three quarters of the leaves that a CART chose, where all of them are known; and the paired
    differences in log loss.
    """

    name: str
    ours: float
    rival: float
    our_auc: float
    rival_auc: float
    our_leaves: float
    rival_leaves: float
    smaller: float | None
    differences: tuple[float, ...]

    @property
    def error(self) -> float:
        """Standard error of the mean difference in log loss."""
        return standard_error(self.differences)


def chance_duels(cells: Sequence[Cell], learner: str, case: Case) -> dict[str, ChanceDuel]:
    """Return, by set, ours against a rival, where all folds of a deal are there for both."""
    ours = [cell for cell in cells if cell["learner"] == OURS]
    theirs = [cell for cell in cells if cell["learner"] == learner and more(cell) == case]
    found = {}
    for name, pairs in pairs_by_set(ours, theirs).items():
        smaller = [loss_with(one, int(SMALLER * other["leaves"])) for one, other in pairs]
        known = [loss for loss in smaller if loss is not None]
        found[name] = ChanceDuel(
            name,
            fmean(one["log_loss"] for one, _ in pairs),
            fmean(other["log_loss"] for _, other in pairs),
            fmean(one["auc"] or 0.5 for one, _ in pairs),
            fmean(other["auc"] or 0.5 for _, other in pairs),
            fmean(one["leaves"] for one, _ in pairs),
            fmean(other["leaves"] for _, other in pairs),
            fmean(known) if learner == CART and len(known) == len(pairs) else None,
            tuple(one["log_loss"] - other["log_loss"] for one, other in pairs),
        )
    return found


def loss_with(cell: Cell, leaves: int) -> float | None:
    """Return the log loss of the largest tree with at most so many leaves, that of the smallest if all have more."""
    losses = [loss for n, loss, _ in cell.get("by_size", ()) if n <= max(leaves, 1)]
    return losses[-1] if losses else None


def chances(cells: Sequence[Cell]) -> Verdict:
    """Judge log loss, AUC and leaves against each rival, in every group of sets."""
    what = "unseen rows: log loss, against CART (Gini, entropy; with our smoothing and without) and LicketySPLIT"
    must = (
        "lower on 80 % of the sets or more and on average, higher mean AUC, no more leaves on average; with 3/4 of the "
        "leaves that CART chose lower on 60 % or more; over all sets, real ones, and those kept out"
    )
    told, met, missing = [], True, []
    for learner, case in RIVALS:
        of_sets = chance_duels(cells, learner, case)
        for group, names in GROUPS.items():
            chosen = [of_sets[name] for name in names if name in of_sets]
            if not chosen:
                missing.append(name_of(learner, case))
                break
            text, is_met = _against(chosen)
            told.append(f"{name_of(learner, case)}, {group}: {text}")
            met &= is_met
    if missing:
        told.append(f"not run yet: {', '.join(missing)}")
    return Verdict(what, must, "; ".join(told), met if told and not missing else None if met else False)


def name_of(learner: str, case: Case) -> str:
    """Return what a rival is called."""
    return f"{case['criterion']}{', smoothed' if case['smoothing'] else ''}" if learner == CART else learner


def _against(chosen: Sequence[ChanceDuel]) -> tuple[str, bool]:
    def mean(name: str) -> float:
        return fmean(getattr(duel, name) for duel in chosen)

    n_lower = sum(duel.ours < duel.rival for duel in chosen)
    small = [duel.smaller < duel.rival for duel in chosen if duel.smaller is not None]
    text = (
        f"{mean('ours'):.4f} to {mean('rival'):.4f}, AUC {mean('our_auc'):.4f} to {mean('rival_auc'):.4f}, "
        f"{mean('our_leaves'):.1f} to {mean('rival_leaves'):.1f} leaves, lower on {n_lower} of {len(chosen)}"
    )
    if small:
        text += f", with 3/4 of the leaves on {sum(small)} of {len(small)}"
    is_met = (
        mean("ours") < mean("rival")
        and mean("our_auc") > mean("rival_auc")
        and mean("our_leaves") <= mean("rival_leaves")
        and n_lower >= LOWER_SHARE * len(chosen)
        and sum(small) >= LOWER_SHARE_SMALLER * len(small)
    )
    return text, is_met
