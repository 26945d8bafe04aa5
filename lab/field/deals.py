"""Which folds of two learners can be compared: those of deals of the rows that both have done whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import stdev
from typing import Any

from lab.field.standing import Cell
from lab.field.study_sets import STUDY_SETS
from lab.field.unseen_rows import N_FOLDS


def more(cell: Cell) -> dict[str, Any]:
    """Return what the case of a cell says besides its fold."""
    return {name: value for name, value in cell["case"].items() if name != "fold"}


def pairs_by_set(ours: Iterable[Cell], theirs: Iterable[Cell]) -> dict[str, list[tuple[Cell, Cell]]]:
    """Return, by set, the cells of both with the same deal and fold, of every deal that both have done whole."""
    one, other = _by_set(ours), _by_set(theirs)
    found = {}
    for name in (name for name in STUDY_SETS if name in one and name in other):
        both = one[name], other[name]
        deals = [deal for deal in one[name] if all(_is_whole(side.get(deal, {})) for side in both)]
        pairs = [tuple(side[deal][fold] for side in both) for deal in deals for fold in range(N_FOLDS)]
        if pairs:
            found[name] = pairs
    return found


def standard_error(differences: Sequence[float]) -> float:
    """Return the standard error of a mean difference, as if folds were independent."""
    return stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else 0.0


def _by_set(cells: Iterable[Cell]) -> dict[str, dict[int, dict[int, Cell]]]:
    found: dict[str, dict[int, dict[int, Cell]]] = {}
    for cell in cells:
        found.setdefault(cell["set"], {}).setdefault(cell["seed"], {})[cell["case"]["fold"]] = cell
    return found


def _is_whole(deal: dict[int, Cell]) -> bool:
    return len(deal) == N_FOLDS and all("failed" not in cell for cell in deal.values())
