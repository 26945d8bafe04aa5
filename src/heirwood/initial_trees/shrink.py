"""A tree that is larger than a run allows is shrunk until it holds the limits."""

from collections.abc import Callable

import numpy as np

from heirwood.core.rules import Rules
from heirwood.data import Rows
from heirwood.initial_trees.initial_tree import Asked, Sketch, Weighed, n_leaves, weigh
from heirwood.initial_trees.weakest_link import Pruning


def shrink(
    sketch: Sketch, rows: Rows, rules: Rules, majority: bool, must_end: Callable[[], bool] = lambda: False
) -> Weighed:
    """Return a tree that holds the limits, and what arrives at its nodes; one that holds them is left as it is.

    What is too deep is cut off. Then the weakest subtrees go, those with the fewest more errors for each leaf that
    goes, until no more leaves are left than may be. Where too few rows arrive at a leaf, its parent gives way to what
    is on the other side. Where it must end before, StoppedError is raised.
    """
    tree = weigh(sketch, rows, majority)
    pruning = Pruning(tree, errors(tree) if rows.target.loss is None else losses(tree, rows), must_end)
    for node in np.flatnonzero(tree.inner & (tree.depths == rules.max_depth)).tolist():
        pruning.prune(node)
    while pruning.n_leaves > rules.max_leaf_nodes:
        pruning.prune_weakest()
    if pruning.n_leaves < n_leaves(sketch):
        tree = weigh(pruning.sketch(), rows, majority)
    while (small := _too_small(tree, rules.min_rows)).any():
        tree = weigh(_without(tree, small), rows, majority)
    return tree


def errors(tree: Weighed) -> np.ndarray:
    """Return the weight that each node would get wrong as a leaf; with costs, what grows with its cost alike."""
    right = tree.weights[np.arange(len(tree.span)), tree.labels]
    return tree.weights.sum(axis=1) - right


def losses(tree: Weighed, rows: Rows) -> np.ndarray:
    """Return what each node would lose as a leaf that answers with shares."""
    most = rows.target.most_loss * tree.weights.sum(axis=1)
    return most - rows.target.loss_avoided(tree.weights)


def _too_small(tree: Weighed, min_rows: int) -> np.ndarray:
    """Return which leaves have too few rows; a single leaf is all that is left, and allowed."""
    return ~tree.inner & (tree.n_rows < min_rows) & (tree.parents >= 0)


def _without(tree: Weighed, small: np.ndarray) -> Sketch:
    """Return a tree without leaves that have too few rows, those that are highest up.

    The other side of such a leaf takes the place of their parent. What gets more rows by that is left to the next
    round: it may have enough of them then.
    """
    kept = np.ones(len(small), bool)
    sketch: list[Asked | int] = list(tree.sketch)
    done = 0  # nodes before this one have had their turn
    for parent in np.unique(tree.parents[small]).tolist():
        if parent < done:
            continue
        done = parent + int(tree.span[parent])
        left, right = parent + 1, parent + 1 + int(tree.span[parent + 1])
        if tree.span[parent] == 3:
            sketch[parent] = int(tree.weights[parent].argmax())
            kept[[left, right]] = False
        else:
            kept[[parent, left if small[left] else right]] = False
    return tuple(asked for asked, stays in zip(sketch, kept, strict=True) if stays)
