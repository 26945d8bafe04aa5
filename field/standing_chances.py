"""What the cells on probabilities say: set by set, ours by log loss against each CART that is tuned by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from field.chances import CARTS, Entrant
from field.deals import more, pairs_by_set
from field.peers import OURS
from field.standing import Cell, Verdict
from field.standing_sizes import GROUPS

LOWER_SHARE, LOWER_SHARE_SMALLER = 0.8, 0.6
SMALLER = 0.75  # of the leaves that CART chose


@dataclass(frozen=True)
class ChanceDuel:
    """Ours and a CART on one set: mean log loss, AUC and leaves over folds and deals; and ours with fewer leaves."""

    name: str
    ours: float
    cart: float
    our_auc: float
    cart_auc: float
    our_leaves: float
    cart_leaves: float
    smaller: float


def chance_duels(cells: Sequence[Cell], entrant: Entrant) -> dict[str, ChanceDuel]:
    """Return, by set, ours against a CART, where all folds of a deal are there for both."""
    ours, theirs = (_cells_of(cells, each) for each in (Entrant(OURS, {}), entrant))
    return {
        name: ChanceDuel(
            name,
            fmean(one["log_loss"] for one, _ in pairs),
            fmean(other["log_loss"] for _, other in pairs),
            fmean(one["auc"] or 0.5 for one, _ in pairs),
            fmean(other["auc"] or 0.5 for _, other in pairs),
            fmean(one["leaves"] for one, _ in pairs),
            fmean(other["leaves"] for _, other in pairs),
            fmean(within(one["by_size"], SMALLER * other["leaves"]) for one, other in pairs),
        )
        for name, pairs in pairs_by_set(ours, theirs).items()
    }


def _cells_of(cells: Iterable[Cell], entrant: Entrant) -> list[Cell]:
    return [cell for cell in cells if cell["learner"] == entrant.learner and more(cell) == entrant.case]


def within(by_size: Sequence[Sequence[Any]], leaves: float) -> float:
    """Return the log loss of the largest tree with at most so many leaves; of the smallest, if all have more."""
    return float(next((loss for size, loss in reversed(by_size) if size <= leaves), by_size[0][1]))


def chances(cells: Sequence[Cell]) -> Verdict:
    """Judge log loss, AUC and leaves against each CART, in every group of sets."""
    what = "unseen rows: log loss, against CART (Gini, entropy; with our smoothing and without)"
    must = (
        "lower on 80 % of the sets or more and on average, higher mean AUC, no more leaves on average; with 3/4 of the "
        "leaves that CART chose lower on 60 % or more; over all sets, real ones, and those kept out"
    )
    told, met = [], True
    for entrant in CARTS:
        of_sets = chance_duels(cells, entrant)
        for group, names in GROUPS.items():
            chosen = [of_sets[name] for name in names if name in of_sets]
            if not chosen:
                return Verdict(what, must, "not run yet", None)
            text, is_met = _against(chosen)
            told.append(f"{name_of(entrant)}, {group}: {text}")
            met &= is_met
    return Verdict(what, must, "; ".join(told), met)


def name_of(entrant: Entrant) -> str:
    """Return what a CART is called."""
    return f"{entrant.case['criterion']}{', smoothed' if entrant.case['smoothing'] else ''}"


def _against(chosen: Sequence[ChanceDuel]) -> tuple[str, bool]:
    def mean(name: str) -> float:
        return fmean(getattr(duel, name) for duel in chosen)

    n_lower = sum(duel.ours < duel.cart for duel in chosen)
    n_smaller = sum(duel.smaller < duel.cart for duel in chosen)
    text = (
        f"{mean('ours'):.4f} to {mean('cart'):.4f}, AUC {mean('our_auc'):.4f} to {mean('cart_auc'):.4f}, "
        f"{mean('our_leaves'):.1f} to {mean('cart_leaves'):.1f} leaves, lower on {n_lower} of {len(chosen)}, with 3/4 "
        f"of the leaves on {n_smaller}"
    )
    is_met = (
        mean("ours") < mean("cart")
        and mean("our_auc") > mean("cart_auc")
        and mean("our_leaves") <= mean("cart_leaves")
        and n_lower >= LOWER_SHARE * len(chosen)
        and n_smaller >= LOWER_SHARE_SMALLER * len(chosen)
    )
    return text, is_met
