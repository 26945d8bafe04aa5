"""What was not run: cells that a contest asks for and that are not there, by learner, set and case, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from lab.field.cells import case_words, key_of
from lab.field.contests import CONTESTS, Contest
from lab.field.environments import is_ready, why_not
from lab.field.j48 import cells_of
from lab.field.peers import LEARNERS, OURS, peer_named
from lab.field.standing import Cell
from lab.field.unseen_rows import FOLD_CONTESTS, N_FOLDS, PAPERS, FoldContest
from lab.paper.accuracy_printed import J48_KINDS

ANY_SIZE = float("inf")
FEW = 4  # cells of a set that are named one by one


def not_run(cells: dict[str, list[Cell]]) -> list[str]:
    """Return a line for every learner and contest with cells that are asked for and not there."""
    n_rows = {cell["set"]: cell["rows"] for name in CONTESTS for cell in cells[name]}
    lines = []
    for name, learner in product((*CONTESTS, *FOLD_CONTESTS), LEARNERS):
        have = {key_of(cell) for cell in cells[name]}
        asked = list(asked_for(name, learner, n_rows))
        missing = [cell for cell in asked if key_of(cell) not in have]
        if missing:
            lines.append(f"- {name}, {learner}: no cell{_where(missing, asked)}; {_why(name, learner)}")
    lines += _no_j48(cells[PAPERS.name])
    return [*lines, ""] if lines else []


def _no_j48(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield a line for each kind of J48, which is no peer like the others, that has not done all deals."""
    have = {key_of(cell) for cell in cells}
    asked = [cell for each in PAPERS.sets for cell in cells_of(each, range(PAPERS.own_seeds))]
    for kind in J48_KINDS:
        of_kind = [cell for cell in asked if cell["learner"] == kind]
        missing = [cell for cell in of_kind if key_of(cell) not in have]
        if missing:
            yield f"- {PAPERS.name}, {kind}: no cell{_where(missing, of_kind)}; not run yet"


def asked_for(name: str, learner: str, n_rows: dict[str, int]) -> Iterator[Cell]:
    """Yield what tells each cell from others that a contest asks of a learner; sets that nobody has done included."""
    if name in CONTESTS:
        return _of_whole_sets(CONTESTS[name], learner, n_rows)
    return _of_folds(FOLD_CONTESTS[name], learner, n_rows)


def _of_whole_sets(contest: Contest, learner: str, n_rows: dict[str, int]) -> Iterator[Cell]:
    peer = peer_named(learner)
    seeds = range(contest.own_seeds) if learner == OURS else (0,)
    for each in _small_enough(contest.sets, n_rows, getattr(peer, "MOST_ROWS", ANY_SIZE)):
        for case, seed in product(contest.cases(n_rows.get(each, 100)), seeds):
            if contest.settings(peer, case) is not None:
                yield {"learner": learner, "set": each, "case": case, "seed": seed}


def _of_folds(contest: FoldContest, learner: str, n_rows: dict[str, int]) -> Iterator[Cell]:
    if learner not in contest.learners:
        return
    ours = learner == OURS
    has_seeds = ours or contest.deals_anew == "evenly"
    most = getattr(peer_named(learner), "SIZES_MOST_ROWS", ANY_SIZE)
    cases = contest.own_cases() if ours else [{}]
    for each in _small_enough(contest.sets, n_rows, most):
        for more, seed, fold in product(cases, range(contest.own_seeds) if has_seeds else (0,), range(N_FOLDS)):
            yield {"learner": learner, "set": each, "case": {"fold": fold} | more, "seed": seed}


def _small_enough(sets: Iterable[str], n_rows: dict[str, int], most: float) -> Iterator[str]:
    return (each for each in sets if n_rows.get(each, 0) <= most)


def _where(missing: Sequence[Cell], asked: Sequence[Cell]) -> str:
    """Say on which sets; of those that a learner has some cells of, which."""
    if len(missing) == len(asked):
        return ""
    parts = []
    for each in dict.fromkeys(cell["set"] for cell in missing):
        here = [cell for cell in missing if cell["set"] == each]
        n_asked = sum(cell["set"] == each for cell in asked)
        which = ", ".join(map(_label, here)) if len(here) <= FEW else f"{len(here)} of {n_asked}"
        parts.append(each if len(here) == n_asked else f"{each} ({which})")
    return " on " + ", ".join(parts)


def _label(cell: Cell) -> str:
    case = case_words(cell["case"])
    return f"{case} seed {cell['seed']}" if cell["learner"] == OURS else case


def _why(name: str, learner: str) -> str:
    peer = peer_named(learner)
    reasons = []
    most = getattr(peer, "MOST_ROWS" if name in CONTESTS else "SIZES_MOST_ROWS", None)
    if most is not None:
        reasons.append(f"it is asked on sets of at most {most:,} rows")
    reasons.append("not run yet" if is_ready(learner, peer) else why_not(learner))
    return "; ".join(reasons)
