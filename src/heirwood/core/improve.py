"""Improving: what is left of breeding a child, from its first informed step on.

A kernel of its own, so that a run whose operators only draw need not compile those that look.
"""

import numpy as np

from heirwood.core._jit import kernel
from heirwood.core.arena import copy_tree
from heirwood.core.breed import UNCROSSED, choose_mutation, mark_stale
from heirwood.core.crossover import NOTHING_STALE, cross_best
from heirwood.core.mutation import BROKEN, N_BLIND, N_SLOTS, mutate, mutate_informed


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
        mother, child, key = arena[mothers[i]], arena[children[i]], keys[i]
        sight.values.lent[0] = lent[i]
        broken = False
        if n_done[i] == UNCROSSED:
            node = cross_best(mother, arena[fathers[i]], child, rules, key, path, sight)
            broken = node == BROKEN
            n_stale[i] = 0
            if not broken and node != NOTHING_STALE:
                stale[i, 0] = node
                n_stale[i] = 1
            n_done[i] = 0
        for mutation in range(n_done[i], rules.n_mutations):
            slot = N_SLOTS * (mutation + 1)
            node, code = np.int64(0), -1
            if not broken:
                node, code = choose_mutation(child, rules, key, slot)
            if code < 0:
                continue
            used[i] = code
            old = np.int64(child[node]["span"])
            if code < N_BLIND:
                node = mutate(code, child, node, rules, key, slot, path)
            else:
                node = mutate_informed(code, child, node, rules, key, slot, path, sight)
            broken = node == BROKEN
            if not broken:
                n_stale[i] = mark_stale(child, stale[i], n_stale[i], node, old, np.int64(child[node]["span"]))
        if broken:
            copy_tree(mother, child)
            n_stale[i] = 0
