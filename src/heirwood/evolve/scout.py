"""A scout goes ahead of evolution: it builds whole trees from the root down, looking ahead at every node.

At each node some tests are tried on top of a subtree that is grown greedily, and the one whose subtree is worth most
stays; then the same on both sides of it. The first tree tries one test a node, the next ones more; where more would
change nothing, each further tree tries a drawn part of them, so that no two are alike. Trees that are done join the
population, which goes on from there. All goes by answers looked at, not by the clock, so a run stays reproducible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from heirwood.core.draws import chances, fold
from heirwood.core.greedy import MOST_LEVELS
from heirwood.core.rules import Rules
from heirwood.data.bank import AT_MOST, TestBank
from heirwood.evolve.mix import share_of_answers

WIDTHS = (1, 4, 16, 64, 256)  # tests that are tried at a node, tree by tree
MOST_ANSWERS = 2**22  # that one split of a greedy subtree may look at
LEVELS = 6  # of a typical greedy subtree, each with all rows of the node
MOST_DEPTH = 64  # of a tree that is built
DEARER = 1.1  # what a leaf costs more, step by step, until a tree holds the limit
STEP = 2**13  # answers that take as long as a step does besides
FIRST = 2**25  # answers before the first generation
DRAWN_SHARES = (0.9, 0.5, 0.75)  # of the tests, those that may be tried by trees that try some of them, in turn,
DRAWN_WIDTH = 32  # at most so many at a node,
DRAWN_PART = 2  # and such a part of what a generation allows

SCOUTING = 2**61  # folded into the seed for what a scout draws: no generation has that number

Way = tuple[tuple[int, bool], ...]


class Lookahead(Protocol):
    """What a backend's lookahead can be asked."""

    def arrive(self, way: Sequence[tuple[int, bool]]) -> tuple[int, int, int]: ...  # noqa: D102
    def scores(self) -> Sequence[float]: ...  # noqa: D102
    def worth(self, test: int, levels: int, n_answers: int) -> float: ...  # noqa: D102


@dataclass
class Branch:
    """A node of a tree that is built: its hits as a leaf, and its test with both sides, if it has one."""

    hits: int
    test: int = -1
    sides: tuple[Branch, ...] = ()

    @property
    def n_leaves(self) -> int:
        """Leaves below."""
        return sum(side.n_leaves for side in self.sides) if self.sides else 1

    def genes(self) -> list[int]:
        """Return the tree in preorder; leaves get their labels when the tree is taken in."""
        return [self.test, *self.sides[0].genes(), *self.sides[1].genes()] if self.sides else [~0]

    def keep_what_pays(self, price: float) -> float:
        """Make a leaf of every node whose subtree gains no more than its leaves cost; return what is left is worth."""
        if self.sides:
            worth = sum(side.keep_what_pays(price) for side in self.sides) - price
            if worth > self.hits:
                return worth
            self.sides = ()
        return float(self.hits)


class Scout:
    """Builds one tree after the other, each with a wider look than the one before.

    Parameters
    ----------
    lookahead : Lookahead
    bank : TestBank
    rules : Rules
        For their limits.
    allowance, first : int
        Answers that may be looked at in one generation, and before the first.
    seed : int

    Attributes
    ----------
    n_drawn : int
        Trees so far that try what is drawn; from the first of them on they are for an island that explores.
    has_seen_all : bool
        Whether the next tree is one of those.
    """

    def __init__(
        self, lookahead: Lookahead, bank: TestBank, rules: Rules, allowance: int, first: int, seed: int
    ) -> None:
        self._lookahead = lookahead
        self._rules = rules
        self._allowance = allowance
        self._owner = np.repeat(np.arange(len(rules.first) - 1), np.diff(rules.first))
        self._ordered = bank.kinds[: len(self._owner)] == AT_MOST
        self._n_tests = np.diff(rules.first)
        self._n_words = bank.bits.shape[1]
        self._credit = first - allowance
        self._widths = list(WIDTHS)  # of the trees to come
        self._price = 0.0
        self._is_complete = False  # whether the tree at hand tries all there is
        self._steps: Iterator[int] | None = None
        self._done: list[Branch] = []
        self._key = fold(seed, SCOUTING)
        self._n_nodes = 0  # of the tree at hand
        self.n_drawn = 0
        self.has_seen_all = False
        self._is_idle = len(self._owner) == 0 or rules.max_leaves < 2 or rules.max_depth < 1
        # Where a leaf costs nothing, the depth must end what grows.
        self._is_bounded = 2**rules.max_depth <= rules.max_leaves

    def go_on(self, price: float) -> np.ndarray | None:
        """Build on; return a tree once one is done. A leaf must get right more than the price to be worth it."""
        if self._is_idle or (price <= 0 and not self._is_bounded):
            return None
        self._price = price
        self._credit += self._allowance // (DRAWN_PART if self.n_drawn else 1)
        while self._credit > 0:
            if self._steps is None:
                self._steps = self._begin()
            spent = next(self._steps, None)
            if spent is None:
                self._steps = None
                self.has_seen_all |= self._is_complete or not self._widths
                return self._genes(self._done[0])
            self._credit -= spent
        return None

    def _begin(self) -> Iterator[int]:
        """Return the steps to the next tree."""
        width = DRAWN_WIDTH if self.has_seen_all else self._widths.pop(0)
        self.n_drawn += self.has_seen_all
        self._is_complete = True
        self._done, self._n_nodes = [], 0
        return self._build((), width, self._done)

    def _genes(self, tree: Branch) -> np.ndarray:
        price = max(self._price, 1.0)
        while tree.n_leaves > self._rules.max_leaves:
            price *= DEARER
            tree.keep_what_pays(price)
        return np.array(tree.genes(), np.int32)

    def _build(self, way: Way, width: int, done: list[Branch]) -> Iterator[int]:
        """Append to `done` what grows at the end of a way; tell the answers that each step is about to look at."""
        lookahead = self._lookahead
        n_rows, hits, most = lookahead.arrive(way)
        branch = Branch(hits)
        done.append(branch)
        levels = min(min(self._rules.max_depth, MOST_DEPTH) - len(way), int(MOST_LEVELS))
        if levels < 1 or most - hits <= self._price:
            return
        answers = int(np.minimum(n_rows, self._n_words * self._n_tests).sum())
        yield STEP + answers
        tests = self._promising(np.asarray(lookahead.scores()), width)
        best, worth = -1, float(hits)
        for test in tests.tolist():
            yield STEP + LEVELS * min(answers, MOST_ANSWERS)
            found = lookahead.worth(test, levels, MOST_ANSWERS)
            if found > worth:
                best, worth = test, found
        if best < 0:
            return
        sides: list[Branch] = []
        yield from self._build((*way, (best, True)), width, sides)
        yield from self._build((*way, (best, False)), width, sides)
        branch.test, branch.sides = best, tuple(sides)

    def _promising(self, scores: np.ndarray, width: int) -> np.ndarray:
        """Return the tests with the purest sides; of the cuts of a column only those purer than their neighbours."""
        tests = np.flatnonzero(scores >= 0)
        scores, owner, ordered = scores[tests], self._owner[tests], self._ordered[tests]
        rises = np.ones(len(tests), bool)
        falls = np.ones(len(tests), bool)
        neighbours = (owner[1:] == owner[:-1]) & ordered[1:] & ordered[:-1]
        rises[1:] = ~neighbours | (scores[1:] > scores[:-1])
        falls[:-1] = ~neighbours | (scores[:-1] >= scores[1:])
        peaks = np.flatnonzero(rises & falls)
        self._is_complete &= len(peaks) <= width
        if self.n_drawn:
            self._n_nodes += 1
            key = fold(fold(self._key, self.n_drawn), self._n_nodes)
            drawn = chances(key, len(peaks)) < DRAWN_SHARES[self.n_drawn % len(DRAWN_SHARES)]
            peaks = peaks[drawn] if drawn.any() else peaks
        return tests[peaks[np.argsort(-scores[peaks], kind="stable")[:width]]]


def make_scout(
    lookahead: Lookahead, bank: TestBank, rules: Rules, n_children: int, seed: int, share: float = 1.0
) -> Scout:
    """Return a scout that takes about as long in a generation as breeding its children does.

    Before the first generation it may take a share of FIRST.
    """
    allowance = share_of_answers(n_children, bank.bits.shape[1])
    return Scout(lookahead, bank, rules, allowance, int(share * FIRST), seed)
