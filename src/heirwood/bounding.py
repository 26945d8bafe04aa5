"""What no tree of a run is better than: known roughly before the run begins, and better once it is under way."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from heirwood.data import Rows
from heirwood.events import Event, Listener, tell
from heirwood.evolve import Evolution
from heirwood.payoff import BOUNDED
from heirwood.payoff.bound import EFFORT, MOST_CELLS, Ceiling, find_ceiling

QUICK = EFFORT // 16  # before the first generation: some milliseconds, and those to rank the table
LATER = 150  # generations, after which all the effort is made: what is found first does not wait for it
CELLS_A_SECOND = 250_000  # times classes: as many for each second left as are ranked in a tenth of one


class Bound:
    """What the payoff of no tree exceeds, where the payoff has such a bound.

    A search for it before the first generation would keep the first trees waiting, and soon after it the better ones:
    until then a quick one will do.

    Parameters
    ----------
    evolution : Evolution
    rows : Rows
    nominal : (n_columns,) bool
        Whether a column's values are codes of levels.
    payoff : str or callable
        The name of the payoff, or a user's own.
    share : float
        The share of the effort that a time limit allows.
    """

    def __init__(self, evolution: Evolution, rows: Rows, nominal: np.ndarray, payoff: object, share: float) -> None:
        self.exists = isinstance(payoff, str) and payoff in BOUNDED
        self._evolution = evolution
        self._rows = rows
        self._nominal = nominal
        self._effort = int(EFFORT * share)
        self._left: Callable[[], float] = lambda: math.inf
        self._due = evolution.generation + LATER
        self._is_thorough = False
        self._ceiling: Ceiling | None = None
        self._payoffs: np.ndarray | None = None  # as parameters were last, which most never move
        self._told: float | None = None

    @property
    def is_proven(self) -> bool:
        """Whether an exact search has ended: the best tree is the best there is."""
        exactly = self._evolution.exactly
        return exactly is not None and exactly.is_proven

    def give_up(self) -> None:
        """Find none from now on: nobody is going to ask."""
        self.exists = False

    def keep_to(self, left: Callable[[], float]) -> None:
        """Let no search take more than about a tenth of the seconds that are left when it begins.

        A table that would take longer to rank is not looked at: then classes alone say what no tree has.
        """
        self._left = left

    def find(self, effort: int = QUICK) -> None:
        """Find the bound, with no more effort than that and what a time limit allows."""
        if not self.exists:
            return
        plan, target = self._evolution.plan, self._rows.target
        rules = self._evolution.backend.problem.rules
        self._ceiling = find_ceiling(
            self._rows.table.values,
            self._nominal,
            target.codes,
            target.weights,
            target.n_classes,
            plan.payoff,
            plan.schedule.at(plan.schedule.last),
            max_leaves=rules.max_leaves,
            max_depth=rules.max_depth,
            effort=0 if self.is_proven else min(effort, self._effort),
            most_cells=int(min(MOST_CELLS, max(self._left(), 0.0) * CELLS_A_SECOND)),
            gains=target.gains,
        )
        self._payoffs = None

    def find_thoroughly(self) -> None:
        """Find it with all the effort there is, once, unless there is a proof."""
        if not self._is_thorough and not self.is_proven:
            self.find(EFFORT)
        self._is_thorough = True

    def look_again(self, listeners: list[Listener]) -> None:
        """Find it anew when that is due, between two generations, and tell where it is better than what was told."""
        if self._evolution.generation == self._due:
            self.find_thoroughly()
        self.tell(listeners)

    def tell(self, listeners: list[Listener]) -> None:
        """Tell the bound, where it is better than what was told."""
        lower = self.lower()
        if lower is not None and self._told is not None and lower > self._told:
            self._told = lower
            tell(listeners, {"event": "bound", "generation": self._evolution.generation, "lower_bound": lower})

    def start(self) -> Event:
        """Return what the first event of a run says of it: nothing while parameters move, for then it moves too."""
        if self._ceiling is None or self._evolution.plan.schedule.moves:
            return {}
        self._told = self.lower()
        return {"lower_bound": self._told}

    def lower(self) -> float | None:
        """Return what one minus the payoff of no tree is below, as parameters are now; None if nobody knows."""
        ceilings = self.ceilings()
        return None if ceilings is None else 1.0 - float(ceilings.max())

    def ceilings(self) -> np.ndarray | None:
        """Return what the payoff of no tree with up to 1, 2, ... leaves exceeds, as parameters are now."""
        if self._ceiling is None:
            return None
        plan, hall = self._evolution.plan, self._evolution.hall
        if self._payoffs is None or plan.schedule.moves:
            self._payoffs = self._ceiling.payoffs(plan.payoff, plan.schedule.at(self._evolution.generation))
        return np.minimum(self._payoffs, hall.payoffs[hall.best]) if self.is_proven else self._payoffs

    def is_reached(self) -> bool:
        """Say whether no tree is better than the best one, nor as good with fewer leaves."""
        if self.is_proven:
            return True
        ceilings = None if self._evolution.plan.schedule.moves else self.ceilings()
        if ceilings is None:
            return False
        hall = self._evolution.hall
        payoff = hall.payoffs[hall.best]
        return bool(payoff >= ceilings.max() and (ceilings[: hall.best - 1] < payoff).all())
