"""Subtree crossover, the one crossover of the paper (Figure 1), one child per pair."""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.arena import ROOT, copy_slice, copy_tree, find_path, grow_path
from heirwood.core.draws import below

MOTHER_NODE, FATHER_NODE = np.int64(1), np.int64(2)  # slots

NOTHING_STALE = -1  # both nodes were roots: the child is its father, fitness and all
BROKEN = -2  # the child would break a limit


@small_kernel
def holds(mother, father, cut, depth, graft, rules):
    """Say whether a subtree of the father may take the place of one of the mother, whose depth is given."""
    n_leaves = (mother[0]["span"] - mother[cut]["span"] + father[graft]["span"] + 1) // 2
    return n_leaves <= rules.max_leaf_nodes and depth + father[graft]["height"] <= rules.max_depth


@small_kernel
def splice(mother, father, child, cut, depth, graft, path):
    """Write the mother with the subtree at `cut`, `depth` ancestors in `path`, replaced by one of the father."""
    old = np.int64(mother[cut]["span"])  # one type for all lengths: each other one is compiled again
    new = np.int64(father[graft]["span"])
    whole = np.int64(mother[0]["span"])
    copy_slice(mother, ROOT, child, ROOT, cut)
    copy_slice(father, graft, child, cut, new)
    copy_slice(mother, cut + old, child, cut + new, whole - cut - old)
    # Who arrives does not depend on what follows; and the sums above include what was here.
    child[cut]["rows"] = mother[cut]["rows"]
    child[cut]["hits"] = mother[cut]["hits"]
    child[cut]["checks"] = mother[cut]["checks"]
    grow_path(child, path, depth, new - old)


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
    depth = find_path(mother, cut, path)
    if not holds(mother, father, cut, depth, graft, rules):
        return BROKEN
    splice(mother, father, child, cut, depth, graft, path)
    return cut
