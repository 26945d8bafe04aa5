"""Crossovers, one a file: the paper's, which draws, and one that looks at rows."""

from heirwood.core.crossover.graft import cross_best
from heirwood.core.crossover.subtree import BROKEN, NOTHING_STALE, cross_subtree

BLIND = (cross_subtree,)
INFORMED = (cross_best,)
OPERATORS = BLIND + INFORMED

__all__ = ["BLIND", "BROKEN", "INFORMED", "NOTHING_STALE", "OPERATORS", "cross_best", "cross_subtree"]
