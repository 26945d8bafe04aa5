"""Crossovers, one a file: the slow namesakes of core's."""

from heirwood.oracle.crossover.graft import cross_best
from heirwood.oracle.crossover.subtree import cross_subtree

OPERATORS = (cross_subtree, cross_best)

__all__ = ["OPERATORS", "cross_best", "cross_subtree"]
