"""leaf_cost="auto": what a leaf must gain where nobody says, by the rows that there are and by the noise in them.

    rows     [ two thirds | a third, held back ]
    trees    of a short run on the first part, judged on the other
    noise    the standard error that the loss of the best of them would have on as many rows as there are
    cost     some rows, and a part of the noise

A gain of a row or two is luck on any table, and one of a standard error may be: the larger the table and the clearer
its classes, the less a leaf must gain, as a share of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from heirwood.core.draws import fold, generation_key
from heirwood.data import Rows
from heirwood.data.holdout_split import hold_out
from heirwood.leaf_selection import losses, noise_of
from heirwood.payoff import is_one_of
from heirwood.probabilities import USUAL
from heirwood.run import Order, Run
from heirwood.settings import Payoff
from heirwood.stopped_error import StoppedError
from heirwood.time_limit import Stop
from heirwood.tree_view import TreeView

GENERATIONS = 10  # of the short run: how much is noise shows early
MOST_ROWS = 30_000  # that it is about: more would tell no more
FEWEST_ROWS = 12  # with fewer no row is held back, and the noise is
MOST_NOISE = 0.5  # the most that there is where a row is right or wrong
PART_OF_LIMIT = 4  # of a time limit the short run has one in so many parts
HOLDING_OUT = 2**63 + 2  # in the place of a generation, for the seed of the short run: no run has that many
DIGITS = 3  # of a cost, to be read


class Charge(NamedTuple):
    """What a leaf must gain.

    Attributes
    ----------
    rows : float
        Rows' worth of the payoff's unit.
    rows_by_folds : float
        The same where folds choose among the trees of a run, which is guided by `rows`.
    noise : float
        Standard errors of the mean loss.
    rough : float
        Of runs that are to tell the noise: this divided by the root of their rows.
    """

    rows: float
    rows_by_folds: float
    noise: float
    rough: float


CHARGES: dict[Any, Charge] = {
    "leaf_cost": Charge(rows=2.0, rows_by_folds=2.0, noise=0.2, rough=0.1),
    "log_loss": Charge(rows=8.0, rows_by_folds=4.0, noise=0.0, rough=0.1),
    "brier": Charge(rows=3.0, rows_by_folds=3.0, noise=0.1, rough=0.1),
}


@dataclass(frozen=True)
class Estimate:
    """A cost per leaf, and the trees that were found on the way.

    Attributes
    ----------
    cost : float
    trees : sequence of TreeView
    is_cut : bool
        Whether there was too little time for the short run: with more, the cost might be another.
    """

    cost: float
    trees: Sequence[TreeView] = ()
    is_cut: bool = False


def estimate_cost(order: Order, rows: Rows, seed: int, stop: Stop) -> Estimate:
    """Return what a leaf is to cost, after a short run on two thirds of the rows.

    Parameters
    ----------
    order : Order
        What is asked of the run that is to come; its payoff takes a cost per leaf.
    rows : Rows
    seed : int
        Of that run.
    stop : Stop
        The short run has a part of its time.
    """
    unknown = Estimate(cost_of_noise(MOST_NOISE, order.payoff, rows.n_counted))
    if CHARGES[order.payoff.name].noise == 0 or rows.n_counted < FEWEST_ROWS or rows.target.n_classes < 2:
        return unknown
    if stop.clock.left() < stop.clock.limit / 2:  # after reading the rows alone
        return replace(unknown, is_cut=True)
    key = int(fold(generation_key(seed, HOLDING_OUT), 0))
    part, held_back = hold_out(rows, key, MOST_ROWS)
    rough, generations = with_rough_cost(order, part.n_counted), min(order.generations, GENERATIONS)
    short = replace(rough, generations=generations, size_selection="payoff", initial_trees=())
    try:
        run = Run(short, part, key, stop=Stop(stop.clock.part(PART_OF_LIMIT), stop.interrupt), fills=False)
        run.bound.give_up()
        reason = run.go([])
    except StoppedError:
        return replace(unknown, is_cut=True)
    hall = run.hall()
    smoothing = USUAL if order.smoothing is None else order.smoothing
    lost = min((losses(entry.tree, held_back, smoothing).tolist() for entry in hall), key=sum)
    trees = (hall[hall.chosen].tree, *(entry.tree for entry in hall))
    is_cut = reason == "time_limit" or run.bank.scope is not None
    return Estimate(cost_of_noise(noise_of(lost, [held_back]), order.payoff, rows.n_counted), trees, is_cut)


def at_most_noise(order: Order, rows: Rows) -> Order:
    """Return an order with the cost per leaf of the noisiest rows: for who cannot wait for a short run."""
    return with_leaf_cost(order, cost_of_noise(MOST_NOISE, order.payoff, rows.n_counted))


def with_rough_cost(order: Order, n_rows: int) -> Order:
    """Return an order with a cost per leaf that goes by the rows alone: what a run needs that is to tell the noise."""
    rough = _read(CHARGES[order.payoff.name].rough / math.sqrt(n_rows))
    return with_leaf_cost(order, rough)


def with_leaf_cost(order: Order, cost: float) -> Order:
    """Return an order whose payoff has a cost per leaf."""
    return replace(order, payoff=Payoff(order.payoff.name, **{**order.payoff.parameters, "cost": cost}))


def cost_of_noise(noise: float, payoff: Payoff, n_rows: int, *, by_folds: bool = False) -> float:
    """Return what a leaf must gain, in the unit of the payoff per row, where one row's noise is known."""
    charge = CHARGES[payoff.name if is_one_of(payoff.name, CHARGES) else "leaf_cost"]
    rows = charge.rows_by_folds if by_folds else charge.rows
    return _read(min(rows / n_rows + charge.noise * noise / math.sqrt(n_rows), 1.0))


def _read(cost: float) -> float:
    return float(f"{cost:.{DIGITS}g}")
