"""Collect the candidates of the searches beside breeding, and choose the trees of the population they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heirwood.backends.cpu import spans_and_heights
from heirwood.evolve.islands import shores, worst_first
from heirwood.stopped_error import StoppedError

if TYPE_CHECKING:
    from heirwood.evolve.loop import Evolution

Offer = tuple[int, np.ndarray]  # the place of a tree of the population, and the genes of what may take it


def offers_of(evolution: Evolution, *, scouting: bool) -> list[Offer]:
    """Let every search go on for its share of a generation; return what they found that holds the limits of size.

    Where the run must end meanwhile, nothing is returned.
    """
    try:
        return _offers(evolution, scouting)
    except StoppedError:
        return []


def _offers(evolution: Evolution, scouting: bool) -> list[Offer]:
    if evolution.exactly is None and evolution.scout is None and evolution.narrow_scout is None:
        return []
    home, *others = shores(evolution.plan.population_size, evolution.plan.islands)
    offers: list[Offer] = []
    if evolution.exactly is not None:
        offers = evolution.exactly.offers(
            evolution.generation, evolution.hall, evolution.handles, evolution.payoffs, home, evolution.backend
        )
    if evolution.must_end is not None and evolution.must_end():
        raise StoppedError
    for shore, built in _scouted(evolution, home, others) if scouting else []:
        given = {place for place, _ in offers}
        offers += [(place, built) for place in worst_first(evolution.payoffs, shore) if place not in given][:1]
    return [(place, genes) for place, genes in offers if _is_allowed(evolution, genes)]


def _scouted(evolution: Evolution, home: slice, others: list[slice]) -> list[tuple[slice, np.ndarray]]:
    """Let scouts build on; return the trees that are done, and where they are to live."""
    # While the best tree of all is being proven, nothing else needs the time.
    proving = evolution.exactly is not None and evolution.exactly.is_under_way
    scout, narrow_scout = evolution.scout, evolution.narrow_scout
    for each in (scout, narrow_scout):
        if each is not None:
            each.must_end = evolution.must_end
    found: list[tuple[slice, np.ndarray | None]] = []
    if scout is not None and not (scout.has_seen_all and proving):
        built = scout.go_on(evolution.price)
        found.append((others[-1] if others and scout.n_drawn else home, built))
    if narrow_scout is not None and evolution.generation > 0 and not proving:
        best = float(evolution.payoffs.max())
        found.append((home, narrow_scout.go_on(evolution.price, best, lambda: _asked(evolution))))
    return [(shore, built) for shore, built in found if built is not None]


def _asked(evolution: Evolution) -> list[np.ndarray]:
    """Return the genes of the population and of the hall."""
    hall = evolution.hall
    handles = (*hall.handles[hall.leaves], *evolution.handles)
    return [evolution.backend.genes(int(handle))[0] for handle in handles]


def _is_allowed(evolution: Evolution, genes: np.ndarray) -> bool:
    """Say whether a tree holds the limits of size: one that an earlier run began may not."""
    max_depth = evolution.backend.problem.rules.max_depth
    return (len(genes) + 1) // 2 <= evolution.plan.max_leaf_nodes and int(spans_and_heights(genes)[1][0]) <= max_depth
