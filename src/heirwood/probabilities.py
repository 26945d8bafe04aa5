"""What a finished tree says of chances: the shares of classes at its leaves, smoothed towards those above.

A leaf of three rows that are all sick does not say that nobody here is well. So each node has `smoothing` rows more
than arrived, which are shared out as its parent says; the root's as if all classes were equally common:

    p(node) = (weights(node) + smoothing * p(parent)) / (weight(node) + smoothing)

The leaf's label stays its most probable class: what smoothing would put above it is level with it.
"""

from __future__ import annotations

import numbers
from dataclasses import replace
from typing import Any

import numpy as np

from heirwood.terminal_text import brief
from heirwood.tree_view import TreeView

AUTO = "auto"
USUAL = 1.0  # rows, where nobody says how many and no fold was held back
SMOOTHINGS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # of which rows held back choose
MOST_BORROWED = 1e9  # rows: more would leave nothing of those that arrived
ABOVE = 1e-9  # share by which the label is above what is level with it


def check_smoothing(smoothing: Any) -> float | None:
    """Return how many rows a node borrows, None where that is "auto", or say what was wrong with it."""
    if isinstance(smoothing, str) and smoothing == AUTO:
        return None
    is_number = isinstance(smoothing, numbers.Real) and not isinstance(smoothing, bool)
    if not is_number or not 0 <= smoothing <= MOST_BORROWED:
        expected = f'"{AUTO}" or a number from 0 to {MOST_BORROWED:g}'
        raise ValueError(f"smoothing={brief(smoothing)} is not valid; expected {expected}")
    return float(smoothing)


def class_shares(tree: TreeView, smoothing: float = 0.0) -> np.ndarray:
    """Return the probability of each class at every node, (n_nodes, n_classes).

    Parameters
    ----------
    tree : TreeView
    smoothing : float
        Rows that each node borrows from its parent; 0 for the plain shares of its rows, where a node that no row
        reached gives all to its label.
    """
    weights = np.array([node.weights for node in tree.nodes])
    totals = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(totals > 0, totals, 1.0)
    for i in np.flatnonzero(totals[:, 0] == 0).tolist():
        shares[i, tree.nodes[i].label] = 1.0
    if smoothing == 0:
        return shares
    borrowed = smoothing * _unit(tree)
    smooth = np.full(shares.shape, 1.0 / shares.shape[1])
    for i, node in enumerate(tree.nodes):  # in preorder, so parents come first
        smooth[i] = (weights[i] + borrowed * smooth[i]) / (totals[i] + borrowed)
        if node.question is not None:
            smooth[[tree.left(i), tree.right(i)]] = smooth[i]
    for i, node in enumerate(tree.nodes):
        if shares[i, node.label] == shares[i].max():
            _put_first(smooth[i], node.label)
    return smooth


def with_chances(tree: TreeView, smoothing: float) -> TreeView:
    """Return a tree whose nodes know the probability of each class."""
    shares = class_shares(tree, smoothing).tolist()
    nodes = (replace(node, chances=tuple(each)) for node, each in zip(tree.nodes, shares, strict=True))
    return replace(tree, nodes=tuple(nodes))


def _unit(tree: TreeView) -> float:
    """Return what a row weighs: 1, so that a row of weight two is two rows; less, where all weigh less."""
    root = tree.nodes[0]
    total = sum(root.weights)
    return min(1.0, total / root.n_rows) if total > 0 else 1.0


def _put_first(probabilities: np.ndarray, label: int) -> None:
    """Lower the probabilities of classes above the label, and raise the label's, until it is the largest by a trace."""
    above, level = [label], probabilities[label]
    for other in np.argsort(-probabilities, kind="stable").tolist():
        if other == label:
            continue
        if probabilities[other] < level or (probabilities[other] == level and other > label):
            break  # and so are all after it
        above.append(other)
        level = probabilities[above].mean()
    if len(above) > 1:
        level = probabilities[above].mean()
        probabilities[above] = level * (1.0 - ABOVE)
        probabilities[label] = level * (1.0 + ABOVE * (len(above) - 1))
