"""Refit: an inner node keeps both subtrees and gets the test that sends most rows to the side that is right."""

import numpy as np

from heirwood.core._jit import kernel
from heirwood.core.draws import draw, draw_test
from heirwood.core.mutation.slots import BROKEN, OTHER_LABEL
from heirwood.core.sight import NO_TEST, ONE_SIDE, OTHER_SIDE, mark_right, n_candidates, see, weight_passing


@kernel
def refit(tree, node, rules, key, slot, path, sight):
    """Replace the test of `node`; return `node`, which is stale, or BROKEN where there is no test.

    With L the rows that the left subtree gets right and R those of the right one, a test T gets
    w(R) + w(L & T) - w(R & T) right; w(R) is the same for all.
    """
    see(tree, node, path, sight)
    mark_right(tree, node + 1, sight, sight.rows[ONE_SIDE])
    mark_right(tree, node + 1 + np.int64(tree[node + 1]["span"]), sight, sight.rows[OTHER_SIDE])
    drawing = draw(key, slot + OTHER_LABEL)
    n, are_all = n_candidates(sight.bits.shape[0], rules, True)
    best = NO_TEST
    most = np.int64(0)
    for i in range(n):
        test = np.int64(i) if are_all else draw_test(drawing, 2 * i, rules.first, rules.tickets)
        answers = sight.bits[test]
        gain = weight_passing(sight.rows[ONE_SIDE], answers, sight.target) - weight_passing(
            sight.rows[OTHER_SIDE], answers, sight.target
        )
        if best == NO_TEST or gain > most:
            best = test
            most = gain
    if best == NO_TEST:
        return BROKEN
    tree[node]["gene"] = best
    return node
