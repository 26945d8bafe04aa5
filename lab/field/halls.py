"""Run the contest on halls of fame: the fewest training errors with at most k leaves, for every k to 32.

One fit with default settings answers at every size. CART grows best-first, by Gini and by entropy, on the same rows as
numbers (one column a level). Nothing is timed, so everyone runs in this process.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from heirwood import EvolvedTreeClassifier
from heirwood.data import Dataset
from lab.field.cart_trees import MOST_LEAVES, BestFirst
from lab.field.cells import Cells
from lab.field.numbers import as_numbers, class_codes
from lab.field.peers import OURS
from lab.field.sets import SETS, load_sets
from lab.field.study_sets import COVTYPE, STUDY_SETS
from lab.field.unseen_rows import conditions
from lab.field.whole_sets import Tell

NAME = "halls"
MOST_ROWS = 50_000
HALL_SETS = tuple(name for name in dict.fromkeys((*SETS, *STUDY_SETS)) if name != COVTYPE)
GROWN = "cart_leaves"
CRITERIA = ("gini", "entropy")
CASES: dict[str, list[dict[str, Any]]] = {GROWN: [{"criterion": each} for each in CRITERIA], OURS: [{}]}


def run_halls(learners: Iterable[str], sets: Sequence[str], *, cells: Cells, again: str = "none", tell: Tell) -> None:
    """Fit what is not there yet; parameters as in `lab.field.whole_sets.run_contest`."""
    chosen = (name for name in sets if name in HALL_SETS)
    for name, dataset in load_sets(NAME, chosen, tell):
        y = class_codes(dataset)
        for learner in (learner for learner in CASES if learner in learners and len(y) <= MOST_ROWS):
            for case in CASES[learner]:
                cell = {"learner": learner, "set": name, "case": case, "seed": 0}
                if cells.wants(cell, again):
                    started = time.perf_counter()
                    errors = hall_errors(dataset, y) if learner == OURS else grown_errors(dataset, y, **case)
                    cells.add(cell | {"rows": len(y), "errors": errors} | conditions(started))
                    tell(f"{NAME}: {learner} {name} {case}: {errors[-1]} errors with {MOST_LEAVES} leaves at most")


def hall_errors(dataset: Dataset, y: np.ndarray) -> list[int]:
    """Return our errors with at most 1, 2, ... leaves."""
    model = EvolvedTreeClassifier(random_state=0).fit(dataset.table, y)
    errors = np.full(MOST_LEAVES + 1, len(y))
    for entry in model.hall_:
        errors[entry.leaves :] = np.minimum(errors[entry.leaves :], round(entry.errors))
    return [int(each) for each in errors[1:]]


def grown_errors(dataset: Dataset, y: np.ndarray, criterion: str) -> list[int]:
    """Return the errors of CART's trees with 1, 2, ... leaves; once it cannot grow, those of its largest."""
    X = as_numbers(dataset.table)
    grown = BestFirst(X, y, criterion)
    labels = grown.model.classes_[grown.tree.value[:, 0].argmax(axis=1)]
    found = [int(np.count_nonzero(labels[nodes] != y)) for nodes in grown.nodes(X, grown.settings())]
    return found + [found[-1]] * (MOST_LEAVES - len(found))
