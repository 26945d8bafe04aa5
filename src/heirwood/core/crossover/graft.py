"""Best graft: a crossover that takes, of some drawn subtrees of the father, the one that suits best."""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import copy_tree
from heirwood.core.bitset_ops import count
from heirwood.core.crossover.subtree import BROKEN, FATHER_NODE, MOTHER_NODE, NOTHING_STALE, holds, splice
from heirwood.core.draws import below, draw
from heirwood.core.leaf_loss import COSTS, LOG_LOSS
from heirwood.core.node_context import ONE_SIDE, mark_right, see, size_of


@part_kernel
def weight_of(rows, target):
    """Return what is at stake of some rows: what they weigh, or the most that they can cost."""
    if not target.weighted and target.hits_are != COSTS:
        return size_of(rows)
    total = 0
    for c in range(target.gains.shape[0]):
        for p in range(target.starts[c], target.starts[c + 1]):
            total += target.gains[c, c] * target.scale[p] * count(rows, target.planes[p])
    return total


@part_kernel
def cross_best(mother, father, child, rules, key, path, context):
    """Replace a drawn subtree of the mother by the best of some drawn ones of the father; return the stale node.

    The best gets most of the rows there right, as its leaves are labelled, or has the least loss with their shares;
    ties go to the smaller one, then to the first. A child beyond the limits is not built.
    """
    cut = below(key, MOTHER_NODE, np.int64(mother[0]["span"]))
    depth = see(mother, cut, path, context)
    drawing = draw(key, FATHER_NODE)
    best = np.int64(-1)
    most = np.int64(-1)
    for i in range(rules.n_drawn):
        graft = below(drawing, i, np.int64(father[0]["span"]))
        if not holds(mother, father, cut, depth, graft, rules):
            continue
        right = mark_right(father, graft, context, context.rows[ONE_SIDE])
        if context.target.hits_are < LOG_LOSS:
            right = np.int64(weight_of(context.rows[ONE_SIDE], context.target))
        if right > most or (right == most and father[graft]["span"] < father[best]["span"]):
            most = right
            best = graft
    if best < 0:
        return BROKEN
    if cut == 0 and best == 0:
        copy_tree(father, child)
        return NOTHING_STALE
    splice(mother, father, child, cut, depth, best, path)
    return cut
