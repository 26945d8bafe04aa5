"""Fewest errors, whatever the size: `max_leaf_nodes` and `max_depth` say how large a tree may be."""

import numpy as np

from heirwood.payoff.tree_sums import Trees


def fewest_errors(trees: Trees) -> np.ndarray:
    """Return the accuracy, so that only errors count; of equally good trees of the hall `fit` takes the smallest.

    A leaf costs nothing here, not even a trace: a split that gains nothing alone may be half of a pair that
    gains much (exclusive or), and where it made a tree worse it would not survive to find its other half.
    """
    return trees.hits / trees.total
