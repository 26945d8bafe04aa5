"""What the cells on halls of fame say: at how many sizes CART has fewer training errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.field.halls import GROWN, HALL_SETS
from lab.field.peers import OURS
from lab.field.standing import Cell, Verdict


@dataclass(frozen=True)
class HallDuel:
    """Training errors on one set with at most 1, 2, ... leaves: ours, and the fewer of CART's two."""

    name: str
    ours: tuple[int, ...]
    cart: tuple[int, ...]

    @property
    def behind(self) -> list[int]:
        """The numbers of leaves at which CART has fewer."""
        return [leaves for leaves, (one, other) in enumerate(zip(self.ours, self.cart, strict=True), 1) if one > other]

    @property
    def ahead(self) -> list[int]:
        """The numbers of leaves at which it has more."""
        return [leaves for leaves, (one, other) in enumerate(zip(self.ours, self.cart, strict=True), 1) if one < other]


def hall_duels(cells: Sequence[Cell]) -> list[HallDuel]:
    """Return every set that both have done."""
    found = []
    for name in HALL_SETS:
        ours = [cell["errors"] for cell in cells if cell["set"] == name and cell["learner"] == OURS]
        grown = [cell["errors"] for cell in cells if cell["set"] == name and cell["learner"] == GROWN]
        if ours and grown:
            found.append(HallDuel(name, tuple(ours[0]), tuple(map(min, zip(*grown, strict=True)))))
    return found


def halls(cells: Sequence[Cell]) -> Verdict:
    """Judge the sizes of all sets together."""
    what = "halls: training errors with at most k leaves, k = 1 to 32, of one default fit against CART best-first"
    must = "no more than CART's (the better of Gini and entropy) on every set of at most 50,000 rows, at every k"
    found = hall_duels(cells)
    if not found:
        return Verdict(what, must, "not run yet", None)
    n_sizes = sum(len(duel.ours) for duel in found)
    n_ahead, n_behind = (sum(len(getattr(duel, name)) for duel in found) for name in ("ahead", "behind"))
    lost = "; ".join(f"{duel.name} at {', '.join(map(str, duel.behind))}" for duel in found if duel.behind)
    told = f"fewer at {n_ahead}, more at {n_behind} of {n_sizes} sizes on {len(found)} sets"
    return Verdict(what, must, told + (f" ({lost})" if lost else ""), n_behind == 0)
