"""Mutations, one a file: the slow namesakes of core's, in the same order."""

from heirwood.oracle.mutation.grow_best import grow_best
from heirwood.oracle.mutation.hoist import hoist
from heirwood.oracle.mutation.leaf_change import leaf_change
from heirwood.oracle.mutation.leaf_grow import leaf_grow
from heirwood.oracle.mutation.node_change import node_change
from heirwood.oracle.mutation.node_prune import node_prune
from heirwood.oracle.mutation.optimal_pair import optimal_pair
from heirwood.oracle.mutation.optimal_stump import optimal_stump
from heirwood.oracle.mutation.refit import refit
from heirwood.oracle.mutation.regrow import regrow
from heirwood.oracle.mutation.replace_best import replace_best
from heirwood.oracle.mutation.rng_slots import MUTATE, N_SLOTS, NODE, OPERATOR
from heirwood.oracle.mutation.rotate import rotate
from heirwood.oracle.mutation.sharpen import sharpen

OPERATORS = (
    node_change, node_prune, leaf_change, leaf_grow, hoist, rotate,
    grow_best, replace_best, refit, optimal_stump, optimal_pair, regrow, sharpen,
)  # fmt: skip

__all__ = ["MUTATE", "NODE", "N_SLOTS", "OPERATOR", "OPERATORS"]
