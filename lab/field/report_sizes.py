"""The report's section on sizes."""

from __future__ import annotations

from collections.abc import Sequence

from lab.field.peers import TUNED_CART
from lab.field.standing import Cell
from lab.field.standing_sizes import BY_FOLDS, FIRST_ANSWER, Duel, duels
from lab.field.study_sets import KEPT_OUT
from lab.field.unseen_rows import FOLD_CONTESTS

ANSWERS = (("default", FIRST_ANSWER), ('size_selection="cv"', BY_FOLDS))


def sizes_section(cells: Sequence[Cell]) -> list[str]:
    """Return the section on the size of the first answer, and of the one by folds."""
    parts = [f"## Sizes: {FOLD_CONTESTS['sizes'].question}", ""]
    found = {
        (answer, peer): of_sets
        for answer, more in ANSWERS
        for peer in TUNED_CART
        if (of_sets := duels(cells, peer, more))
    }
    if not found:
        return [*parts, "Not run yet.", ""]
    parts += [
        "A set in italics may have had a part in choosing rules and constants; the others are kept out (a hash of",
        "their names decides, `lab/field/study_sets.py`). CART is tuned by five inner folds, over its number of",
        "leaves, to 32 (cart_sizes), and over its cost-complexity path (cart_pruned). Differences are paired by fold",
        "and deal; an error is that of their mean. Clearly behind: by more than two of them.",
        "",
    ]
    names = list(dict.fromkeys(name for of_sets in found.values() for name in of_sets))
    head = ["set", *(f"{answer} against {peer}" for answer, peer in found)]
    parts += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name in names:
        shown = name if name in KEPT_OUT else f"*{name}*"
        cells_of = [_entry(of_sets[name]) if name in of_sets else "" for of_sets in found.values()]
        parts.append("| " + " | ".join([shown, *cells_of]) + " |")
    lost = [
        f"{name} ({answer}, {peer})"
        for (answer, peer), of_sets in found.items()
        for name, duel in of_sets.items()
        if duel.is_clearly_behind
    ]
    return [*parts, "", f"Clearly behind: {', '.join(lost) if lost else 'on none'}.", ""]


def _entry(duel: Duel) -> str:
    mark = "**" if duel.is_clearly_behind else ""
    ours, theirs = f"{duel.ours:.4f} / {duel.our_leaves:.1f}", f"{duel.peer:.4f} / {duel.peer_leaves:.1f}"
    return f"{mark}{ours} to {theirs}, {duel.ahead:+.4f} ± {duel.error:.4f}{mark}"
