"""Run the contest on probabilities: log loss and AUC over five folds of three deals, all tuned by log loss."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from field.cells import Cells
from field.drive import Fit, ask
from field.environments import python_of, ready_peers
from field.numbers import as_numbers, class_codes
from field.peers import OURS, file_of, peer_named
from field.sets import load_sets
from field.study_sets import STUDY_SETS
from field.unseen_rows import N_FOLDS, conditions, stratified
from field.whole_sets import Tell
from heirwood.scoring import area_under_curve

NAME = "chances"
QUESTION = "log loss and AUC on unseen rows, all tuned by log loss, at most 32 leaves"
DEALS = 3
LEAST = 1e-15  # probability that a class is taken to have at least


@dataclass(frozen=True)
class Entrant:
    """A learner and what is asked of it besides its defaults."""

    learner: str
    case: dict[str, Any]


CARTS = tuple(
    Entrant("cart_chances", {"criterion": criterion, "smoothing": smoothing})
    for criterion, smoothing in product(("gini", "entropy"), (0.0, 1.0))
)
ENTRANTS = (Entrant(OURS, {}), *CARTS)


def run_chances(
    learners: Iterable[str],
    sets: Sequence[str],
    *,
    cells: Cells,
    seeds: Sequence[int] | None = None,
    again: str = "none",
    tell: Tell = print,
) -> None:
    """Fit what is not there yet; parameters as in `field.unseen_rows.run_folds`. A seed deals the rows."""
    asked = set(learners)
    taking_part = dict.fromkeys(entrant.learner for entrant in ENTRANTS if entrant.learner in asked)
    for learner, _ in ready_peers(NAME, taking_part, tell):
        entrants = [entrant for entrant in ENTRANTS if entrant.learner == learner]
        for name, dataset in load_sets(NAME, (name for name in STUDY_SETS if name in sets), tell):
            y = class_codes(dataset)
            for entrant in entrants:
                tasks = _tasks(entrant, name, y, range(DEALS) if seeds is None else seeds, cells, again)
                if tasks:
                    _run(entrant, name, as_numbers(dataset.table), y, tasks, cells, tell)


def _tasks(
    entrant: Entrant, name: str, y: np.ndarray, deals: Iterable[int], cells: Cells, again: str
) -> list[tuple[dict[str, Any], Fit]]:
    peer = peer_named(entrant.learner)
    limit = getattr(peer, "CHANCES_TIME_LIMIT", getattr(peer, "SIZES_TIME_LIMIT", 300.0))
    tasks = []
    for deal in deals:
        for fold, (train, test) in enumerate(stratified(y, N_FOLDS, deal)):
            cell = {"learner": entrant.learner, "set": name, "case": {"fold": fold} | entrant.case, "seed": deal}
            if cells.wants(cell, again):
                fit = Fit(peer.for_chances(**entrant.case), limit, rows=train, seed=deal, judged=test)
                tasks.append((cell, fit))
    return tasks


def _run(
    entrant: Entrant,
    name: str,
    X: np.ndarray,
    y: np.ndarray,
    tasks: Sequence[tuple[dict[str, Any], Fit]],
    cells: Cells,
    tell: Tell,
) -> None:
    python, fits = python_of(entrant.learner, peer_named(entrant.learner)), [fit for _, fit in tasks]
    started = time.perf_counter()
    answers = ask(python, file_of(entrant.learner), name, X, y, fits)
    for (cell, fit), (answer, versions) in zip(tasks, answers, strict=True):
        if "failed" in answer and entrant.learner == OURS:
            raise RuntimeError(f"heirwood failed on {name}: {answer['failed']}")  # ours to mend
        rows, judged = fit.rows if fit.rows is not None else y, fit.judged
        done = answer if "failed" in answer else judge(answer, y[judged])
        cells.add(cell | {"rows": len(rows)} | done | {"versions": versions} | conditions(started))
        told = done.get("failed") or f"log loss {done['log_loss']:.4f}, AUC {done['auc']}, {done['leaves']} leaves"
        tell(f"{NAME}: {entrant.learner} {name} {cell['case']} deal {cell['seed']}: {told}")
        started = time.perf_counter()


def judge(answer: dict[str, Any], y: np.ndarray) -> dict[str, Any]:
    """Return what probabilities come to on rows of some classes: a class that was not known has none."""
    shares, classes = answer["shares"], np.array(answer["classes"])
    places = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    known = classes[places] == y
    given = np.where(known, shares[np.arange(len(y)), places], 0.0)
    areas = [area_under_curve(shares[:, place], y == code) for place, code in enumerate(classes.tolist())]
    found = [area for area in areas if area is not None]
    return {
        "log_loss": round(float(-np.log(np.maximum(given, LEAST)).mean()), 6),
        "auc": round(float(np.mean(found)), 6) if found else None,
        "accuracy": float((classes[shares.argmax(axis=1)] == y).mean()),
        **{name: answer[name] for name in ("leaves", "wall", "cpu", "by_size")},
    }
