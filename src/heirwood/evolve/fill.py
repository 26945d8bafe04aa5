"""Good trees of the sizes that pay less: a run works on the others.

before the first generation     trees that grow best-first, of every size
once the run has ended          some generations bred from trees of all sizes alike, then each tree with a leaf more
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np

from heirwood.evolve.best_first import Grower, grow_by_a_leaf, grow_from_scratch
from heirwood.evolve.loop import Evolution
from heirwood.stopping import StoppedError

GENERATIONS = 10


def fill_first(evolution: Evolution, must_end: Callable[[], bool]) -> None:
    """Let trees that grow greedily into the hall of a run that is about to breed, unless that must end before."""
    with suppress(StoppedError):
        evolution.invite(grow_from_scratch(_grower(evolution, must_end)))


def fill_sizes(evolution: Evolution) -> None:
    """Look for better trees of all sizes but the best; none is left worse than the one below it with a leaf more."""
    evolution.breed_hall(GENERATIONS)
    by_a_leaf = partial(grow_by_a_leaf, best_of=partial(_best_of, evolution), max_leaves=evolution.plan.max_leaves)
    with suppress(StoppedError):
        must_end = evolution.must_end or (lambda: False)
        evolution.invite(by_a_leaf(_grower(evolution, must_end)), as_best=False)


def _best_of(evolution: Evolution, leaves: int) -> np.ndarray | None:
    handle = int(evolution.hall.handles[leaves])
    return None if handle < 0 else evolution.backend.genes(handle)[0]


def _grower(evolution: Evolution, must_end: Callable[[], bool]) -> Grower:
    backend = evolution.backend
    return Grower(backend.lookahead(), backend.problem.rules, backend.problem.bank.bits.shape[1], must_end)
