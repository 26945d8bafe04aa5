"""Replace-Best: an inner node gets the best of some drawn tests; what is below it stays."""

from heirwood.core._jit import part_kernel
from heirwood.core.draws import below, draw
from heirwood.core.mutation.rng_slots import BROKEN, LABEL, OTHER_LABEL
from heirwood.core.node_context import HERE, NO_TEST, TWO, see, size_of, weigh
from heirwood.core.split import DRAWN, find_split


@part_kernel
def replace_best(tree, node, rules, key, slot, path, context):
    """Replace the test of `node`; return `node`, which is stale, or BROKEN where no test divides its rows."""
    see(tree, node, path, context)
    rows = context.rows[HERE]
    weigh(rows, context.target, context.weights[0])
    criterion = below(key, slot + LABEL, TWO)
    drawing = draw(key, slot + OTHER_LABEL)
    test = find_split(rows, size_of(rows), context.weights[0], rules, drawing, criterion, DRAWN, context)
    if test == NO_TEST:
        return BROKEN
    tree[node]["gene"] = test
    return node
