"""One step of the search for the optimum: into a node, down to a side of a test, and up again."""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel
from heirwood.core.bitset_ops import narrow
from heirwood.core.optimal.best_stumps import find_stumps, look_two_levels, sharpen_bounds
from heirwood.core.optimal.compact_rows import compact_rows_of, narrow_compact, words_of
from heirwood.core.optimal.search_frame import (
    CHOOSE,
    CLOSED,
    DONE,
    ENTER,
    LEAF,
    LEFT,
    NOTHING,
    RIGHT,
    UNKNOWN,
    goal,
    worth,
)
from heirwood.core.optimal.split_bounds import lower_bounds, scan, weigh_rows
from heirwood.core.optimal.subproblem_cache import find_entry, remember

VISIT, EXTRA = 512, 8  # what a node, and a count, take beside their words; in words
MOVE = 8  # what it takes to close the gap before one row, by blocks of questions
AT_ONCE = 4  # counts of pairs that take as long as one of a single test
MOST_PAIRS = 2**22  # words of a look at all pairs: nobody can interrupt it
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
        rows, np.int64(frame["useful"]), frame["most"], frame["hits"], np.int64(frame["leaves"]),
        np.int64(frame["test"]), search.memo, search.where,
    )  # fmt: skip


@part_kernel
def recall(frame, entry):
    """Take over what the memo knows, if that is the best tree, or that no tree is of use; say whether it is."""
    if entry["hash"] == 0 or (entry["test"] == UNKNOWN and entry["most"] > frame["need"]):
        return False
    frame["most"] = entry["most"]
    frame["hits"] = entry["hits"]
    frame["leaves"] = entry["leaves"]
    frame["test"] = entry["test"]
    return True


@part_kernel
def words_of_pairs(bounds, least, floor, width, search):
    """Return the words that a look at pairs of tests takes, or zero: too long, or single tests are cheaper.

    The first of a pair is worth more than the floor.
    """
    n_open = np.int64(0)
    n_first = np.int64(0)
    for test in range(bounds.shape[0]):
        n_open += bounds[test] > least
        n_first += bounds[test] > floor
    words = EXTRA + width * search.planes.shape[0]
    pairs = n_first * search.passed.shape[0] * words // AT_ONCE
    is_cheap = pairs <= MOST_PAIRS and 2 * n_open * (VISIT + bounds.shape[0] * words) > pairs
    return pairs if is_cheap else np.int64(0)


@part_kernel  # of several callers: no kernel can return a view of an array
def packed_at(frame, search):
    """Return the questions to the rows at a node."""
    return search.packed[frame["base"] : frame["base"] + frame["width"]]


@part_kernel
def use_compact_rows(level, after, search):
    """Close the gaps between the rows at a node, if they then take half as many words; return the words read.

    What is packed stays as it is up to some place.
    """
    frame = search.frames[level]
    n_rows, width = np.int64(frame["n_rows"]), words_of(np.int64(frame["n_rows"]))
    if 2 * width > frame["width"]:
        return np.int64(0)
    frame["base"] = max(np.int64(frame["base"]) + np.int64(frame["width"]), after)
    frame["width"] = width
    compact_rows_of(search.rows[level], n_rows, search.answers, packed_at(frame, search), search.near[level])
    return MOVE * n_rows * search.answers.shape[1]


@inner_kernel
def enter(level, after, search):
    """Look at a node for the first time, leaving what is packed up to some place; return the words that it took."""
    frame, rows, near, price = search.frames[level], search.rows[level], search.near[level], search.price
    bounds = search.bounds[level]
    n_tests, n_classes = search.bits.shape[0], search.planes.shape[0]
    n_rows, hits, agree, useful = weigh_rows(
        near, packed_at(frame, search), np.int64(frame["levels"]), search, search.whole[0]
    )
    frame["n_rows"] = n_rows
    frame["useful"] = useful
    frame["hits"] = hits
    frame["leaves"] = 1
    frame["test"] = LEAF
    frame["failed"] = NOTHING
    frame["stage"] = DONE
    frame["most"] = worth(hits, 1, price)
    spent = VISIT + np.int64(frame["width"]) * (n_classes + 1)
    if useful == 0:
        return spent
    if max(frame["most"], worth(agree, 2, price)) <= frame["need"]:
        frame["most"] = max(frame["most"], worth(agree, 2, price))
        frame["test"] = UNKNOWN
        return spent
    place, _, _ = find_entry(rows, useful, search.memo)
    if recall(frame, search.memo[place]):
        return spent
    if useful > 1:
        spent += use_compact_rows(level, after, search)
    packed, width = packed_at(frame, search), np.int64(frame["width"])
    scan(near, packed, n_rows, agree, useful > 1, search, frame, bounds, search.stumps[level], search.rights[level])
    spent += n_tests * (EXTRA + width * (n_classes + (0 if agree == n_rows else 1)))
    if useful == 1:
        finish(frame, rows, bounds, search)
        return spent
    frame["stage"] = CHOOSE
    least = goal(frame, price)
    floor = least if useful > 2 else NOTHING  # two levels are all that there is: the best tree is found, of use or not
    pairs = words_of_pairs(bounds, least, floor, width, search)
    if pairs == 0:
        return spent
    find_stumps(near, packed, n_rows, bounds, floor, search)
    if useful > 2:
        sharpen_bounds(n_rows, agree, search, bounds, floor, search.stumps[level], search.rights[level], frame)
    else:
        look_two_levels(rows, bounds, search, frame, search.rows[level + 1])
        for test in range(n_tests):
            bounds[test] = NOTHING
        finish(frame, rows, bounds, search)
    return spent + pairs


@part_kernel
def bound_of(rows, near, packed, levels, search):
    """Return what some rows may be worth, and whether a look at them could tell more."""
    price = search.price
    _, hits, agree, useful = weigh_rows(near, packed, levels, search, search.whole[1])
    if useful == 0:
        return worth(hits, 1, price), False
    place, _, _ = find_entry(rows, useful, search.memo)
    if search.memo[place]["hash"] != 0:
        return np.int64(search.memo[place]["most"]), False
    return max(worth(hits, 1, price), worth(agree, 2, price)), True


@part_kernel
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
    frame, rows, bounds = search.frames[level], search.rows[level], search.bounds[level]
    test = best_open(bounds, search.stumps[level])
    least = goal(frame, search.price)
    if bounds[test] <= least:
        finish(frame, rows, bounds, search)
        return level
    levels = np.int64(frame["useful"]) - 1
    frame["chosen"] = test
    take_side(level, ~np.uint64(0), level + 1, search)
    rows, near = search.rows[level + 1], search.near[level + 1]
    other, is_new = bound_of(rows, near, packed_at(frame, search), levels, search)
    frame["other"] = min(other, search.rights[level, test])
    frame["is_new"] = is_new
    frame["stage"] = LEFT
    go_down(level, np.uint64(0), levels, least - frame["other"], search)
    return level + 1


@small_kernel
def take_side(level, flip, below, search):
    """Write the rows on one side of the chosen test, for a level below."""
    frame = search.frames[level]
    test = np.int64(frame["chosen"])
    narrow(search.rows[level], search.bits[test], flip, search.rows[below])
    narrow_compact(search.near[level], packed_at(frame, search), test, flip, search.near[below])


@small_kernel
def make_ready(level, below, levels, need, search):
    """Make a level below ready for a side of the chosen test, whose rows are there."""
    frame, side = search.frames[level], search.frames[below]
    side["stage"] = ENTER
    side["levels"] = levels
    side["need"] = need
    side["base"] = frame["base"]
    side["width"] = frame["width"]


@small_kernel
def go_down(level, flip, levels, need, search):
    """Go down a side of the chosen test."""
    take_side(level, flip, level + 1, search)
    make_ready(level, level + 1, levels, need, search)


@small_kernel
def most_at(level, search):
    """Return what the best tree may be worth at a node that was looked at."""
    frame, bounds = search.frames[level], search.bounds[level]
    if frame["stage"] == DONE:
        return np.int64(frame["most"])
    most = worth(frame["hits"], frame["leaves"], search.price)
    for test in range(bounds.shape[0]):
        most = max(most, bounds[test])
    return most


@part_kernel
def look_across(level, search):
    """Look at the right side of a test before its left one is searched, if it is new; return the words that it took.

    The less the right side may be worth, the more the left one must be. Nothing is at the level below the left one yet.
    """
    frame, left, right = search.frames[level], search.frames[level + 1], search.frames[level + 2]
    if not frame["is_new"]:
        return np.int64(0)
    least = goal(frame, search.price)
    take_side(level, ~np.uint64(0), level + 2, search)
    make_ready(level, level + 2, np.int64(left["levels"]), least - most_at(level + 1, search), search)
    spent = enter(level + 2, np.int64(left["base"]) + np.int64(left["width"]), search)
    most = most_at(level + 2, search)
    if right["stage"] != DONE:
        remember(
            search.rows[level + 2], np.int64(right["useful"]), most, right["hits"], np.int64(right["leaves"]),
            np.int64(UNKNOWN), search.memo, search.where,
        )  # fmt: skip
    frame["other"] = min(frame["other"], most)
    left["need"] = max(left["need"], least - frame["other"])
    return spent


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
        return np.int64(0)
    packed, n_rows, least = packed_at(frame, search), np.int64(frame["n_rows"]), goal(frame, search.price)
    lower_bounds(search.near[level], packed, n_rows, test, most, least, search, bounds)
    return bounds.shape[0] * np.int64(frame["width"])


@part_kernel
def leave_left(level, search):
    """Come up from a left side: on to the right one, if it can still be worth it; return the level, and the words."""
    frame, side = search.frames[level], search.frames[level + 1]
    least = goal(frame, search.price)
    most = side["most"] + frame["other"]
    if side["test"] == UNKNOWN or most <= least:
        return level, close(level, most, np.bool_(False), search)
    frame["left_hits"] = side["hits"]
    frame["left_leaves"] = side["leaves"]
    frame["stage"] = RIGHT
    go_down(level, ~np.uint64(0), np.int64(frame["useful"]) - 1, least - side["most"], search)
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
