"""What a child does cost, to the row: its parents' shapes and the nodes that were drawn decide it.

Draws are keyed, so they can be drawn again. Nothing of the child is looked at: it need not even be bred.
"""

import numpy as np

from heirwood.core._jit import kernel, small_kernel
from heirwood.core.arena import find_path
from heirwood.core.breed import CROSS, choose_operator
from heirwood.core.crossover.subtree import FATHER_NODE, MOTHER_NODE
from heirwood.core.draws import below, chance
from heirwood.core.mutation import MUTATE, N_SLOTS, NODE, OPERATOR, OPERATORS
from heirwood.core.mutation.leaf_grow import leaf_grow

# Not imported from a sister file: a cached kernel notices changes of its own file and of core, and no others.
NOWHERE = np.int64(-1)  # no node was cut
GROW = OPERATORS.index(leaf_grow)


@small_kernel
def count_child(arena, mother, father, rules, key, path):
    """Return the rows that one child has to classify again."""
    tree = mother
    cut = NOWHERE
    graft = NOWHERE
    size = np.int64(arena[mother, 0]["span"])
    depth = 0
    old = np.int64(0)
    new = np.int64(0)
    stale = 0
    if chance(key, CROSS) < rules.crossover_rate:
        cut = below(key, MOTHER_NODE, size)
        graft = below(key, FATHER_NODE, np.int64(arena[father, 0]["span"]))
        if cut == 0 and graft == 0:
            tree, cut, graft = father, NOWHERE, NOWHERE
            size = np.int64(arena[father, 0]["span"])
        else:
            old = np.int64(arena[mother, cut]["span"])
            new = np.int64(arena[father, graft]["span"])
            size += new - old
            depth = find_path(arena[mother], cut, path)
            if (size + 1) // 2 > rules.max_leaf_nodes or depth + arena[father, graft]["height"] > rules.max_depth:
                return 0
            stale = arena[mother, cut]["rows"]
    if rules.n_mutations == 0 or chance(key, N_SLOTS + MUTATE) >= rules.mutation_rate:
        return stale

    node = below(key, N_SLOTS + NODE, size)
    inside = cut <= node < cut + new
    if inside:
        tree = father
        node += graft - cut
    elif node >= cut + new:
        node += old - new
    leaf = arena[tree, node]["span"] == 1
    code = choose_operator(rules.leaf_odds if leaf else rules.inner_odds, key, N_SLOTS + OPERATOR)
    if code < 0:
        return stale
    if code == GROW:
        level = find_path(arena[tree], node, path)
        if inside:
            level += depth - find_path(arena[father], graft, path)
        if rules.first.shape[0] < 2 or (size + 1) // 2 + 1 > rules.max_leaf_nodes or level + 1 > rules.max_depth:
            return 0
    if inside:
        return stale
    if node < cut < node + arena[tree, node]["span"]:
        return arena[tree, node]["rows"]
    return stale + arena[tree, node]["rows"]


@kernel
def count(arena, mothers, fathers, keys, rules, path, rows):
    """Count the rows of every child of a generation.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE
    mothers, fathers : (n_children,) int64
    keys : (n_children,) uint64
    rules : Rules
    path : (capacity,) int32, scratch
    rows : (n_children,) int64, updated in place
    """
    for i in range(mothers.shape[0]):
        rows[i] = count_child(arena, mothers[i], fathers[i], rules, keys[i], path)
