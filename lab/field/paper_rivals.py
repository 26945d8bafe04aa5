"""The rivals on the paper's sets: J48, run here, and GATree as printed and as reproduced."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lab.field.peers import OURS
from lab.field.standing import Cell
from lab.field.standing_unseen import Mean, has_more, means
from lab.paper.accuracy_printed import NOT_NODES
from lab.paper.folds import N_FOLDS
from lab.paper.sets import SETS

REPRODUCTION = Path(__file__).resolve().parents[2] / "docs" / "reproduction"
GATREE = "GATree 800 as printed"
GATREE_HERE = "GATree 800 as reproduced"  # on the first deal of the folds that ours is tested on


@dataclass(frozen=True)
class Printed:
    """Accuracy and nodes of a learner of the paper on one of its sets."""

    accuracy: float
    nodes: float


def paper_rivals(cells: Sequence[Cell] = ()) -> dict[str, dict[str, Printed]]:
    """Return learner -> set -> figures: J48, GATree at size 800 as printed and as reproduced.

    J48 is that of the cells, on the folds of ours, where all folds of all sets have been run; the reproduction's, on
    folds of Weka's own, otherwise. GATree is printed four times, for two mutation rates and two settings of x; each is
    a rival.
    """
    rivals = _j48_by_weka() | j48_on_our_folds(cells)
    with (REPRODUCTION / "accuracy.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["size"] == "800" and row["accuracy"]]
    for by, figures in ((GATREE, _printed), (GATREE_HERE, _reproduced)):
        for row in (row for row in rows if row["accuracy_printed"]):
            name = f"{by} (mutation {row['mutation_rate']}, x {row['x']})"
            rivals.setdefault(name, {})[f"paper/{row['set']}"] = figures(row)
    return rivals


def j48_on_our_folds(cells: Sequence[Cell]) -> dict[str, dict[str, Printed]]:
    """Return the kinds of J48 that have done all sets of the reproduction, and all folds that ours was tested on."""
    asked, found = folds_done(cells, OURS), {}
    for kind, by_set in _j48_by_weka().items():
        theirs = [cell for cell in cells if cell["learner"] == kind and (not asked or _fold(cell) in asked)]
        run = means(theirs).get(kind, {})
        if by_set.keys() <= run.keys() and folds_done(theirs, kind) >= asked:
            found[kind] = {name: in_nodes(mean) for name, mean in run.items()}
    return found


def folds_done(cells: Sequence[Cell], learner: str, **more: Any) -> set[tuple[str, int, int]]:
    """Return which folds of which deals a learner has been tested on, ours with what is more in its case."""
    return {_fold(cell) for cell in cells if cell["learner"] == learner and has_more(cell, more)}


def _fold(cell: Cell) -> tuple[str, int, int]:
    return cell["set"], cell["seed"], cell["case"]["fold"]


def _j48_by_weka() -> dict[str, dict[str, Printed]]:
    rivals: dict[str, dict[str, Printed]] = {}
    with (REPRODUCTION / "j48.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["accuracy"]:  # on the rows at hand, which stand in for the paper's in two sets
                figures = Printed(float(row["accuracy"]), float(row["nodes"]))
                rivals.setdefault(row["learner"], {})[f"paper/{row['set']}"] = figures
    return rivals


def _printed(row: dict[str, str]) -> Printed:
    return Printed(_unrounded(row, "accuracy_printed", 3), nodes_printed(row))


def _reproduced(row: dict[str, str]) -> Printed:
    return Printed(_unrounded(row, "accuracy", 4), float(row["nodes"]))


def _unrounded(row: dict[str, str], column: str, digits: int) -> float:
    """Return the share of the rows tested that a rounded one stands for: 0.971 of soybean's 35 is 34/35, not less.

    Of a thousand rows and more several may be meant; the largest asks most.
    """
    n_rows = n_tested(f"paper/{row['set']}")
    return math.floor((Fraction(row[column]) + Fraction(1, 2 * 10**digits)) * n_rows) / n_rows


def _nodes(leaves: float) -> float:
    """Return the nodes of binary trees."""
    return 2 * leaves - 1


def in_nodes(mean: Mean) -> Printed:
    """Return a mean of ours in nodes."""
    return Printed(mean.accuracy, _nodes(mean.leaves))


def nodes_printed(row: dict[str, str]) -> float:
    """Return the nodes of a printed size; one that cannot be nodes is read as leaves, not as tests: that asks more."""
    size = float(row["nodes_printed"])
    return _nodes(size) if row["set"] == NOT_NODES else size


def n_tested(name: str) -> int:
    """Return how many rows of a set are tested on, each once a deal: folds are of equal size."""
    return SETS[name.removeprefix("paper/")].rows // N_FOLDS * N_FOLDS
