"""Subtree crossover, the one crossover of the paper (Figure 1), one child per pair."""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import ROOT, copy_slice, copy_tree, find_path, grow_path
from heirwood.core.draws import below

MOTHER_NODE, FATHER_NODE = np.int64(1), np.int64(2)  # slots

NOTHING_STALE = -1  # both nodes were roots: the child is its father, fitness and all
BROKEN = -2  # the child would break a limit


@part_kernel
def cross_subtree(mother, father, child, rules, key, path):
    """Replace a drawn subtree of the mother by one of the father; return the stale node.

    A drawn root of the mother makes the root stale: the whole table is examined. Two drawn roots
    make nothing stale: the fitness is handed over. A child beyond the limits is not built.
    """
    cut = below(key, MOTHER_NODE, np.int64(mother[0]["span"]))
    graft = below(key, FATHER_NODE, np.int64(father[0]["span"]))
    if cut == 0 and graft == 0:
        copy_tree(father, child)
        return NOTHING_STALE

    old = np.int64(mother[cut]["span"])  # one type for all lengths: each other one is compiled again
    new = np.int64(father[graft]["span"])
    whole = np.int64(mother[0]["span"])
    depth = find_path(mother, cut, path)
    n_leaves = (whole - old + new + 1) // 2
    if n_leaves > rules.max_leaves or depth + father[graft]["height"] > rules.max_depth:
        return BROKEN

    copy_slice(mother, ROOT, child, ROOT, cut)
    copy_slice(father, graft, child, cut, new)
    copy_slice(mother, cut + old, child, cut + new, whole - cut - old)
    # Who arrives does not depend on what follows; and the sums above include what was here.
    child[cut]["rows"] = mother[cut]["rows"]
    child[cut]["hits"] = mother[cut]["hits"]
    child[cut]["checks"] = mother[cut]["checks"]
    grow_path(child, path, depth, new - old)
    return cut
