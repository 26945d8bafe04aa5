"""Optimal-Stump: a leaf or a whole subtree becomes the one test that leaves the fewest errors there.

Over all tests of the bank, where that is affordable; otherwise over those of some drawn attributes.
"""

from heirwood.core._jit import part_kernel
from heirwood.core.draws import draw
from heirwood.core.mutation.rng_slots import BROKEN, OTHER_LABEL
from heirwood.core.node_context import ERRORS, see
from heirwood.core.split import split_best


@part_kernel
def optimal_stump(tree, node, rules, key, slot, path, context):
    """Turn the subtree at `node` into the best test with two leaves; return `node`, or BROKEN beyond a limit."""
    depth = see(tree, node, path, context)
    if not split_best(tree, node, path, depth, rules, draw(key, slot + OTHER_LABEL), ERRORS, rules.n_answers, context):
        return BROKEN
    return node
