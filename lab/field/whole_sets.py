"""Run the contests on whole sets: every learner on the same rows, one cell a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from heirwood.data import Dataset
from lab.common.machine import this_machine
from lab.field.cells import Cells
from lab.field.contests import Case, Contest
from lab.field.drive import ENDED, Fit, ask
from lab.field.environments import python_of, ready_peers
from lab.field.numbers import as_numbers, class_codes
from lab.field.peers import OURS, file_of, peer_named
from lab.field.sets import load_sets

Tell = Callable[[str], None]


def run_contest(
    contest: Contest,
    learners: Iterable[str],
    sets: Sequence[str],
    *,
    cells: Cells,
    seeds: Sequence[int] | None = None,
    again: str = "none",
    tell: Tell = print,
) -> None:
    """Fit what is not there yet.

    Parameters
    ----------
    contest : Contest
    learners, sets : names, in the order they are run
    cells : Cells
    seeds : sequence of int, optional
        Those of learners that have a seed; the contest's own number of them by default.
    again : {"none", "all", "short", "failed"}
        Which cells that are there are run again.
    tell : callable
        Gets a line about each cell.
    """
    for learner, peer in ready_peers(contest.name, learners, tell):
        seeded = getattr(peer, "SEEDED", False)
        chosen = (seeds if seeds is not None else range(contest.own_seeds)) if seeded else (0,)
        for name, dataset in load_sets(contest.name, (name for name in sets if name in contest.sets), tell):
            _run_set(contest, learner, name, dataset, chosen, cells, again, tell)


def _run_set(
    contest: Contest,
    learner: str,
    name: str,
    dataset: Dataset,
    seeds: Iterable[int],
    cells: Cells,
    again: str,
    tell: Tell,
) -> None:
    peer, y = peer_named(learner), class_codes(dataset)
    if len(y) > getattr(peer, "MOST_ROWS", np.inf):
        return
    todo = []
    for case in contest.cases(len(y)):
        settings = contest.settings(peer, case)
        for seed in seeds if settings is not None else ():
            cell = {"learner": learner, "set": name, "case": case, "seed": seed}
            if cells.wants(cell, again):
                limit = contest.own_limit(name, len(y)) if learner == OURS else contest.time_limit
                fit = Fit(settings, getattr(peer, "TIME_LIMIT", limit), seed=seed)
                todo.append((cell, fit))
    if not todo:
        return
    X = as_numbers(dataset.table)
    answers = ask(python_of(learner, peer), file_of(learner), name, X, y, [fit for _, fit in todo])
    lost = None  # a learner that had to be ended is not asked for the set's other cases, which are no easier
    for cell, fit in todo:
        answer, versions = ({"failed": lost}, {}) if lost else next(answers)
        if learner == OURS and "failed" in answer:
            raise RuntimeError(f"heirwood failed on {name}: {answer['failed']}")  # ours to mend, not to report
        if answer.get("failed", "").startswith(ENDED):
            lost = answer["failed"]
        done = cell | judge(contest, cell["case"], answer, y) | _conditions(fit, versions, X.shape[1])
        cells.add(done)
        tell(describe(contest, done))


def judge(contest: Contest, case: Case, answer: dict[str, Any], y: np.ndarray) -> dict[str, Any]:
    """Return what an answer is worth: errors are counted here, from the labels, whatever the peer says of itself."""
    if "failed" in answer:
        return {"failed": answer["failed"], "rows": len(y)}
    if answer["depth"] > case.get("depth", np.inf):
        return {"failed": f"its tree has the depth {answer['depth']}", "rows": len(y)}
    n_rows = len(y)
    errors = int(np.count_nonzero(np.asarray(answer.pop("labels")) != y))

    def worth(errors: int, leaves: int) -> float:
        return round(contest.value(case, errors, leaves, n_rows), 6)

    trace = [[second, worth(*tree)] for second, *tree in answer.pop("trace", [])]
    answer.pop("borrowed", None)
    judged = {"rows": n_rows, "errors": errors, "value": worth(errors, answer["leaves"]), **answer}
    return judged | (
        {"trace": falling([*trace, [min(answer["wall"], answer["cpu"]), judged["value"]]])} if trace else {}
    )


def falling(trace: list[list[float]]) -> list[list[float]]:
    """Return the steps (second, value) at which the value fell."""
    kept: list[list[float]] = []
    for second, value in trace:
        if not kept or value < kept[-1][1]:
            kept.append([second, value])
    return kept


def describe(contest: Contest, cell: dict[str, Any]) -> str:
    """Return a line about a cell."""
    case = " ".join(f"{name} {value:.5g}" for name, value in cell["case"].items())
    start = f"{contest.name}: {cell['learner']} {cell['set']} {case} seed {cell['seed']}: "
    if "failed" in cell:
        return start + f"failed, {cell['failed']}"
    proven = ", proven" if cell.get("optimal") else ""
    return start + f"{cell['value']:.5f} ({cell['errors']} errors, {cell['leaves']} leaves{proven}) in {cell['wall']} s"


def _conditions(fit: Fit, versions: dict[str, str], n_numbers: int) -> dict[str, Any]:
    return {
        "settings": fit.settings,
        "time_limit": fit.time_limit,
        "numbers": n_numbers,
        "versions": versions,
        "machine": this_machine(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }
