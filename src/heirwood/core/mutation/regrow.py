"""Regrow: a leaf or a whole subtree is grown anew, greedily, from a test of its own, a drawn one, or the best.

One step of lookahead, where the population tries the tests: what a test is worth shows in the subtree that can be
grown below it. What grows must pay: a split stays where it gains more than the price of the leaves it adds.
"""

import numpy as np

from heirwood.core._jit import part_kernel, small_kernel
from heirwood.core.arena import grow_path, mend, move_tail, write_leaf
from heirwood.core.draws import below, draw, draw_test
from heirwood.core.mutation.slots import BROKEN, LABEL, OTHER_LABEL
from heirwood.core.sight import DOWN, HERE, NO_TEST, TWO, best_label, keep_side, see, size_of, weigh
from heirwood.core.split import find_split

MOST_LEVELS = np.int64(9)  # of what is grown at once
OWN, DRAWN, BEST = np.int64(0), np.int64(1), np.int64(2)  # where the first test comes from
THREE = np.int64(3)
GREEDY = 32  # of the answers of other operators: there are many splits, and drawn attributes make them differ


@part_kernel
def choose_split(rows, place, depth, own, rules, key, criterion, sight, grown):
    """Write down the node that is grown at `place`: what it is as a leaf, and its test, if it may have one."""
    whole = sight.weights[0]
    weigh(rows, sight.target, whole)
    label, hits = best_label(whole, sight.target.costly, sight.target.gains)
    most = np.int64(0)
    for c in range(whole.shape[0]):
        most += whole[c] * sight.target.gains[c, c]
    grown[place]["label"] = label
    grown[place]["hits"] = hits
    grown[place]["test"] = NO_TEST
    if depth == 0 or np.float64(most - hits) <= rules.price:
        return  # no split below can pay
    test = own
    if own == NO_TEST:
        test = find_split(
            rows, size_of(rows), whole, rules, draw(key, place), criterion, rules.n_answers // GREEDY, sight
        )
    grown[place]["test"] = test


@part_kernel
def grow_greedily(own, levels, rules, key, criterion, sight, grown):
    """Grow a subtree for the rows HERE, in preorder; return its number of nodes. `own` is its first test, if any."""
    n = np.int64(0)
    level = np.int64(0)
    while True:
        rows = sight.rows[HERE] if level == 0 else sight.rows[DOWN + level]
        if level > 0:
            above = sight.rows[HERE] if level == 1 else sight.rows[DOWN + level - 1]
            test = np.int64(grown[sight.parents[level - 1]]["test"])
            flip = np.uint64(0) if sight.parents[level - 1] == n - 1 else ~np.uint64(0)
            keep_side(above, sight.bits[test], flip, rows)
        choose_split(rows, n, levels - level, own if n == 0 else NO_TEST, rules, key, criterion, sight, grown)
        grown[n]["right"] = 0
        n += 1
        if grown[n - 1]["test"] != NO_TEST:
            sight.parents[level] = n - 1
            level += 1
            continue
        while level > 0 and grown[sight.parents[level - 1]]["right"] > 0:
            level -= 1
        if level == 0:
            return n
        grown[sight.parents[level - 1]]["right"] = n


@small_kernel
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


@small_kernel
def n_kept(n, grown):
    """Return the nodes that are left."""
    kept = np.int64(0)
    node = np.int64(0)
    while node < n:
        kept += 1
        node = node + 1 if grown[node]["test"] != NO_TEST else np.int64(grown[node]["end"])
    return kept


@small_kernel
def write_grown(tree, start, n, grown):
    """Write what is left of a subtree that was grown to a tree, from `start` on."""
    place = start
    node = np.int64(0)
    while node < n:
        if grown[node]["test"] != NO_TEST:
            tree[place]["gene"] = grown[node]["test"]
            node += 1
        else:
            write_leaf(tree, place, grown[node]["label"])
            node = np.int64(grown[node]["end"])
        place += 1
    for node in range(place - 1, start - 1, -1):
        if tree[node]["gene"] >= 0:
            left = node + 1
            right = left + tree[left]["span"]
            tree[node]["span"] = 1 + tree[left]["span"] + tree[right]["span"]
            mend(tree, node)


@part_kernel
def regrow(tree, node, rules, key, slot, path, sight):
    """Grow the subtree at `node` anew; return `node`, or BROKEN beyond a limit."""
    depth = see(tree, node, path, sight)
    levels = min(rules.max_depth - depth, MOST_LEVELS)
    if rules.first.shape[0] < 2 or levels < 1:
        return BROKEN
    drawing = draw(key, slot + OTHER_LABEL)
    source = below(key, slot + LABEL, THREE)
    own = NO_TEST
    if source == OWN and tree[node]["gene"] >= 0:
        own = np.int64(tree[node]["gene"])
    elif source != BEST:
        own = draw_test(drawing, 0, rules.first, rules.tickets)
    inside = draw(drawing, 2)
    n = grow_greedily(own, levels, rules, inside, below(drawing, 3, TWO), sight, sight.grown)
    keep_what_pays(n, rules.price, sight.grown)
    new = n_kept(n, sight.grown)
    old = np.int64(tree[node]["span"])
    if (tree[0]["span"] - old + new + 1) // 2 > rules.max_leaves:
        return BROKEN
    move_tail(tree, node + old, new - old)
    write_grown(tree, node, n, sight.grown)
    grow_path(tree, path, depth, new - old)
    return node
