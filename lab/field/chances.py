"""Run the contest on probabilities: log loss and AUC over five folds of three deals, all tuned by log loss.

One fit of ours has trees of all sizes, and each is judged, as if a user had asked for so many leaves. So ours meets a
CART twice: by the tree that it chose, and by the one with three quarters of the leaves that the CART chose.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from heirwood.scoring import area_under_curve
from lab.field.cells import Cells
from lab.field.drive import Fit, ask
from lab.field.environments import python_of, ready_peers
from lab.field.numbers import as_numbers, class_codes
from lab.field.peers import OURS, file_of, peer_named
from lab.field.sets import load_sets
from lab.field.study_sets import STUDY_SETS
from lab.field.unseen_rows import N_FOLDS, conditions, stratified
from lab.field.whole_sets import Tell

NAME = "chances"
QUESTION = "log loss and AUC on unseen rows, all tuned by log loss, at most 32 leaves"
DEALS = 3
LEAST = 1e-15  # probability that a class is taken to have at least

Case = dict[str, Any]

CART = "cart_chances"
#: The cases of each who takes part, besides the fold.
CASES: dict[str, list[Case]] = {
    CART: [
        {"criterion": criterion, "smoothing": smoothing}
        for criterion, smoothing in product(("gini", "entropy"), (0.0, "auto"))
    ],
    "licketysplit": [{}],
    OURS: [{}],
}


def run_chances(
    learners: Iterable[str],
    sets: Sequence[str],
    *,
    cells: Cells,
    seeds: Sequence[int] | None = None,
    again: str = "none",
    tell: Tell = print,
) -> None:
    """Fit what is not there yet; parameters as in `lab.field.unseen_rows.run_folds`. A seed deals the rows."""
    asked = set(learners)
    for learner, _ in ready_peers(NAME, (learner for learner in CASES if learner in asked), tell):
        for name, dataset in load_sets(NAME, (name for name in STUDY_SETS if name in sets), tell):
            y = class_codes(dataset)
            tasks = list(_tasks(learner, name, y, range(DEALS) if seeds is None else seeds, cells, again))
            if tasks:
                _run(learner, name, as_numbers(dataset.table), y, tasks, cells, tell)


def _tasks(
    learner: str, name: str, y: np.ndarray, deals: Iterable[int], cells: Cells, again: str
) -> Iterator[tuple[dict[str, Any], Fit]]:
    peer = peer_named(learner)
    limit = getattr(peer, "CHANCES_TIME_LIMIT", getattr(peer, "SIZES_TIME_LIMIT", 300.0))
    for deal in deals:
        for fold, (train, test) in enumerate(stratified(y, N_FOLDS, deal)):
            for case in CASES[learner]:
                cell = {"learner": learner, "set": name, "case": {"fold": fold} | case, "seed": deal}
                if cells.wants(cell, again):
                    yield cell, Fit(peer.for_chances(**case), limit, rows=train, seed=deal, judged=test)


def _run(
    learner: str,
    name: str,
    X: np.ndarray,
    y: np.ndarray,
    tasks: Sequence[tuple[dict[str, Any], Fit]],
    cells: Cells,
    tell: Tell,
) -> None:
    python, fits = python_of(learner, peer_named(learner)), [fit for _, fit in tasks]
    started = time.perf_counter()
    answers = ask(python, file_of(learner), name, X, y, fits)
    for (cell, fit), (answer, versions) in zip(tasks, answers, strict=True):
        if "failed" in answer and learner == OURS:
            raise RuntimeError(f"heirwood failed on {name}: {answer['failed']}")  # ours to mend
        rows, judged = fit.rows if fit.rows is not None else y, fit.judged
        done = answer if "failed" in answer else judge(answer, y[judged])
        cells.add(cell | {"rows": len(rows)} | done | {"versions": versions} | conditions(started))
        told = done.get("failed") or f"log loss {done['log_loss']:.4f}, AUC {done['auc']}, {done['leaves']} leaves"
        tell(f"{NAME}: {learner} {name} {cell['case']} deal {cell['seed']}: {told}")
        started = time.perf_counter()


def judge(answer: dict[str, Any], y: np.ndarray) -> dict[str, Any]:
    """Return what probabilities come to on rows of some classes; where there are trees of other sizes, of each too."""
    shares, classes = answer["shares"], np.array(answer["classes"])
    loss, area = loss_and_area(shares, classes, y)
    by_size = [[leaves, *loss_and_area(each, classes, y)] for leaves, each in answer.get("shares_by_size", ())]
    return {
        "log_loss": loss,
        "auc": area,
        "accuracy": float((classes[shares.argmax(axis=1)] == y).mean()),
        **{name: answer[name] for name in ("leaves", "wall", "cpu")},
        **({"by_size": by_size} if by_size else {}),
    }


def loss_and_area(shares: np.ndarray, classes: np.ndarray, y: np.ndarray) -> tuple[float, float | None]:
    """Return log loss and AUC, one class against the rest; a class that was not known has no probability."""
    places = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    known = classes[places] == y
    given = np.where(known, shares[np.arange(len(y)), places], 0.0)
    areas = [area_under_curve(shares[:, place], y == code) for place, code in enumerate(classes.tolist())]
    found = [area for area in areas if area is not None]
    loss = round(float(-np.log(np.maximum(given, LEAST)).mean()), 6)
    return loss, round(float(np.mean(found)), 6) if found else None
