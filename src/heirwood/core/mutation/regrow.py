"""Regrow: a leaf or a whole subtree is grown anew, greedily, from a test of its own, a drawn one, or the best.

One step of lookahead, where the population tries the tests: what a test is worth shows in the subtree that can be
grown below it.
"""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import grow_path, mend, move_tail, write_leaf
from heirwood.core.draws import below, draw, draw_test
from heirwood.core.greedy import MOST_LEVELS, grow_greedily
from heirwood.core.mutation.rng_slots import BROKEN, LABEL, OTHER_LABEL
from heirwood.core.node_context import NO_TEST, TWO, see

OWN, DRAWN, BEST = np.int64(0), np.int64(1), np.int64(2)  # where the first test comes from
THREE = np.int64(3)
GREEDY = 32  # of the answers of other operators: there are many splits, and drawn attributes make them differ


@part_kernel
def n_kept(n, grown):
    """Return the nodes that are left."""
    kept = np.int64(0)
    node = np.int64(0)
    while node < n:
        kept += 1
        node = node + 1 if grown[node]["test"] != NO_TEST else np.int64(grown[node]["end"])
    return kept


@part_kernel
def write_grown(tree, start, n, grown):
    """Write what is left of a subtree that was grown to a tree, from `start` on."""
    place = start
    node = np.int64(0)
    while node < n:
        if grown[node]["test"] != NO_TEST:
            tree[place]["gene"] = grown[node]["test"]
            node += 1
        else:
            write_leaf(tree, place, np.int64(grown[node]["label"]))
            node = np.int64(grown[node]["end"])
        place += 1
    for node in range(place - 1, start - 1, -1):
        if tree[node]["gene"] >= 0:
            left = node + 1
            right = left + tree[left]["span"]
            tree[node]["span"] = 1 + tree[left]["span"] + tree[right]["span"]
            mend(tree, node)


@part_kernel
def regrow(tree, node, rules, key, slot, path, context):
    """Grow the subtree at `node` anew; return `node`, or BROKEN beyond a limit."""
    depth = see(tree, node, path, context)
    levels = min(rules.max_depth - depth, MOST_LEVELS)
    if rules.first.shape[0] < 2 or levels < 1:
        return BROKEN
    drawing = draw(key, slot + OTHER_LABEL)
    source = below(key, slot + LABEL, THREE)
    own = NO_TEST
    if source == OWN and tree[node]["gene"] >= 0:
        own = np.int64(tree[node]["gene"])
    elif source != BEST:
        own = draw_test(drawing, np.int64(0), rules.first, rules.tickets)
    inside = draw(drawing, TWO)
    n = grow_greedily(own, levels, rules, inside, below(drawing, THREE, TWO), rules.n_answers // GREEDY, context)
    new = n_kept(n, context.grown)
    old = np.int64(tree[node]["span"])
    if (tree[0]["span"] - old + new + 1) // 2 > rules.max_leaf_nodes:
        return BROKEN
    move_tail(tree, node + old, new - old)
    write_grown(tree, node, n, context.grown)
    grow_path(tree, path, depth, new - old)
    return node
