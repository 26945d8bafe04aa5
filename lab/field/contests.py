"""What is compared: the contests on whole sets, in which a tree is judged by the rows it was fitted to."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from lab.field.sets import SETS

Case = dict[str, float | int]

LARGE = 10_000  # rows
COSTS = (0.02, 0.01, 0.005, 0.002)
DEPTHS = (3, 4)
INTERACTIONS = ("monks-1", "monks-2", "tic-tac-toe", "multiplexer6", "multiplexer11", "kr-vs-kp")


@dataclass(frozen=True)
class Contest:
    """One contest.

    Parameters
    ----------
    name : str
    question : str
        What is asked, in a line.
    sets : tuple of str
    cases : callable
        From the number of rows to the cases of a set.
    settings : callable
        From a peer and a case to the peer's settings; None where it does not take part.
    value : callable
        From a case, errors, leaves and the number of rows to what is compared; less is better.
    time_limit : float
        Seconds, for a peer that can be told.
    own_time_limit, own_large_limit : float
        The same, for Heirwood; on sets of more than LARGE rows, where peers take longer too.
    own_limits : dict of str to float
        The same on sets by name: where the quickest peer takes longer still.
    own_seeds : int
        Heirwood's runs, each with a seed of its own.
    """

    name: str
    question: str
    sets: tuple[str, ...]
    cases: Callable[[int], list[Case]]
    settings: Callable[[ModuleType, Case], dict[str, Any] | None]
    value: Callable[[Case, int, int, int], float]
    time_limit: float
    own_time_limit: float
    own_large_limit: float
    own_seeds: int
    own_limits: dict[str, float] = field(default_factory=dict)

    def own_limit(self, name: str, n_rows: int) -> float:
        """Return the seconds that Heirwood has on a set."""
        return self.own_limits.get(name, self.own_large_limit if n_rows > LARGE else self.own_time_limit)


def _leaf_cost(case: Case, errors: int, leaves: int, n_rows: int) -> float:
    return errors / n_rows + case["cost"] * leaves


OBJECTIVE = Contest(
    name="objective",
    question="share of errors + cost per leaf, over the whole set",
    sets=SETS,
    cases=lambda n_rows: [{"cost": cost} for cost in COSTS],
    settings=lambda peer, case: peer.for_leaf_cost(case["cost"]),
    value=_leaf_cost,
    time_limit=60.0,
    own_time_limit=5.0,
    own_large_limit=20.0,
    own_seeds=3,
    own_limits={"digits": 60.0},  # LicketySPLIT takes 23 to 70 s there
)

DEPTH = Contest(
    name="depth",
    question="fewest errors at a depth, over the whole set",
    sets=SETS,
    cases=lambda n_rows: [{"depth": depth} for depth in DEPTHS],
    settings=lambda peer, case: peer.for_depth(case["depth"]),
    value=lambda case, errors, leaves, n_rows: errors / n_rows,
    time_limit=120.0,
    own_time_limit=6.0,
    own_large_limit=6.0,
    own_seeds=3,
)

INTERACTION = Contest(
    name="interactions",
    question="errors + leaves * ln(n)/2 on problems whose columns tell nothing one by one",
    sets=INTERACTIONS,
    cases=lambda n_rows: [{"cost": math.log(n_rows) / 2 / n_rows}],
    settings=lambda peer, case: peer.for_leaf_cost(case["cost"]),
    value=_leaf_cost,
    time_limit=60.0,
    own_time_limit=10.0,
    own_large_limit=10.0,
    own_seeds=5,
)

CONTESTS = {contest.name: contest for contest in (OBJECTIVE, DEPTH, INTERACTION)}
