"""Replace-Best: an inner node gets the best of some drawn tests; what is below it stays."""

from heirwood.core._jit import kernel
from heirwood.core.draws import below, draw
from heirwood.core.mutation.slots import BROKEN, LABEL, OTHER_LABEL
from heirwood.core.sight import HERE, NO_TEST, TWO, find_split, see, weigh
from heirwood.core.sweeps import count


@kernel
def replace_best(tree, node, rules, key, slot, path, sight):
    """Replace the test of `node`; return `node`, which is stale, or BROKEN where no test divides its rows."""
    see(tree, node, path, sight)
    rows = sight.rows[HERE]
    weigh(rows, sight.target, sight.weights[0])
    criterion = below(key, slot + LABEL, TWO)
    test = find_split(
        rows, sight.weights[0], count(rows, rows), rules, draw(key, slot + OTHER_LABEL), criterion, False, sight,
        sight.weights[1], sight.weights[2],
    )  # fmt: skip
    if test == NO_TEST:
        return BROKEN
    tree[node]["gene"] = test
    return node
