"""One step of the search for the optimum: into a node, down to a side of a test, and up again."""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.optimum.frame import CHOOSE, CLOSED, DONE, ENTER, LEAF, LEFT, NOTHING, RIGHT, UNKNOWN, goal, worth
from heirwood.core.optimum.look import look_two_levels, lower_bounds, scan, weigh_rows
from heirwood.core.optimum.memo import find_entry, remember
from heirwood.core.sweeps import narrow

VISIT, EXTRA = 512, 8  # what a node, and a count, take beside their words; in words
LIKENESS = 3  # levels below a node from which on tests are compared with each other: a side takes longer than that


@small_kernel
def finish(frame, rows, bounds, search):
    """Leave a node: its best tree is known if nothing that was closed may be worth more."""
    for test in range(bounds.shape[0]):
        frame["failed"] = max(frame["failed"], bounds[test])
    frame["most"] = worth(frame["hits"], frame["leaves"], search.price)
    if frame["failed"] > frame["most"]:
        frame["most"] = frame["failed"]
        frame["test"] = UNKNOWN
    frame["stage"] = DONE
    remember(
        rows, frame["useful"], frame["most"], frame["hits"], frame["leaves"], frame["test"], search.memo, search.where
    )  # fmt: skip


@small_kernel
def recall(frame, entry):
    """Take over what the memo knows, if that is the best tree, or that no tree is of use; say whether it is."""
    if entry["print"] == 0 or (entry["test"] == UNKNOWN and entry["most"] > frame["need"]):
        return False
    frame["most"] = entry["most"]
    frame["hits"] = entry["hits"]
    frame["leaves"] = entry["leaves"]
    frame["test"] = entry["test"]
    return True


@small_kernel
def takes_pairs(bounds, least, left):
    """Return how many pairs of tests there are, or zero if single tests are cheaper to look at."""
    n_open = 0
    n_valid = 0
    for test in range(bounds.shape[0]):
        n_open += bounds[test] > least
        n_valid += left[test, 0] >= 0
    n_pairs = n_valid * (n_valid - 1) // 2
    return n_pairs if 2 * n_open * bounds.shape[0] > n_pairs else 0


@part_kernel
def enter(level, search):
    """Look at a node for the first time; return the words that it took."""
    frame, rows, price = search.frames[level], search.rows[level], search.price
    bounds = search.bounds[level]
    n_tests, n_words = search.bits.shape
    n_classes = search.planes.shape[0]
    n_rows, hits, agree, useful = weigh_rows(
        rows, search.planes, search.agreeing, search.fewest, price, np.int64(frame["levels"]), search.whole[0]
    )
    frame["n_rows"] = n_rows
    frame["useful"] = useful
    frame["hits"] = hits
    frame["leaves"] = 1
    frame["test"] = LEAF
    frame["failed"] = NOTHING
    frame["stage"] = DONE
    frame["most"] = worth(hits, 1, price)
    spent = VISIT + n_words * (n_classes + 1)
    if useful == 0:
        return spent
    if max(frame["most"], worth(agree, 2, price)) <= frame["need"]:
        frame["most"] = max(frame["most"], worth(agree, 2, price))
        frame["test"] = UNKNOWN
        return spent
    place, _, _ = find_entry(rows, useful, search.memo)
    if recall(frame, search.memo[place]):
        return spent
    scan(rows, n_rows, agree, useful > 1, search, frame, bounds, search.stumps[level])
    spent += n_tests * (EXTRA + n_words * (n_classes + (0 if agree == n_rows else 1)))
    if useful == 1:
        finish(frame, rows, bounds, search)
        return spent
    n_pairs = takes_pairs(bounds, goal(frame, price), search.left) if useful == 2 else 0
    if n_pairs > 0:
        look_two_levels(rows, n_rows, search, frame, search.rows[level + 1])
        for test in range(n_tests):
            bounds[test] = NOTHING
        finish(frame, rows, bounds, search)
        return spent + n_pairs * (EXTRA + n_words * n_classes)
    frame["stage"] = CHOOSE
    return spent


@small_kernel
def bound_of(rows, levels, search):
    """Return what some rows may be worth."""
    price = search.price
    _, hits, agree, useful = weigh_rows(
        rows, search.planes, search.agreeing, search.fewest, price, levels, search.whole[1]
    )
    if useful == 0:
        return worth(hits, 1, price)
    place, _, _ = find_entry(rows, useful, search.memo)
    if search.memo[place]["print"] != 0:
        return np.int64(search.memo[place]["most"])
    return max(worth(hits, 1, price), worth(agree, 2, price))


@small_kernel
def best_open(bounds, stumps):
    """Return the test that may be worth most; of several the best stump, then the first."""
    best = 0
    for test in range(1, bounds.shape[0]):
        if bounds[test] > bounds[best] or (bounds[test] == bounds[best] and stumps[test] > stumps[best]):
            best = test
    return best


@part_kernel
def choose(level, search):
    """Go down the left side of the most promising test, or leave the node if none is; return the level then."""
    frame, rows, below = search.frames[level], search.rows[level], search.rows[level + 1]
    bounds = search.bounds[level]
    test = best_open(bounds, search.stumps[level])
    least = goal(frame, search.price)
    if bounds[test] <= least:
        finish(frame, rows, bounds, search)
        return level
    levels = np.int64(frame["useful"]) - 1
    narrow(rows, search.bits[test], ~np.uint64(0), below)
    frame["chosen"] = test
    frame["other"] = bound_of(below, levels, search)
    frame["stage"] = LEFT
    narrow(rows, search.bits[test], np.uint64(0), below)
    go_down(search.frames[level + 1], levels, least - frame["other"])
    return level + 1


@small_kernel
def go_down(frame, levels, need):
    """Make a frame ready for a side."""
    frame["stage"] = ENTER
    frame["levels"] = levels
    frame["need"] = need


@inner_kernel
def close(level, most, known, search):
    """Be done with the chosen test, which is worth so much at most, or just that."""
    frame, bounds = search.frames[level], search.bounds[level]
    if not known:
        frame["failed"] = max(frame["failed"], most)
    test = np.int64(frame["chosen"])
    bounds[test] = NOTHING
    frame["stage"] = CHOOSE
    if level == 0:
        search.where[CLOSED] += 1
    if frame["useful"] < LIKENESS or search.fewest > 1:
        return 0
    n_rows = np.int64(frame["n_rows"])
    lower_bounds(search.rows[level], n_rows, test, most, goal(frame, search.price), search, bounds)
    return search.bits.size


@part_kernel
def leave_left(level, search):
    """Come up from a left side: on to the right one, if it can still be worth it; return the level, and the words."""
    frame, side = search.frames[level], search.frames[level + 1]
    least = goal(frame, search.price)
    most = side["most"] + frame["other"]
    if side["test"] == UNKNOWN or most <= least:
        return level, close(level, most, False, search)
    frame["left_hits"] = side["hits"]
    frame["left_leaves"] = side["leaves"]
    frame["stage"] = RIGHT
    narrow(search.rows[level], search.bits[frame["chosen"]], ~np.uint64(0), search.rows[level + 1])
    go_down(side, np.int64(frame["useful"]) - 1, least - side["most"])
    return level + 1, 0


@part_kernel
def leave_right(level, search):
    """Come up from a right side, with a better tree or without; return the words."""
    frame, side, price = search.frames[level], search.frames[level + 1], search.price
    most = worth(frame["left_hits"], frame["left_leaves"], price) + side["most"]
    known = side["test"] != UNKNOWN
    hits, leaves = frame["left_hits"] + side["hits"], frame["left_leaves"] + side["leaves"]
    if known and worth(hits, leaves, price) > worth(frame["hits"], frame["leaves"], price):
        frame["hits"] = hits
        frame["leaves"] = leaves
        frame["test"] = frame["chosen"]
    return close(level, most, known, search)
