"""Improving: what is left of breeding a child, from its first informed step on.

A kernel of its own, so that a run whose operators only draw need not compile those that look.
"""

import numpy as np

from heirwood.core._jit import kernel, part_kernel
from heirwood.core.arena import copy_tree
from heirwood.core.breed import UNCROSSED, choose_mutation, mark_stale
from heirwood.core.crossover import NOTHING_STALE, cross_best
from heirwood.core.mutation import BROKEN, N_BLIND, N_SLOTS, mutate, mutate_informed


@part_kernel
def improve_child(mother, father, child, rules, key, stale, n_stale, n_done, used, path, sight):
    """Do what is left; return how many stale nodes there are then, and the operator of the last mutation."""
    if n_done == UNCROSSED:
        node = cross_best(mother, father, child, rules, key, path, sight)
        if node == BROKEN:
            copy_tree(mother, child)
            return 0, used
        n_stale = 0
        if node != NOTHING_STALE:
            stale[0] = node
            n_stale = 1
        n_done = 0
    for mutation in range(n_done, rules.n_mutations):
        slot = N_SLOTS * (mutation + 1)
        node, code = choose_mutation(child, rules, key, slot)
        if code < 0:
            continue
        used = code
        old = np.int64(child[node]["span"])
        if code < N_BLIND:
            node = mutate(code, child, node, rules, key, slot, path)
        else:
            node = mutate_informed(code, child, node, rules, key, slot, path, sight)
        if node == BROKEN:
            copy_tree(mother, child)
            return 0, used
        n_stale = mark_stale(child, stale, n_stale, node, old, np.int64(child[node]["span"]))
    return n_stale, used


@kernel
def improve(arena, mothers, fathers, children, keys, rules, stale, n_stale, n_done, used, lent, path, sight):
    """Finish every child of a generation that `breed` began; parameters as there.

    Parameters
    ----------
    lent : (n_children,) int32
        The place of the bank that each child may write a test to, -1 for none.
    sight : Sight
    """
    for i in range(children.shape[0]):
        if n_done[i] < rules.n_mutations:
            sight.values.lent[0] = lent[i]
            n_stale[i], used[i] = improve_child(
                arena[mothers[i]], arena[fathers[i]], arena[children[i]], rules, keys[i], stale[i],
                np.int64(n_stale[i]), np.int64(n_done[i]), np.int64(used[i]), path, sight,
            )  # fmt: skip
