"""Mutations, one a file: the slow namesakes of core's, in the same order."""

from heirwood.oracle.mutation.leaf_change import leaf_change
from heirwood.oracle.mutation.leaf_grow import leaf_grow
from heirwood.oracle.mutation.node_change import node_change
from heirwood.oracle.mutation.node_prune import node_prune
from heirwood.oracle.mutation.slots import MUTATE, N_SLOTS, NODE, OPERATOR

OPERATORS = (node_change, node_prune, leaf_change, leaf_grow)

__all__ = ["MUTATE", "NODE", "N_SLOTS", "OPERATOR", "OPERATORS"]
