"""Good trees of the sizes that pay less: a run works on the others.

before the first generation     trees that grow best-first, of every size
once the run has ended          some generations bred from trees of all sizes alike, then each tree with a leaf more
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np

from heirwood.core.draws import child_keys, draws, fold
from heirwood.evolve.best_first import Grower, grow_by_a_leaf, grow_from_scratch
from heirwood.evolve.loop import Evolution, is_overdue
from heirwood.stopped_error import StoppedError

GENERATIONS = 10
FILLING = 2**60  # folded into the seed for children of the hall alone


def fill_first(evolution: Evolution, must_end: Callable[[], bool]) -> None:
    """Let trees that grow greedily into the hall of a run that is about to breed, unless that must end before."""
    with growing(evolution, must_end) as grower:
        for genes in grow_from_scratch(grower):
            evolution.seat(evolution.backend.adopt([genes]))


def fill_sizes(evolution: Evolution) -> None:
    """Look for better trees of all sizes but the best; none is left worse than the one below it with a leaf more."""
    _breed_hall(evolution)
    with growing(evolution, partial(is_overdue, evolution)) as grower:
        for genes in grow_by_a_leaf(grower, partial(_best_of, evolution), evolution.plan.max_leaf_nodes):
            evolution.seat(evolution.backend.adopt([genes]), as_best=False)


def _breed_hall(evolution: Evolution) -> None:
    """Breed children of trees of all sizes alike, for the hall alone; what they gain is not weighed against leaves."""
    backend, n = evolution.backend, evolution.plan.succession.n_children
    key = fold(evolution.seed, FILLING)
    backend.adapt(price=0.0)
    for number in range(GENERATIONS):
        famous = evolution.hall.handles[evolution.hall.leaves]
        mothers = np.resize(famous, n)
        fathers = famous[(draws(fold(key, number), n) % np.uint64(len(famous))).astype(np.int64)]
        children = backend.breed(mothers, fathers, child_keys(key, number, n), evolution.must_end)
        backend.refresh(children)
        evolution.seat(children[: backend.n_bred], as_best=False)
        if is_overdue(evolution):
            break
    backend.adapt(price=evolution.price)


def _best_of(evolution: Evolution, leaves: int) -> np.ndarray | None:
    handle = int(evolution.hall.handles[leaves])
    return None if handle < 0 else evolution.backend.genes(handle)[0]


@contextmanager
def growing(evolution: Evolution, must_end: Callable[[], bool]) -> Iterator[Grower]:
    """Lend a grower, until it must end; exact cuts that its trees ask stay in the bank for as long."""
    backend = evolution.backend
    rules, n_words = backend.problem.rules, backend.problem.bank.bits.shape[1]
    try:
        yield Grower(backend.lookahead(), rules, n_words, must_end, backend.hold)
    except StoppedError:
        return
    finally:
        backend.release()
        evolution.let_go()
