"""From genes to a tree that people read, with the weight of each class at every node."""

from typing import Any

import numpy as np

from heirwood.backends.cpu import spans_and_heights
from heirwood.core.target import Target
from heirwood.data.bank import TestBank
from heirwood.view import Node, TreeView


def tree_view(genes: np.ndarray, bank: TestBank, target: Target, unit: float, classes: tuple) -> TreeView:
    """Return the readable tree of a row of genes.

    Parameters
    ----------
    genes : (n_nodes,) int32
    bank : TestBank
    target : Target
    unit : float
        What one integer step of weight is worth.
    classes : tuple
        Class values, as plain Python objects.
    """
    span, _ = spans_and_heights(genes)
    rows, weights = class_weights(genes, span, bank, target)
    nodes = []
    for i, gene in enumerate(genes):
        heaviest = int(np.argmax(weights[i]))
        nodes.append(
            Node(
                question=bank.question(int(gene)) if gene >= 0 else None,
                span=int(span[i]),
                label=heaviest if gene >= 0 else int(~gene),
                n_rows=int(rows[i]),
                weights=tuple(float(weight) * unit for weight in weights[i]),
            )
        )
    return TreeView(tuple(nodes), classes)


def class_weights(genes: np.ndarray, span: np.ndarray, bank: TestBank, target: Target) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and the weight of each class at every node; a sweep in preorder with NumPy."""
    n_classes = len(target.starts) - 1
    rows = np.zeros(len(genes), np.int64)
    weights = np.zeros((len(genes), n_classes), np.int64)
    waiting = [target.everyone]  # the rows of nodes still to come, the next one last
    for i, gene in enumerate(genes):
        reach = waiting.pop()
        rows[i] = np.bitwise_count(reach).sum()
        found = np.array([int(np.bitwise_count(reach & plane).sum()) for plane in target.planes], np.int64)
        weights[i] = np.add.reduceat(found * target.scale, target.starts[:-1])
        if gene >= 0:
            waiting.append(reach & ~bank.bits[gene])
            waiting.append(reach & bank.bits[gene])
    return rows, weights


def drawn(genes: np.ndarray, rows: np.ndarray, hits: np.ndarray, bank: TestBank, classes: tuple) -> list[Any]:
    """Return a tree for an event, ready to draw: [question or class, span, rows, hits] in preorder."""
    span, _ = spans_and_heights(genes)
    texts = [str(bank.question(int(gene))) if gene >= 0 else str(classes[~gene]) for gene in genes]
    return [list(node) for node in zip(texts, span.tolist(), rows.tolist(), hits.tolist(), strict=True)]
