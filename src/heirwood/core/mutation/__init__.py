"""Mutations, one a file: each changes one tree in place and returns the root of what it changed.

To add one: its file, its slow namesake in `oracle/mutation/`, its name in both tuples, where it works, and
its line in `mutate` (one that only draws), in `improve_by_splitting` (one that looks for tests to split rows with)
or in `improve_by_fitting` (one that fits what a tree has to its rows). A kernel cannot call through a tuple of
kernels, hence the chains of ifs.
"""

from heirwood.core._jit import inner_kernel, small_kernel
from heirwood.core.mutation.grow_best import grow_best
from heirwood.core.mutation.hoist import hoist
from heirwood.core.mutation.leaf_change import leaf_change
from heirwood.core.mutation.leaf_grow import leaf_grow
from heirwood.core.mutation.node_change import node_change
from heirwood.core.mutation.node_prune import node_prune
from heirwood.core.mutation.optimal_pair import optimal_pair
from heirwood.core.mutation.optimal_stump import optimal_stump
from heirwood.core.mutation.refit import refit
from heirwood.core.mutation.regrow import regrow
from heirwood.core.mutation.replace_best import replace_best
from heirwood.core.mutation.rng_slots import BROKEN, MUTATE, N_SLOTS, NODE, OPERATOR
from heirwood.core.mutation.rotate import rotate
from heirwood.core.mutation.sharpen import sharpen

BLIND = (node_change, node_prune, leaf_change, leaf_grow, hoist, rotate)
INFORMED = (grow_best, replace_best, refit, optimal_stump, optimal_pair, regrow, sharpen)
OPERATORS = BLIND + INFORMED
N_BLIND = len(BLIND)
GROW_BEST, REPLACE_BEST, REFIT, OPTIMAL_STUMP, OPTIMAL_PAIR, REGROW, SHARPEN = range(N_BLIND, len(OPERATORS))
INNER, LEAF, ANY = range(3)  # the nodes that an operator works on
WHERE = (INNER, INNER, LEAF, LEAF, INNER, INNER, LEAF, INNER, INNER, ANY, ANY, ANY, INNER)


@inner_kernel
def mutate(code, tree, node, rules, key, slot, path):
    """Apply the blind operator `code` of OPERATORS at `node`; return the stale node, or BROKEN."""
    if code == 0:
        return node_change(tree, node, rules, key, slot, path)
    if code == 1:
        return node_prune(tree, node, rules, key, slot, path)
    if code == 2:
        return leaf_change(tree, node, rules, key, slot, path)
    if code == 3:
        return leaf_grow(tree, node, rules, key, slot, path)
    if code == 4:
        return hoist(tree, node, rules, key, slot, path)
    return rotate(tree, node, rules, key, slot, path)


@small_kernel
def splits(code):
    """Say whether an operator is one of `improve_by_splitting`."""
    return code >= N_BLIND and code != REFIT and code != SHARPEN


__all__ = [
    "ANY", "BROKEN", "GROW_BEST", "INFORMED", "INNER", "LEAF", "MUTATE", "NODE", "N_BLIND", "N_SLOTS", "OPERATOR",
    "OPERATORS", "OPTIMAL_PAIR", "OPTIMAL_STUMP", "REFIT", "REGROW", "REPLACE_BEST", "SHARPEN", "WHERE",
    "mutate", "splits",
]  # fmt: skip
