"""The report's section on probabilities."""

from __future__ import annotations

from collections.abc import Sequence

from lab.field.chances import NAME, QUESTION
from lab.field.standing import Cell
from lab.field.standing_chances import RIVALS, ChanceDuel, chance_duels, name_of
from lab.field.study_sets import KEPT_OUT

MUCH_SMALLER = 0.8  # of the leaves of the rival


def chances_section(cells: Sequence[Cell]) -> list[str]:
    """Return the section on log loss."""
    parts = [f"## {NAME.capitalize()}: {QUESTION}", ""]
    found = {name_of(*rival): of_sets for rival in RIVALS if (of_sets := chance_duels(cells, *rival))}
    if not found:
        return [*parts, "Not run yet.", ""]
    parts += [
        "Log loss / AUC / leaves, ours to the rival's, and the log loss of ours with three quarters of the leaves that",
        "CART chose; a class that a tree gives no chance counts as one of 1e-15. CART is grown best-first; its number",
        "of leaves, to 32, and, smoothed, its smoothing are those of least log loss in five inner folds; ours is",
        '`payoff="log_loss", size_selection="cv"`. Lost ones are bold. A set in italics may have had a part in',
        "choosing rules.",
        "",
        "| set | " + " | ".join(found) + " |",
        "|" + "---|" * (len(found) + 1),
    ]
    for name in dict.fromkeys(name for of_sets in found.values() for name in of_sets):
        shown = name if name in KEPT_OUT else f"*{name}*"
        entries = [_entry(of_sets[name]) if name in of_sets else "" for of_sets in found.values()]
        parts.append("| " + " | ".join([shown, *entries]) + " |")
    lost = [f"- {rival}: {'; '.join(told)}." for rival, of_sets in found.items() if (told := _lost(of_sets))]
    if lost:
        parts += ["", "Lost, by the mean of paired differences ± its standard error, and what goes with it:", "", *lost]
    return [*parts, ""]


def _lost(of_sets: dict[str, ChanceDuel]) -> list[str]:
    return [
        f"{name} by {duel.ours - duel.rival:.4f} ± {duel.error:.4f} ({_what_goes_with(duel)})"
        for name, duel in of_sets.items()
        if duel.ours >= duel.rival
    ]


def _what_goes_with(duel: ChanceDuel) -> str:
    """Say what may be the reason: chance, a size that is too small, or the tree."""
    if duel.ours - duel.rival <= duel.error:
        return "within its error"
    sizes = f"{duel.our_leaves:.1f} leaves to {duel.rival_leaves:.1f}"
    return f"smaller, {sizes}" if duel.our_leaves < MUCH_SMALLER * duel.rival_leaves else f"as large, {sizes}"


def _entry(duel: ChanceDuel) -> str:
    ours = _bold(f"{duel.ours:.4f} / {duel.our_auc:.3f} / {duel.our_leaves:.1f}", duel.ours >= duel.rival)
    theirs = f"{duel.rival:.4f} / {duel.rival_auc:.3f} / {duel.rival_leaves:.1f}"
    small = "" if duel.smaller is None else "; " + _bold(f"{duel.smaller:.4f}", duel.smaller >= duel.rival)
    return f"{ours} to {theirs}{small}"


def _bold(text: str, lost: bool) -> str:
    return f"**{text}**" if lost else text
