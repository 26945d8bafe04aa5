"""Improving: what is left of breeding a child, from its first informed mutation on.

A kernel of its own, so that a run whose operators only draw need not compile those that look.
"""

import numpy as np

from heirwood.core._jit import kernel, part_kernel
from heirwood.core.arena import copy_tree
from heirwood.core.breed import choose_mutation, mark_stale
from heirwood.core.mutation import BROKEN, N_BLIND, N_SLOTS, mutate, mutate_informed


@part_kernel
def improve_child(mother, child, rules, key, stale, n_stale, n_done, path, sight):
    """Do the mutations that are left; return how many stale nodes there are then."""
    for mutation in range(n_done, rules.n_mutations):
        slot = N_SLOTS * (mutation + 1)
        node, code = choose_mutation(child, rules, key, slot)
        if code < 0:
            continue
        old = np.int64(child[node]["span"])
        if code < N_BLIND:
            node = mutate(code, child, node, rules, key, slot, path)
        else:
            node = mutate_informed(code, child, node, rules, key, slot, path, sight)
        if node == BROKEN:
            copy_tree(mother, child)
            return 0
        n_stale = mark_stale(child, stale, n_stale, node, old, np.int64(child[node]["span"]))
    return n_stale


@kernel
def improve(arena, mothers, children, keys, rules, stale, n_stale, n_done, lent, path, sight):
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
            n_stale[i] = improve_child(
                arena[mothers[i]], arena[children[i]], rules, keys[i], stale[i], np.int64(n_stale[i]),
                np.int64(n_done[i]), path, sight,
            )  # fmt: skip
