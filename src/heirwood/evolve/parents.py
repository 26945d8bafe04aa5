"""Parents: chosen on their island by payoff, some of them from the hall of fame."""

from collections.abc import Callable

import numpy as np

from heirwood.core.draws import belows, chances, fold
from heirwood.evolve.hall import Hall
from heirwood.evolve.islands import shores

FROM_HALL = 2**63 + 1  # folded into the key of a selection for what concerns the hall: no island has that number

Select = Callable[[np.ndarray, int, int], np.ndarray]


def choose_parents(
    select: Select, handles: np.ndarray, payoffs: np.ndarray, n_islands: int, n_children: int, key: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and the second parents of the children of all islands, `n_children` on each."""
    mothers, fathers = [], []
    for island, shore in enumerate(shores(len(handles), n_islands)):
        own_key = key if n_islands == 1 else fold(key, island)
        chosen = handles[shore][select(payoffs[shore], 2 * n_children, own_key)]
        mothers.append(chosen[:n_children])
        fathers.append(chosen[n_children:])
    return np.concatenate(mothers), np.concatenate(fathers)


def from_hall(parents: np.ndarray, hall: Hall, share: float, key: int) -> np.ndarray:
    """Return parents of which about a share comes from the hall, each the better one of two drawn sizes."""
    key = fold(key, FROM_HALL)
    n = len(parents)
    called = chances(key, n) < share
    sizes = hall.leaves[belows(fold(key, 1), 2 * n, len(hall.leaves))]
    one, other = sizes[:n], sizes[n:]
    better = np.where(hall.payoffs[one] >= hall.payoffs[other], one, other)
    return np.where(called, hall.handles[better], parents)
