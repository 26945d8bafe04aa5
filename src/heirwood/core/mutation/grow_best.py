"""Grow-Best: a leaf becomes the best of some drawn tests, with two leaves."""

from heirwood.core._jit import part_kernel
from heirwood.core.draws import below, draw
from heirwood.core.mutation.rng_slots import BROKEN, LABEL, OTHER_LABEL
from heirwood.core.node_context import TWO, see
from heirwood.core.split import DRAWN, split_best


@part_kernel
def grow_best(tree, node, rules, key, slot, path, context):
    """Turn the leaf `node` into a test with two leaves; return `node`, or BROKEN beyond a limit.

    What is best, errors or purity, is drawn too: errors alone cannot see a test that only pays with
    a second one below it.
    """
    depth = see(tree, node, path, context)
    criterion = below(key, slot + LABEL, TWO)
    if not split_best(tree, node, path, depth, rules, draw(key, slot + OTHER_LABEL), criterion, DRAWN, context):
        return BROKEN
    return node
