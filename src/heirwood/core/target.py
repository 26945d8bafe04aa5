"""What is to be predicted, as bit planes."""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle
from heirwood.core._jit import small_kernel
from heirwood.core.arena import ONE


@bundle
class Target(NamedTuple):
    """What is to be predicted: the weight of each class as bit planes.

    The weight of class c on a set of rows is the sum, over its planes p in starts[c] ..
    starts[c + 1] - 1, of scale[p] * popcount(rows & planes[p]). A row of class c that is taken for k is worth
    gains[c, k] of its weight: without costs, all of it where k is c.
    """

    planes: np.ndarray  # (n_planes, n_words) uint64
    starts: np.ndarray  # (n_classes + 1,) int64
    scale: np.ndarray  # (n_planes,) int64
    everyone: np.ndarray  # (n_words,) uint64: every row, and no padding
    n_rows: int
    weighted: bool  # False: one plane per class and scale 1, so the classes add up to the rows
    majority: bool  # leaves take the heaviest class, or the cheapest; False: the label in the gene
    gains: np.ndarray  # (n_classes, n_classes) int64
    hits_are: np.int64  # HITS, COSTS (then alone gains are looked at), LOG_LOSS or BRIER: see core/leaf_loss.py
    most_loss: np.int64  # that a unit of weight can have, in steps
    scale_of_loss: float  # steps to a bit, or to a Brier score of 1
    terms: np.ndarray  # (n,) int64: n log2 n in steps


def n_counts(n_classes: int, majority: bool) -> int:
    """Return the tallies per leaf: every class and the rows, or hits and rows."""
    return n_classes + 1 if majority else 2


@small_kernel
def one_sweep(target):
    """Say whether a leaf needs a single plane: the label's, or the first of two classes."""
    return not target.weighted and (target.starts.shape[0] <= 3 or not target.majority)


@small_kernel
def leaf_words(target, label):
    """Return the words that one leaf's popcounts read, per word of the table."""
    n_classes = target.starts.shape[0] - 1
    if one_sweep(target):
        return ONE
    if not target.weighted:
        return np.int64(n_classes)
    if target.majority:
        return np.int64(target.planes.shape[0] + 1)
    return target.starts[label + 1] - target.starts[label] + 1
