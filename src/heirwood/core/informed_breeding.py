"""Improving: what is left of breeding a child, from its first informed step on.

Two kernels that take turns, each going on with a child as far as its own steps reach: they are compiled side by side,
and a run whose operators only draw needs neither.
"""

import numpy as np

from heirwood.core._jit import kernel, small_kernel
from heirwood.core.arena import copy_tree
from heirwood.core.breed import UNCROSSED, choose_mutation, mark_stale
from heirwood.core.crossover import NOTHING_STALE, cross_best
from heirwood.core.exact_cuts import UNRANKED
from heirwood.core.mutation import (
    BROKEN,
    GROW_BEST,
    N_BLIND,
    N_SLOTS,
    OPTIMAL_PAIR,
    OPTIMAL_STUMP,
    REFIT,
    REPLACE_BEST,
    mutate,
    splits,
)
from heirwood.core.mutation.grow_best import grow_best
from heirwood.core.mutation.optimal_pair import optimal_pair
from heirwood.core.mutation.optimal_stump import optimal_stump
from heirwood.core.mutation.refit import refit
from heirwood.core.mutation.regrow import regrow
from heirwood.core.mutation.replace_best import replace_best
from heirwood.core.mutation.sharpen import sharpen


@small_kernel
def note_step(mother, child, stale, n_stale, node, old):
    """Note what a step made stale; return the number of stale nodes, and whether the child is still one.

    A child that would break a limit becomes a copy of its mother, with nothing stale.
    """
    if node == BROKEN:
        copy_tree(mother, child)
        return 0, False
    return mark_stale(child, stale, n_stale, node, old, np.int64(child[node]["span"])), True


@kernel
def improve_by_fitting(
    arena, mothers, fathers, children, keys, rules, stale, n_stale, n_done, used, lent, path, context
):  # fmt: skip
    """Go on with every child of a generation that `breed` began, up to its next step that splits; parameters as there.

    Return how many children wait for a column to be ranked: called again after that, they go on.

    Parameters
    ----------
    lent : (n_children,) int32
        The place of the bank that each child may write a test to, -1 for none.
    context : NodeContext
    """
    n_waiting = 0
    for i in range(children.shape[0]):
        mother, child, key = arena[mothers[i]], arena[children[i]], keys[i]
        context.values.lent[0] = lent[i]
        if n_done[i] == UNCROSSED:
            node = cross_best(mother, arena[fathers[i]], child, rules, key, path, context)
            n_stale[i], n_done[i] = 0, 0
            if node == BROKEN:
                copy_tree(mother, child)
                n_done[i] = rules.n_mutations
            elif node != NOTHING_STALE:
                stale[i, 0] = node
                n_stale[i] = 1
        for mutation in range(n_done[i], rules.n_mutations):
            slot = N_SLOTS * (mutation + 1)
            node, code = choose_mutation(child, rules, key, slot)
            if splits(code):
                break
            n_done[i] = mutation + 1
            if code < 0:
                continue
            used[i] = code
            old = np.int64(child[node]["span"])
            if code < N_BLIND:
                node = mutate(code, child, node, rules, key, slot, path)
            elif code == REFIT:
                node = refit(child, node, rules, key, slot, path, context)
            else:
                node = sharpen(child, node, rules, key, slot, path, context)
                if node == UNRANKED:
                    n_done[i] = mutation
                    n_waiting += 1
                    break
            n_stale[i], holds = note_step(mother, child, stale[i], n_stale[i], node, old)
            if not holds:
                n_done[i] = rules.n_mutations
                break
    return n_waiting


@kernel
def improve_by_splitting(arena, mothers, children, keys, rules, stale, n_stale, n_done, used, path, context):
    """Go on with every child as long as its next step splits; parameters as above."""
    for i in range(children.shape[0]):
        mother, child, key = arena[mothers[i]], arena[children[i]], keys[i]
        for mutation in range(n_done[i], rules.n_mutations):
            slot = N_SLOTS * (mutation + 1)
            node, code = choose_mutation(child, rules, key, slot)
            if not splits(code):
                break
            n_done[i] = mutation + 1
            used[i] = code
            old = np.int64(child[node]["span"])
            if code == GROW_BEST:
                node = grow_best(child, node, rules, key, slot, path, context)
            elif code == REPLACE_BEST:
                node = replace_best(child, node, rules, key, slot, path, context)
            elif code == OPTIMAL_STUMP:
                node = optimal_stump(child, node, rules, key, slot, path, context)
            elif code == OPTIMAL_PAIR:
                node = optimal_pair(child, node, rules, key, slot, path, context)
            else:
                node = regrow(child, node, rules, key, slot, path, context)
            n_stale[i], holds = note_step(mother, child, stale[i], n_stale[i], node, old)
            if not holds:
                n_done[i] = rules.n_mutations
                break
