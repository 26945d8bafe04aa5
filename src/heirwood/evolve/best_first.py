"""Trees grown best-first, as CART grows them: so that there is a good one for every number of leaves.

    before the first generation     [ 1 leaf ] -> [ 2 leaves ] -> ... -> [ max_leaf_nodes ]
    in the end                      of every size the best tree -> that tree with one leaf more

In each step the leaf is split whose best test gains most. Evolution works on trees of the size that pays, and finds
those of other sizes on its way; these see to it that none is worse than what grows greedily. So they take any midpoint
of a column, as CART does: one that the bank lacks joins it when a tree is split there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from heirwood.core.entropy import SCALE
from heirwood.core.node_context import ENTROPY, ERRORS, GINI, NO_TEST
from heirwood.core.rules import Rules
from heirwood.data.exact_cuts import Gap
from heirwood.evolve.scout import Lookahead, Way
from heirwood.stopped_error import StoppedError

MOST_ANSWERS = 2**26  # that may be looked at: of a larger table trees stay smaller
MOST_VALUES = 2**26  # that exact cuts may be looked for among: after that the tests of the bank have to do
MOST_LEAVES = 64  # of a tree that grows: more would have to be made ready for readers when a run ends
LEAF = -1  # the gene of a leaf, whatever its label


class Split(NamedTuple):
    """The best test for a leaf, and what it gains there."""

    test: int = int(NO_TEST)
    gain: float = 0.0
    gap: Gap | None = None  # cuts that gain more than any test of the bank


NOTHING = Split()


class Grower:
    """Splits leaves of trees; what was found for a leaf is remembered.

    Parameters
    ----------
    lookahead : Lookahead
    rules : Rules
        For their limits.
    n_words : int
        Words of a bit row.
    must_end : callable
        Says whether nobody waits any more; then all that is asked raises StoppedError.
    hold : callable, optional
        Returns a test that asks a cut of a gap and stays as long as this grower, or -1; None: the bank has to do.
    """

    def __init__(
        self,
        lookahead: Lookahead,
        rules: Rules,
        n_words: int,
        must_end: Callable[[], bool],
        hold: Callable[[Gap], int] | None = None,
    ) -> None:
        self._lookahead, self._rules, self._must_end, self._hold = lookahead, rules, must_end, hold
        self._n_answers, self._words = 0, n_words * np.diff(rules.first)
        self._n_values = 0  # that exact cuts were looked for among
        self._known: dict[tuple[Way, int], Split] = {}

    def grow(self, criterion: int) -> Iterator[np.ndarray]:
        """Yield the trees with 2, 3, ... leaves as genes, as far as splits gain anything."""
        genes = [LEAF]
        while (grown := self.extended(genes, criterion)) is not None:
            genes = grown
            yield np.array(genes, np.int32)

    def extended(self, genes: Sequence[int], criterion: int) -> list[int] | None:
        """Return a tree with one leaf more: that which gains most is split; None where none may be, or gains anything.

        Parameters
        ----------
        genes : sequence of int
            In preorder.
        criterion : {ERRORS, GINI, ENTROPY}
        """
        if (len(genes) + 1) // 2 >= min(self._rules.max_leaf_nodes, MOST_LEAVES):
            return None
        found = [(place, self._split(way, criterion)) for place, way in leaves_of(genes)]
        place, best = max(found, key=lambda each: each[1].gain)
        test = self._test_of(best)
        return None if test == NO_TEST else [*genes[:place], test, LEAF, LEAF, *genes[place + 1 :]]

    def _test_of(self, split: Split) -> int:
        """Return the test that splits, which the bank has from now on; its own best one, where it has no place left."""
        if split.gap is None or self._hold is None:
            return split.test
        test = self._hold(split.gap)
        return split.test if test == NO_TEST else test

    def _split(self, way: Way, criterion: int) -> Split:
        if (way, criterion) not in self._known:
            self._known[way, criterion] = self._look(way, criterion)
        return self._known[way, criterion]

    def _look(self, way: Way, criterion: int) -> Split:
        """Return the best test for the leaf at the end of a way, if it may have one that gains anything."""
        if self._must_end():
            raise StoppedError
        n_rows, hits, most = self._lookahead.arrive(way)
        self._n_answers += int(np.minimum(n_rows, self._words).sum())
        if hits == most or len(way) >= self._rules.max_depth or self._n_answers > MOST_ANSWERS:
            return NOTHING
        scores = np.asarray(self._lookahead.scores(criterion))
        score, gap = scores.max(initial=-1.0), None
        whole = [int(weight) for weight in self._lookahead.weights()]
        purest = self._purest(n_rows, criterion)
        if self._must_end():
            raise StoppedError  # what kernels found after the end is of no use
        test = int(scores.argmax()) if score >= 0 else int(NO_TEST)
        if purest is not None and purest[0] > score:
            score, passed, gap = purest
        elif test == NO_TEST:
            return NOTHING
        elif criterion != ERRORS:
            self._lookahead.arrive((*way, (test, True)))
            passed = [int(weight) for weight in self._lookahead.weights()]
        gain = float(score) - hits if criterion == ERRORS else purity_gain(whole, passed, criterion)
        return Split(test, gain, gap) if gain > 0 else NOTHING

    def _purest(self, n_rows: int, criterion: int) -> tuple[float, list[int], Gap] | None:
        """Return the best cut here of columns that have more than the bank, until all that may be looked at was."""
        if self._hold is None or self._n_values > MOST_VALUES:
            return None
        self._n_values += n_rows * self._lookahead.n_exact
        return self._lookahead.purest(criterion, self._must_end)


def purity_gain(whole: Sequence[int], passed: Sequence[int], criterion: int) -> float:
    """Return how much purer two sides are than both together, given what each class weighs there and on one side."""
    failed = [both - one for both, one in zip(whole, passed, strict=True)]
    return impurity(whole, criterion) - impurity(passed, criterion) - impurity(failed, criterion)


def leaves_of(genes: Sequence[int]) -> Iterator[tuple[int, Way]]:
    """Yield the place of each leaf of a tree in preorder, and the way there."""
    ways: list[Way] = [()]
    for place, test in enumerate(genes):
        way = ways.pop()
        if test < 0:
            yield place, way
        else:
            ways += [(*way, (int(test), False)), (*way, (int(test), True))]


def impurity(weights: Sequence[int], criterion: int) -> float:
    """Return the impurity of some rows times their weight; of entropy in whole numbers (see `core.entropy`)."""
    total = sum(weights)
    if total == 0:
        return 0.0
    if criterion == ENTROPY:
        return _n_log_n(total) - sum(map(_n_log_n, weights))
    return total - sum(weight * weight for weight in weights) / total


def _n_log_n(n: int) -> int:
    return round(n * math.log2(n) * SCALE) if n else 0


def grow_from_scratch(grower: Grower) -> Iterator[np.ndarray]:
    """Yield trees of every size, grown by either measure of purity, as genes."""
    for criterion in (int(GINI), int(ENTROPY)):
        yield from grower.grow(criterion)


def grow_by_a_leaf(
    grower: Grower, best_of: Callable[[int], np.ndarray | None], max_leaf_nodes: int
) -> Iterator[np.ndarray]:
    """Yield, size by size, the best tree of each with one leaf more, by each measure; so the next size knows of it.

    Parameters
    ----------
    grower : Grower
    best_of : callable
        Returns the genes of the best tree with so many leaves as it is by then, or None.
    max_leaf_nodes : int
    """
    for leaves in range(1, min(max_leaf_nodes, MOST_LEAVES)):
        genes = best_of(leaves)
        if genes is None:
            continue
        for criterion in (int(ERRORS), int(GINI), int(ENTROPY)):
            grown = grower.extended(genes.tolist(), criterion)
            if grown is not None:
                yield np.array(grown, np.int32)
