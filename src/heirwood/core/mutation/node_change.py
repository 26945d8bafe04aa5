"""Node-Change: an inner node gets another attribute-value test (the paper, Table 1)."""

from heirwood.core._jit import small_kernel
from heirwood.core.draws import draw_test
from heirwood.core.mutation.rng_slots import ATTRIBUTE


@small_kernel
def node_change(tree, node, rules, key, slot, path):
    """Redraw the test of `node`; return `node`, which is stale."""
    tree[node]["gene"] = draw_test(key, slot + ATTRIBUTE, rules.first, rules.tickets)
    return node
