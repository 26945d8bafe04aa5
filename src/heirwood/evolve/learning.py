"""Operator rates that follow what pays: counts of tries and of gains, and nothing that a clock says.

An operator gains when its child is better than the child's first parent. Its weight is the one it was given, times
how often it gains against all the others, within bounds: one that never gains early may be the one that does late.
"""

import numpy as np

from heirwood.backends import OPERATOR_NAMES, operator_odds

EVERY = 10  # generations between two changes of the rates
MOST = 2.0  # times that a weight may become larger or smaller than it was given
MEMORY = 0.5  # of what was counted before, at every change


class Learning:
    """Weights of the mutation operators of one run, and what they are learnt from.

    Parameters
    ----------
    weights : dict of str to float
        As they are given.
    """

    def __init__(self, weights: dict[str, float]) -> None:
        self.given = np.array([weights.get(name, 0.0) for name in OPERATOR_NAMES])
        self.weights = self.given.copy()
        self.tried = np.zeros(len(OPERATOR_NAMES))
        self.gained = np.zeros(len(OPERATOR_NAMES))

    def note(self, operators: np.ndarray, better: np.ndarray) -> None:
        """Count the children of a generation.

        Parameters
        ----------
        operators : (n_children,) int32
            The operator of each child's mutation; -1 for none.
        better : (n_children,) bool
            Whether the child is better than its first parent.
        """
        n = len(OPERATOR_NAMES)
        self.tried += np.bincount(operators + 1, minlength=n + 1)[1:]
        self.gained += np.bincount(operators[better] + 1, minlength=n + 1)[1:]

    def change(self) -> None:
        """Set the weights by what was counted, and let the counts fade."""
        mean = (sum(self.gained.tolist()) + 1.0) / (sum(self.tried.tolist()) + 2.0)
        rates = (self.gained + 1.0) / (self.tried + 1.0 / mean)
        self.weights = self.given * np.clip(rates / mean, 1.0 / MOST, MOST)
        self.tried *= MEMORY
        self.gained *= MEMORY

    def odds(self) -> dict[str, np.ndarray]:
        """Return the running shares of operators at inner nodes and at leaves, as rules of breeding."""
        inner, leaf = operator_odds(dict(zip(OPERATOR_NAMES, self.weights.tolist(), strict=True)))
        return {"inner_odds": inner, "leaf_odds": leaf}
