"""Crossovers, one a file."""

from heirwood.core.crossover.subtree import BROKEN, NOTHING_STALE, cross_subtree

OPERATORS = (cross_subtree,)

__all__ = ["BROKEN", "NOTHING_STALE", "OPERATORS", "cross_subtree"]
