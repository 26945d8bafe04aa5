"""Subtree crossover, the one crossover of the paper (Figure 1), one child per pair."""

import numpy as np

from heirwood.core._jit import small_kernel
from heirwood.core.arena import ROOT, copy_slice, copy_tree, find_path, grow_path
from heirwood.core.draws import below

MOTHER_NODE, FATHER_NODE = np.int64(1), np.int64(2)  # slots

NOTHING_STALE = -1  # both nodes were roots: the child is its father, fitness and all
BROKEN = -2  # the child would break a limit


@small_kernel
def cross_subtree(arena, mother, father, child, rules, key, path):
    """Replace a drawn subtree of the mother by one of the father; return the stale node.

    A drawn root of the mother makes the root stale: the whole table is examined. Two drawn roots
    make nothing stale: the fitness is handed over. A child beyond the limits is not built.
    """
    cut = below(key, MOTHER_NODE, np.int64(arena.span[mother, 0]))
    graft = below(key, FATHER_NODE, np.int64(arena.span[father, 0]))
    if cut == 0 and graft == 0:
        copy_tree(arena, father, child)
        return NOTHING_STALE

    old = np.int64(arena.span[mother, cut])  # one type for all lengths: each other one is compiled again
    new = np.int64(arena.span[father, graft])
    whole = np.int64(arena.span[mother, 0])
    depth = find_path(arena.span, mother, cut, path)
    n_leaves = (whole - old + new + 1) // 2
    if n_leaves > rules.max_leaves or depth + arena.height[father, graft] > rules.max_depth:
        return BROKEN

    copy_slice(arena, mother, ROOT, child, ROOT, cut)
    copy_slice(arena, father, graft, child, cut, new)
    copy_slice(arena, mother, cut + old, child, cut + new, whole - cut - old)
    # Who arrives does not depend on what follows; and the sums above include what was here.
    arena.rows[child, cut] = arena.rows[mother, cut]
    arena.hits[child, cut] = arena.hits[mother, cut]
    arena.checks[child, cut] = arena.checks[mother, cut]
    grow_path(arena, child, path, depth, new - old)
    return cut
