"""Operator rates that follow what pays: counts of tries and of gains, and nothing that a clock says.

An operator gains when its child is better than the child's first parent. Its share is the one it was given, times
how often it gains against all the others, within bounds: one that never gains early may be the one that does late,
and one that gains often may cost much, which the share that it was given knows.
"""

import numpy as np

EVERY = 10  # generations between two changes of the rates
MOST = 2.0  # times that a share may become larger or smaller than it was given
MEMORY = 0.5  # of what was counted before, at every change


class Learning:
    """Shares of the mutation operators of one run, and what they are learnt from.

    Parameters
    ----------
    inner_odds, leaf_odds : (n_operators,) float64
        Running shares at inner nodes and at leaves, as they are given.
    """

    def __init__(self, inner_odds: np.ndarray, leaf_odds: np.ndarray) -> None:
        self.given = np.diff(inner_odds, prepend=0.0), np.diff(leaf_odds, prepend=0.0)
        self.factors = np.ones(len(inner_odds))
        self.tried = np.zeros(len(inner_odds))
        self.gained = np.zeros(len(inner_odds))

    def note(self, operators: np.ndarray, better: np.ndarray) -> None:
        """Count the children of a generation.

        Parameters
        ----------
        operators : (n_children,) int32
            The operator of each child's mutation; -1 for none.
        better : (n_children,) bool
            Whether the child is better than its first parent.
        """
        n = len(self.tried)
        self.tried += np.bincount(operators + 1, minlength=n + 1)[1:]
        self.gained += np.bincount(operators[better] + 1, minlength=n + 1)[1:]

    def change(self) -> None:
        """Set the shares by what was counted, and let the counts fade."""
        mean = (sum(self.gained.tolist()) + 1.0) / (sum(self.tried.tolist()) + 2.0)
        rates = (self.gained + 1.0) / (self.tried + 1.0 / mean)
        self.factors = np.clip(rates / mean, 1.0 / MOST, MOST)
        self.tried *= MEMORY
        self.gained *= MEMORY

    def odds(self) -> dict[str, np.ndarray]:
        """Return the running shares at inner nodes and at leaves, as rules of breeding."""
        inner, leaf = (self._running(given * self.factors) for given in self.given)
        return {"inner_odds": inner, "leaf_odds": leaf}

    @staticmethod
    def _running(shares: np.ndarray) -> np.ndarray:
        running = np.cumsum(shares)
        return running / running[-1] if running[-1] > 0 else running
