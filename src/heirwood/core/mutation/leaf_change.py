"""Leaf-Change: a leaf gets another class (the paper, Table 1)."""

from heirwood.core._jit import small_kernel
from heirwood.core.draws import below
from heirwood.core.mutation.slots import LABEL


@small_kernel
def leaf_change(arena, tree, node, rules, key, slot, path):
    """Redraw the label of the leaf `node`; return `node`, which is stale."""
    arena.genes[tree, node] = ~below(key, slot + LABEL, rules.n_classes)
    return node
