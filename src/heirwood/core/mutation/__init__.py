"""Mutations, one a file: each changes one tree in place and returns the root of what it changed.

To add one: its file, its slow namesake in `oracle/mutation/`, its name in both tuples, and its
line in `mutate`. A kernel cannot call through a tuple of kernels, hence the chain of ifs.
"""

from heirwood.core._jit import part_kernel
from heirwood.core.mutation.leaf_change import leaf_change
from heirwood.core.mutation.leaf_grow import leaf_grow
from heirwood.core.mutation.node_change import node_change
from heirwood.core.mutation.node_prune import node_prune
from heirwood.core.mutation.slots import BROKEN, MUTATE, N_SLOTS, NODE, OPERATOR

OPERATORS = (node_change, node_prune, leaf_change, leaf_grow)
AT_LEAVES = (False, False, True, True)  # whether the operator works on leaves or on inner nodes


@part_kernel
def mutate(code, tree, node, rules, key, slot, path):
    """Apply operator `code` of OPERATORS at `node`; return the stale node, or BROKEN."""
    if code == 0:
        return node_change(tree, node, rules, key, slot, path)
    if code == 1:
        return node_prune(tree, node, rules, key, slot, path)
    if code == 2:
        return leaf_change(tree, node, rules, key, slot, path)
    return leaf_grow(tree, node, rules, key, slot, path)


__all__ = ["AT_LEAVES", "BROKEN", "MUTATE", "NODE", "N_SLOTS", "OPERATOR", "OPERATORS", "mutate"]
