"""From genes to a tree that people read, with the weight of each class at every node."""

from typing import Any

import numpy as np

from heirwood.backends.cpu import make_scratch, spans_and_heights
from heirwood.backends.problem import BLOCK_WORDS
from heirwood.core.arena import make_arena
from heirwood.core.inheritance import refresh
from heirwood.core.settle import N_COLUMNS, N_ROOT
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import TestBank
from heirwood.tree_view import Node, Question, TreeView


class Weigher:
    """Finds what arrives at every node of a tree, by the kernels that evaluate children.

    Parameters
    ----------
    bank : TestBank
    target : ClassTarget
    classes : tuple
        Class values, as plain Python objects.
    """

    def __init__(self, bank: TestBank, target: ClassTarget, classes: tuple) -> None:
        self._bank = bank
        self._target = target.planes(majority=True)
        self._unit = target.unit
        self._gains = target.gains
        self._loss_avoided = target.loss_avoided
        self._classes = classes
        self._questions: dict[int, Question] = {}  # trees of a hall ask much the same

    def view(self, genes: np.ndarray) -> TreeView:
        """Return the readable tree of a row of genes."""
        span, _ = spans_and_heights(genes)
        rows, weights = self.weigh(genes, span)
        best = (weights @ self._gains).argmax(axis=1).tolist()
        shown = (weights * self._unit).tolist()
        nodes = tuple(
            Node(
                question=self._question(gene) if gene >= 0 else None,
                span=n_nodes,
                label=best[i] if gene >= 0 else ~gene,
                n_rows=n_rows,
                weights=tuple(shown[i]),
            )
            for i, (gene, n_nodes, n_rows) in enumerate(zip(genes.tolist(), span.tolist(), rows.tolist(), strict=True))
        )
        return TreeView(nodes, self._classes, bool(self._target.weighted))

    def idle(self, genes: np.ndarray) -> np.ndarray:
        """Return, where leaves answer with shares, the label of each node whose subtree gains nothing; -1 elsewhere."""
        span, _ = spans_and_heights(genes)
        _, weights = self.weigh(genes, span)
        alone = self._loss_avoided(weights)
        below = np.where(genes < 0, alone, 0)
        for node in range(len(genes) - 1, -1, -1):
            if genes[node] >= 0:
                below[node] = below[node + 1] + below[node + 1 + span[node + 1]]
        gains_nothing = (genes >= 0) & (below <= alone)
        return np.where(gains_nothing, weights.argmax(axis=1), -1)

    def _question(self, test: int) -> Question:
        if test not in self._questions:
            self._questions[test] = self._bank.question(test)
        return self._questions[test]

    def weigh(self, genes: np.ndarray, span: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows and the weight of each class at every node: tallied at leaves, added upwards."""
        counts = self._tally(genes, span)
        for node in range(len(genes) - 1, -1, -1):
            if genes[node] >= 0:
                left = node + 1
                counts[node] = counts[left] + counts[left + span[left]]
        return counts[:, -1], counts[:, :-1]

    def _tally(self, genes: np.ndarray, span: np.ndarray) -> np.ndarray:
        arena = make_arena(1, (len(genes) + 1) // 2)
        arena[0]["gene"], arena[0]["span"] = genes, span
        scratch = make_scratch(self._target, len(genes), len(genes) // 2 + 2, BLOCK_WORDS, batch=1)
        tree, stale, n_stale = np.zeros(1, np.int64), np.zeros((1, 1), np.int32), np.ones(1, np.int32)
        roots, ledger = np.zeros((1, N_ROOT), np.int64), np.zeros((1, N_COLUMNS), np.int64)
        held = np.zeros(1, bool)
        refresh(
            arena, tree, tree, stale, n_stale, False, self._bank.bits, self._target, 0, scratch, roots, ledger, held
        )  # fmt: skip
        return scratch.counts[0]


def drawn(genes: np.ndarray, rows: np.ndarray, hits: np.ndarray, bank: TestBank, classes: tuple) -> list[Any]:
    """Return a tree for an event, ready to draw: [question or class, span, rows, hits] in preorder."""
    span, _ = spans_and_heights(genes)
    texts = [str(bank.question(int(gene))) if gene >= 0 else str(classes[~gene]) for gene in genes]
    return [list(node) for node in zip(texts, span.tolist(), rows.tolist(), hits.tolist(), strict=True)]
