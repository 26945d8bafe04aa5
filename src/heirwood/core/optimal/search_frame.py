"""What the search for the optimum knows: a frame for every node on the way down, and a memo of sets of rows.

Worth is counted in parts of a hit, as integers: sums and comparisons are exact, and so is what is proven by them.
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle
from heirwood.core._jit import part_kernel, small_kernel

HIT = np.int64(2**32)  # one hit, in the parts that worth is counted in
NOTHING = np.int64(-(2**62))  # less than any tree is worth: a test that is closed
LEAF, UNKNOWN = np.int32(-1), np.int32(-2)  # in the place of a test: a leaf is best; what is best is not known
ENTER, CHOOSE, LEFT, RIGHT, DONE = (np.int32(stage) for stage in range(5))

FRAME = np.dtype(
    [
        ("stage", np.int32),
        ("levels", np.int32),  # that may be below
        ("useful", np.int32),  # fewer, where more leaves could not pay
        ("chosen", np.int32),  # the test whose sides are being searched
        ("base", np.int32),  # of `packed`: where the questions to its rows are, and
        ("width", np.int32),  # how many words those take
        ("n_rows", np.int64),
        ("need", np.int64),  # a tree that is not worth more is of no use
        ("hits", np.int64),  # of the best tree so far
        ("leaves", np.int32),
        ("test", np.int32),  # at its root, LEAF or UNKNOWN
        ("failed", np.int64),  # what the best of the closed tests may be worth, where that is not known
        ("most", np.int64),  # what the best tree may be worth
        ("left_hits", np.int64),
        ("left_leaves", np.int64),
        ("other", np.int64),  # what the right side of the chosen test may be worth,
        ("is_new", np.int64),  # and whether a look at it could tell more: not zero
    ]
)

ENTRY = np.dtype(
    [
        ("hash", np.uint64),  # zero: nobody is here
        ("second", np.uint64),
        ("most", np.int64),
        ("hits", np.int64),
        ("leaves", np.int32),
        ("test", np.int32),
    ]
)

LEVEL, USED, CLOSED = range(3)  # of `where`


@bundle
class SearchState(NamedTuple):
    """Everything about one search; it goes on where it stopped."""

    bits: np.ndarray  # (n_tests, n_words) uint64: no two divide the rows alike
    planes: np.ndarray  # (n_classes, n_words) uint64
    answers: np.ndarray  # (n_rows, n_blocks) uint64: of each row to all questions: tests, classes, whether it agrees
    packed: np.ndarray  # (2 * n_words, 64 * n_blocks) uint64: who says yes to each; after all rows, gaps are closed
    rows: np.ndarray  # (levels + 2, n_words) uint64: those at each node on the way down
    near: np.ndarray  # (levels + 2, n_words) uint64: the same rows, with the gaps closed that are closed there
    bounds: np.ndarray  # (levels + 1, n_tests) int64: what each test may be worth there, or NOTHING
    stumps: np.ndarray  # (levels + 1, n_tests) int64: hits of each test with two leaves
    frames: np.ndarray  # (levels + 2,) FRAME
    memo: np.ndarray  # (a power of two,) ENTRY
    rights: np.ndarray  # (levels + 1, n_tests) int64: what the right side of each test may be worth
    left: np.ndarray  # (n_classes + 1, n_slots) int64: rows that pass, by class; and those that agree
    passed: np.ndarray  # (n_slots,) int64: rows that pass
    sides: np.ndarray  # (2, n_slots) int64: hits of the best stump on the left and on the right
    threes: np.ndarray  # (2, n_slots) int64: hits of three leaves there, at most
    both: np.ndarray  # (n_classes, n_slots) int64: rows that pass two tests, by class
    most: np.ndarray  # (5, n_slots) int64, scratch: hits of leaves, rows that pass or that move
    whole: np.ndarray  # (2, n_classes) int64: rows at a node by class; the same of another
    where: np.ndarray  # (3,) int64: the level reached, -1 at the end; entries used; tests of the root that are closed
    price: np.int64  # of a leaf
    fewest: np.int64  # rows at a leaf


@part_kernel
def worth(hits, leaves, price):
    """Return what a tree is worth."""
    return HIT * hits - price * leaves


@small_kernel
def goal(frame, price):
    """Return what a tree must be worth more than, to be of use at a node."""
    return max(frame["need"], worth(frame["hits"], frame["leaves"], price))
