"""The search for the optimum: steps until the effort is spent, and the tree that is read off the memo."""

import numpy as np

from heirwood.core._jit import kernel
from heirwood.core.arena import ONE
from heirwood.core.bitset_ops import narrow
from heirwood.core.node_context import heaviest
from heirwood.core.optimal.search_frame import CHOOSE, DONE, ENTER, LEAF, LEFT, LEVEL, USED
from heirwood.core.optimal.search_steps import choose, enter, leave_left, leave_right, look_across
from heirwood.core.optimal.split_bounds import weigh_rows
from heirwood.core.optimal.subproblem_cache import find_entry


@kernel
def go_on(search, effort):
    """Search until so many words were read, the memo is three quarters full, or the root is done; return the words."""
    level = search.where[LEVEL]
    room = 3 * search.memo.shape[0] // 4
    spent = np.int64(0)
    while level >= 0 and spent < effort and search.where[USED] < room:
        stage = search.frames[level]["stage"]
        if stage == ENTER:
            spent += enter(level, np.int64(0), search)
            if level > 0 and search.frames[level - 1]["stage"] == LEFT and search.frames[level]["stage"] != DONE:
                spent += look_across(level - 1, search)
        elif stage == CHOOSE:
            level = choose(level, search)
        elif stage == LEFT:
            level, words = leave_left(level, search)
            spent += words
        else:
            spent += leave_right(level, search)
        if search.frames[level]["stage"] == DONE:
            level -= 1
    search.where[LEVEL] = level
    return spent


@kernel
def read_tree(search, test, levels, genes, rows, waiting):
    """Write the genes of the best tree at the root, which asks `test` first, in preorder; return how many there are.

    Everything below its root is known to the memo.

    Parameters
    ----------
    test : int
    levels : int
    genes : (n,) int64, updated in place
    rows : (levels + 1, n_words) uint64, scratch
        The first are all rows; from then on the right sides that wait, by their depth.
    waiting : (levels + 1,) int64, scratch
        Levels below each of them.
    """
    n = 0
    n_waiting = 1
    waiting[0] = levels
    while n_waiting > 0:
        n_waiting -= 1
        here, levels = rows[n_waiting], waiting[n_waiting]
        _, _, _, useful = weigh_rows(here, search.packed[: here.shape[0]], levels, search, search.whole[1])
        found = np.int64(LEAF)
        if n == 0:
            found = np.int64(test)
        elif useful > 0:
            place, _, _ = find_entry(here, useful, search.memo)
            if search.memo[place]["hash"] != 0:  # a leaf below the best stump may never have been looked at
                found = np.int64(search.memo[place]["test"])
        if found < 0:
            genes[n] = ~heaviest(search.whole[1])
        else:
            genes[n] = found
            narrow(here, search.bits[found], np.uint64(0), rows[n_waiting + 1])
            narrow(here, search.bits[found], ~np.uint64(0), here)
            waiting[n_waiting] = useful - ONE
            waiting[n_waiting + 1] = useful - ONE
            n_waiting += 2
        n += 1
    return n
