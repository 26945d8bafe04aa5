"""The report's section on probabilities."""

from __future__ import annotations

from collections.abc import Sequence

from field.chances import CARTS, NAME, QUESTION
from field.standing import Cell
from field.standing_chances import ChanceDuel, chance_duels, name_of
from field.study_sets import KEPT_OUT


def chances_section(cells: Sequence[Cell]) -> list[str]:
    """Return the section on log loss."""
    parts = [f"## {NAME.capitalize()}: {QUESTION}", ""]
    found = {name_of(entrant): of_sets for entrant in CARTS if (of_sets := chance_duels(cells, entrant))}
    if not found:
        return [*parts, "Not run yet.", ""]
    parts += [
        "Log loss / AUC / leaves, ours to CART's; a class that a tree gives no chance counts as one of 1e-15. CART is",
        "grown best-first, its number of leaves, to 32, is that of least log loss in five inner folds; ours is the",
        'default with `payoff="log_loss"`. A set in italics may have had a part in choosing rules.',
        "",
        "| set | " + " | ".join(found) + " |",
        "|" + "---|" * (len(found) + 1),
    ]
    for name in dict.fromkeys(name for of_sets in found.values() for name in of_sets):
        shown = name if name in KEPT_OUT else f"*{name}*"
        entries = [_entry(of_sets[name]) if name in of_sets else "" for of_sets in found.values()]
        parts.append("| " + " | ".join([shown, *entries]) + " |")
    return [*parts, ""]


def _entry(duel: ChanceDuel) -> str:
    mark = "**" if duel.ours >= duel.cart else ""
    ours = f"{duel.ours:.4f} / {duel.our_auc:.3f} / {duel.our_leaves:.1f}"
    return f"{mark}{ours} to {duel.cart:.4f} / {duel.cart_auc:.3f} / {duel.cart_leaves:.1f}{mark}"
