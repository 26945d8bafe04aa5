"""What no tree of a run is better than: known roughly before the run begins, and better once it is under way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from heirwood.data import Rows
from heirwood.events import Event, Listener, tell
from heirwood.evolve import Evolution
from heirwood.payoff import BOUNDED, is_one_of
from heirwood.payoff.bound import EFFORT, MOST_CELLS, Ceiling, find_ceiling
from heirwood.stopped_error import StoppedError

QUICK = EFFORT // 16  # before the first generation: some milliseconds, and those to rank the table
AT_ONCE = 2**18  # cells times classes: a larger table, which takes more than a tenth of a second to rank,
SOON = 20  # is looked at after so many generations, before which no run ends with the best tree there is
LATER = 150  # generations, after which all the effort is made: what is found first does not wait for it


class Bound:
    """What the payoff of no tree exceeds, where the payoff has such a bound.

    A search for it before the first generation would keep the first trees waiting, and soon after it the better ones:
    until then a quick one will do. When it is searched, and how far, goes by generations and sizes, never by a clock:
    a run that a time limit ends is the beginning of the run without one.

    Parameters
    ----------
    evolution : Evolution
    rows : Rows
    nominal : (n_columns,) bool
        Whether a column's values are codes of levels.
    payoff : str or callable
        The name of the payoff, or a user's own.
    """

    def __init__(self, evolution: Evolution, rows: Rows, nominal: np.ndarray, payoff: object) -> None:
        self.exists = is_one_of(payoff, BOUNDED)
        self._evolution = evolution
        self._rows = rows
        self._nominal = nominal
        # Until then classes alone say what no tree has.
        self._is_looked_at = rows.table.values.size * rows.target.n_classes <= AT_ONCE
        self._soon, self._later = evolution.generation + SOON, evolution.generation + LATER
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

    def find(self, effort: int = QUICK) -> None:
        """Find the bound, with no more effort than that.

        Where the run must end meanwhile, what was known stays: at the least what classes alone say.
        """
        if not self.exists:
            return
        ceiling = self._ceiling
        if self._is_looked_at:
            with suppress(StoppedError):
                ceiling = self._find(effort, MOST_CELLS, self._evolution.must_end or (lambda: False))
        self._ceiling = ceiling or self._find(0, 0, lambda: False)
        self._payoffs = None

    def _find(self, effort: int, most_cells: int, must_end: Callable[[], bool]) -> Ceiling:
        plan, target = self._evolution.plan, self._rows.target
        rules = self._evolution.backend.problem.rules
        return find_ceiling(
            self._rows.table.values,
            self._nominal,
            target.codes,
            target.weights,
            target.n_classes,
            plan.payoff,
            plan.schedule.at(plan.schedule.last),
            max_leaf_nodes=rules.max_leaf_nodes,
            max_depth=rules.max_depth,
            effort=0 if self.is_proven else effort,
            most_cells=most_cells,
            gains=target.gains,
            must_end=must_end,
        )

    def find_thoroughly(self) -> None:
        """Find it with all the effort there is, once, unless there is a proof."""
        if not self._is_thorough and not self.is_proven:
            self._is_looked_at = True
            self.find(EFFORT)
        self._is_thorough = True

    def look_again(self, listeners: list[Listener]) -> None:
        """Find it anew when that is due, between two generations, and tell where it is better than what was told."""
        if self._evolution.generation == self._soon and not self._is_looked_at:
            self._is_looked_at = True
            self.find()
        if self._evolution.generation == self._later:
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
