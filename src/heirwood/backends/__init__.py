"""Backends: who computes a generation.

A backend owns its trees (population and hall) under handles. The loop sees sums and sizes, and
the genes of trees it asks for; so `slow` can keep the paper's index lists at leaves, and a cluster
or a GPU its rows.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from heirwood.backends.cpu import CpuBackend
from heirwood.backends.problem import OPERATOR_NAMES, Problem, can_pair, is_informed, operator_odds
from heirwood.data.exact_cuts import Gap
from heirwood.payoff import Trees


class Backend(Protocol):
    """What the loop asks of a backend."""

    problem: Problem
    n_bred: int

    def start(self, keys: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def adopt(self, rows_of_genes: list[np.ndarray]) -> np.ndarray: ...  # noqa: D102
    def breed(  # noqa: D102
        self, mothers: np.ndarray, fathers: np.ndarray, keys: np.ndarray, must_end: Callable[[], bool] | None = None
    ) -> np.ndarray: ...
    def refresh(self, children: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def record(self, handles: np.ndarray) -> Trees: ...  # noqa: D102
    def tree_hashes(self, handles: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def operators(self, children: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def adapt(self, **rules: Any) -> None: ...  # noqa: D102
    def keep(self, handles: np.ndarray) -> None: ...  # noqa: D102
    def optimum(self, tests: np.ndarray, price: int, levels: int) -> Any: ...  # noqa: D102
    def lookahead(self) -> Any: ...  # noqa: D102
    def hold(self, gap: Gap) -> int: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102
    def narrowed(self, tests: np.ndarray) -> "Backend": ...  # noqa: D102
    def pairs(self) -> Any: ...  # noqa: D102
    def genes(self, handle: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...  # noqa: D102


def _slow(problem: Problem) -> Backend:
    """Return the oracle, which few runs ask for: it is loaded when one does."""
    from heirwood.backends.slow import SlowBackend

    return SlowBackend(problem)


BACKENDS: dict[str, Callable[[Problem], Backend]] = {"cpu": CpuBackend, "slow": _slow}

__all__ = ["BACKENDS", "OPERATOR_NAMES", "Backend", "Problem", "can_pair", "is_informed", "operator_odds"]
