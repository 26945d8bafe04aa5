"""Run the contests on unseen rows: test accuracy over five folds, the size chosen by inner cross-validation.

Every setting of a learner is fitted to the inner folds and to all training rows. The setting with most hits in the
inner folds is its answer (the smaller tree where two are level), among those whose tree has at most 32 leaves; what
the others do on the test rows is kept too: of a learner that finds trees of many sizes in one fit, all of these.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, product
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from heirwood.data import Dataset
from lab.common.machine import this_machine
from lab.field.cells import Cells
from lab.field.drive import Fit, ask
from lab.field.environments import python_of, ready_peers
from lab.field.numbers import as_numbers, class_codes
from lab.field.peers import LEARNERS, OURS, TUNED_CART, file_of, peer_named
from lab.field.sets import PAPER, SETS, load_sets, paper_folds
from lab.field.study_sets import STUDY_SETS
from lab.field.whole_sets import Tell

N_FOLDS, N_INNER = 5, 3
MOST_LEAVES = 32
TIME_LIMIT = 5.0  # seconds a fit, for a peer that can be told: a fold takes dozens of fits
BUDGET = 600.0  # seconds a fold, all fits together


@dataclass(frozen=True)
class FoldContest:
    """A contest on unseen rows; ours takes part as it is, and with each of some settings more.

    Where rows are dealt anew, every seed has folds of its own: as in the paper, or with the classes spread evenly.
    """

    name: str
    question: str
    sets: tuple[str, ...]
    learners: tuple[str, ...]
    more: tuple[dict[str, Any], ...] = ()
    own_seeds: int = 3
    deals_anew: str = ""  # "", "paper" or "evenly"

    def own_cases(self) -> list[dict[str, Any]]:
        """Return what is more in the cases of ours, the plain one first."""
        return [{}, *self.more]


ACCURACY = FoldContest(
    "accuracy",
    "test accuracy over five folds, at most 32 leaves, the size chosen by inner cross-validation",
    SETS,
    LEARNERS,
)
PAPERS = FoldContest(
    "paper",
    "test accuracy and size on the paper's sets, against J48 and the paper's GATree",
    PAPER,
    (OURS,),  # J48 is no peer like the others (`lab.field.j48`); GATree is in docs/reproduction
    ({"size": "cv_best"}, *({"cost": cost} for cost in (0.005, 0.01, 0.02, 0.0225, 0.025)), {"root_cost": 0.18}),
    own_seeds=6,
    deals_anew="paper",  # what one deal of a hundred rows says of two learners is half luck
)
SIZES = FoldContest(
    "sizes",
    "test accuracy and size over five folds of three deals, at most 32 leaves: the first answer, and sizes by folds",
    STUDY_SETS,
    (OURS, *TUNED_CART, "licketysplit", "fastsmalltree", "pycontree", "pystreed", "evtree"),
    ({"size": "payoff"},),
    deals_anew="evenly",
)
FOLD_CONTESTS = {contest.name: contest for contest in (ACCURACY, PAPERS, SIZES)}


@dataclass(frozen=True, eq=False)
class FoldTask:
    """One fold: the fits that are asked for, and what they are asked of."""

    cell: dict[str, Any]
    test: np.ndarray
    settings: Sequence[dict[str, Any]]
    inner: Sequence[np.ndarray]  # rows held out, each
    fits: Sequence[Fit]


def run_folds(
    contest: FoldContest,
    learners: Iterable[str],
    sets: Sequence[str],
    *,
    cells: Cells,
    seeds: Sequence[int] | None = None,
    again: str = "none",
    tell: Tell = print,
) -> None:
    """Fit what is not there yet; parameters as in `lab.field.whole_sets.run_contest`."""
    taking_part = (learner for learner in learners if learner in contest.learners)
    for learner, peer in ready_peers(contest.name, taking_part, tell):
        has_seeds = contest.deals_anew or getattr(peer, "SEEDED", False)
        chosen = (seeds if seeds is not None else range(contest.own_seeds)) if has_seeds else (0,)
        for name, dataset in load_sets(contest.name, (name for name in sets if name in contest.sets), tell):
            _run_set(contest, learner, name, dataset, chosen, cells, again, tell)


def _run_set(
    contest: FoldContest,
    learner: str,
    name: str,
    dataset: Dataset,
    seeds: Iterable[int],
    cells: Cells,
    again: str,
    tell: Tell,
) -> None:
    peer, y = peer_named(learner), class_codes(dataset)
    if len(y) > getattr(peer, "SIZES_MOST_ROWS", np.inf):
        return
    tasks = []
    for more, seed in product(contest.own_cases() if learner == OURS else [{}], seeds):
        for place, (train, test) in enumerate(folds_of(contest, name, y, seed)):
            cell = {"learner": learner, "set": name, "case": {"fold": place} | more, "seed": seed}
            if cells.wants(cell, again):
                tasks.append(make_task(cell, peer, y, train, test))
    if not tasks:
        return
    fits = [fit for task in tasks for fit in task.fits]
    answers = ask(python_of(learner, peer), file_of(learner), name, as_numbers(dataset.table), y, fits)
    lost = None  # a learner that does not end on one fold is not asked for the others
    for task in tasks:
        started = time.perf_counter()
        done = {"failed": lost} if lost else _run_fold(learner, answers, task, y)
        lost = done.get("failed")
        cells.add(task.cell | {"rows": len(task.fits[0].rows)} | done | conditions(started))
        tell(describe(contest, task.cell | done))


def folds_of(contest: FoldContest, name: str, y: np.ndarray, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the rows to train on and to test on; where rows are dealt anew, those of the seed's deal."""
    if contest.deals_anew == "paper":
        return paper_folds(name, len(y), seed)
    return stratified(y, N_FOLDS, seed if contest.deals_anew else 0)


def stratified(y: np.ndarray, n_folds: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return folds with the classes spread evenly."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class of fewer rows than folds is in some of them only
        return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(y, y))


def make_task(cell: dict[str, Any], peer: ModuleType, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> FoldTask:
    """Return every fit of one fold: each setting on all training rows, and on the inner folds if there is a choice."""
    settings = peer.for_sizes(**{name: value for name, value in cell["case"].items() if name != "fold"})
    limit = getattr(peer, "SIZES_TIME_LIMIT", getattr(peer, "TIME_LIMIT", TIME_LIMIT))
    limit = getattr(peer, "SIZES_LONGER_LIMITS", {}).get(cell["set"], limit)
    seed = cell["seed"]
    parts = stratified(y[train], N_INNER, cell["case"]["fold"]) if len(settings) > 1 else []
    rows = [train, *(train[kept] for kept, _ in parts)]  # rows outside, settings inside: what is made once stays made
    fits = [Fit(each, limit, rows=those, seed=seed) for those in rows for each in settings]
    return FoldTask(cell, test, settings, [train[held] for _, held in parts], fits)


def _run_fold(
    learner: str, stream: Iterator[tuple[dict[str, Any], dict[str, str]]], task: FoldTask, y: np.ndarray
) -> dict[str, Any]:
    answers, versions, end = [], {}, time.monotonic() + BUDGET
    for answer, told in islice(stream, len(task.fits)):
        if learner == OURS and "failed" in answer:
            raise RuntimeError(f"heirwood failed on {task.cell['set']}: {answer['failed']}")  # ours to mend
        answers.append(answer)
        versions = told or versions
        if learner != OURS and time.monotonic() > end:
            break
    if len(answers) < len(task.fits):
        return {"failed": f"{len(answers)} of {len(task.fits)} fits of a fold took {BUDGET:.0f} s"}
    outside = getattr(peer_named(learner), "OUTSIDE", False)
    return choose(task, answers, y, outside=outside) | {"versions": versions}


def choose(task: FoldTask, answers: Sequence[dict[str, Any]], y: np.ndarray, *, outside: bool) -> dict[str, Any]:
    """Return the fold's result: the setting with most inner hits, its tree, and what it took to find it."""
    n = len(task.settings)
    whole, inner = answers[:n], [answers[n * (place + 1) : n * (place + 2)] for place in range(len(task.inner))]
    curve = []
    for place in range(n):
        parts = [part[place] for part in inner]
        if any("failed" in answer for answer in (whole[place], *parts)):
            continue
        if whole[place]["leaves"] > MOST_LEAVES and not outside:
            continue
        hits = sum(_hits(part, y, held) for part, held in zip(parts, task.inner, strict=True))
        curve.append((-hits, whole[place]["leaves"], place))
    if not curve:
        reasons = [answer["failed"] for answer in answers if "failed" in answer]
        return {"failed": reasons[0] if reasons else f"no tree of at most {MOST_LEAVES} leaves"}
    best = min(curve)[2]
    paid = [answer for part in inner for answer in part if "failed" not in answer]
    wall, cpu = (  # what several fits share, such as cuts, is paid for once
        whole[best][clock] + sum(answer[clock] - answer["borrowed"][place] for answer in paid)
        for place, clock in enumerate(("wall", "cpu"))
    )
    return {
        "accuracy": _hits(whole[best], y, task.test) / len(task.test),
        "leaves": whole[best]["leaves"],
        "depth": whole[best]["depth"],
        "settings": task.settings[best],
        "n_settings": len(curve),
        "wall": round(wall, 4),
        "cpu": round(cpu, 4),
        "curve": sorted(
            [leaves, round(_count(labels, y, task.test) / len(task.test), 5)]
            for _, _, p in curve
            for leaves, labels in whole[p].get("hall", [(whole[p]["leaves"], whole[p]["labels"])])
        ),
    }


def _hits(answer: dict[str, Any], y: np.ndarray, rows: np.ndarray) -> int:
    return _count(answer["labels"], y, rows)


def _count(labels: Sequence[int], y: np.ndarray, rows: np.ndarray) -> int:
    return int(np.count_nonzero(np.asarray(labels)[rows] == y[rows]))


def describe(contest: FoldContest, cell: dict[str, Any]) -> str:
    """Return a line about a cell."""
    case = " ".join(f"{name} {value}" for name, value in cell["case"].items())
    start = f"{contest.name}: {cell['learner']} {cell['set']} {case} seed {cell['seed']}: "
    if "failed" in cell:
        return start + f"failed, {cell['failed']}"
    return start + f"{cell['accuracy']:.4f} with {cell['leaves']} leaves in {cell['wall']} s"


def conditions(started: float) -> dict[str, Any]:
    """Return how long a cell took that was begun at a moment, on which machine and when."""
    return {
        "took": round(time.perf_counter() - started, 2),
        "machine": this_machine(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }
