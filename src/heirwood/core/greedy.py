"""Growing greedily: a subtree for some rows, each test the best for the rows that arrive at it.

What grows must pay: a split stays where it gains more than the price of the leaves it adds.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel
from heirwood.core.draws import draw
from heirwood.core.node_context import DOWN, ERRORS, HERE, NO_TEST, best_label, keep_side, most_hits, size_of, weigh
from heirwood.core.spin_wait import read_anew
from heirwood.core.split import find_split

MOST_LEVELS = np.int64(12)  # of what is grown at once


@part_kernel
def choose_split(rows, place, depth, own, rules, key, criterion, n_answers, context):
    """Write down the node that is grown at `place`: what it is as a leaf, and its test, if it may have one."""
    whole, grown = context.weights[0], context.grown
    weigh(rows, context.target, whole)
    label, hits = best_label(whole, context.target)
    most = most_hits(whole, context.target)
    grown[place]["label"] = label
    grown[place]["hits"] = hits
    grown[place]["test"] = NO_TEST
    read_anew()
    if depth == 0 or np.float64(most - hits) <= rules.price or context.stop[0] != 0:
        return  # no split below can pay, or nobody waits for one
    test = own
    if own == NO_TEST:
        wanted = ERRORS if depth == 1 else criterion  # pure sides are of no use where nothing more may grow
        test = find_split(rows, size_of(rows), whole, rules, draw(key, place), wanted, n_answers, context)
    grown[place]["test"] = test


@part_kernel
def keep_what_pays(n, price, grown):
    """Make a leaf of every node whose subtree gains no more than its leaves cost; set what each node is worth."""
    for node in range(n - 1, -1, -1):
        hits = np.float64(grown[node]["hits"])
        grown[node]["worth"] = hits
        grown[node]["end"] = node + 1
        if grown[node]["test"] != NO_TEST:
            right = grown[node]["right"]
            worth = grown[node + 1]["worth"] + grown[right]["worth"] - price
            grown[node]["end"] = grown[right]["end"]
            if worth > hits:
                grown[node]["worth"] = worth
            else:
                grown[node]["test"] = NO_TEST


@inner_kernel
def grow_greedily(own, levels, rules, key, criterion, n_answers, context):
    """Grow a subtree for the rows HERE, in preorder, and keep what pays; return its number of nodes.

    Parameters
    ----------
    own : int
        Its first test, or NO_TEST where that is the best one.
    levels : int
        At most MOST_LEVELS.
    rules : Rules
    key : uint64
        Of the draws, where not all tests are looked at.
    criterion : {ERRORS, GINI, ENTROPY}
    n_answers : int
        Answers that one split may look at.
    context : NodeContext
    """
    grown = context.grown
    n = np.int64(0)
    level = np.int64(0)
    while True:
        rows = context.rows[HERE] if level == 0 else context.rows[DOWN + level]
        if level > 0:
            above = context.rows[HERE] if level == 1 else context.rows[DOWN + level - 1]
            test = np.int64(grown[context.parents[level - 1]]["test"])
            flip = np.uint64(0) if context.parents[level - 1] == n - 1 else ~np.uint64(0)
            keep_side(above, context.bits[test], flip, rows)
        choose_split(rows, n, levels - level, own if n == 0 else NO_TEST, rules, key, criterion, n_answers, context)
        grown[n]["right"] = 0
        n += 1
        if grown[n - 1]["test"] != NO_TEST:
            context.parents[level] = n - 1
            level += 1
            continue
        while level > 0 and grown[context.parents[level - 1]]["right"] > 0:
            level -= 1
        if level == 0:
            keep_what_pays(n, rules.price, grown)
            return n
        grown[context.parents[level - 1]]["right"] = n
