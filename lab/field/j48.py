"""J48 on the paper's sets: Weka's, on the folds that Heirwood is tested on, with the table as it is.

It takes nominal columns as they are and no environment of Python's, so it is no peer like the others: a program, called
once a fold. Its two kinds are those of the paper, with the settings it had; nothing is tuned.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from heirwood.data import Dataset
from lab.field.cells import Cells
from lab.field.sets import load_sets, paper_folds
from lab.field.unseen_rows import N_FOLDS, PAPERS, conditions, describe
from lab.field.whole_sets import Tell
from lab.paper.accuracy_printed import J48_KINDS
from lab.paper.weka import Weka, WekaError, WekaMissingError, find_weka

NAME = "j48"  # to name it by


def run_j48(
    sets: Iterable[str],
    *,
    cells: Cells,
    seeds: Sequence[int] | None = None,
    again: str = "none",
    tell: Tell = print,
) -> None:
    """Fit what is not there yet of the paper's sets; without Weka, say so.

    It has no seed, but the deals of folds have: a cell is told by that of its deal.
    """
    try:
        weka = find_weka()
    except WekaMissingError as error:
        tell(f"paper: {NAME} is left out: {error}")
        return
    for name, dataset in load_sets("paper", sets, tell):
        for cell in cells_of(name, range(PAPERS.own_seeds) if seeds is None else seeds):
            if cells.wants(cell, again):
                done = cell | fit(weka, dataset, cell)
                cells.add(done)
                tell(describe(PAPERS, done))


def cells_of(name: str, seeds: Iterable[int]) -> list[dict[str, Any]]:
    """Return what tells the cells of a set from others."""
    return [
        {"learner": kind, "set": name, "case": {"fold": fold}, "seed": seed}
        for seed, kind, fold in product(seeds, J48_KINDS, range(N_FOLDS))
    ]


def fit(weka: Weka, dataset: Dataset, cell: dict[str, Any]) -> dict[str, Any]:
    """Return a fold's result."""
    assert dataset.target is not None
    train, test = paper_folds(cell["set"], len(dataset.target), cell["seed"])[cell["case"]["fold"]]
    started = time.perf_counter()
    try:
        run = weka.j48_on(dataset, train, test, cell["learner"])
    except WekaError as error:
        return {"failed": str(error), **conditions(started)}
    return {
        "rows": len(train),
        "accuracy": run.accuracy,
        "leaves": run.leaves,
        "wall": run.seconds,
        "versions": {"weka": weka.version},
        **conditions(started),
    }
