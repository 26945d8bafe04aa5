"""Leaf-Change: a leaf gets another class (the paper, Table 1)."""

from heirwood.core._jit import part_kernel
from heirwood.core.draws import below
from heirwood.core.mutation.rng_slots import LABEL


@part_kernel
def leaf_change(tree, node, rules, key, slot, path):
    """Redraw the label of the leaf `node`; return `node`, which is stale."""
    tree[node]["gene"] = ~below(key, slot + LABEL, rules.n_classes)
    return node
