"""Crossovers, one a file: the slow namesakes of core's."""

from heirwood.oracle.crossover.subtree import cross_subtree

OPERATORS = (cross_subtree,)
