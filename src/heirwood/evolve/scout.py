"""A scout goes ahead of evolution: it builds whole trees from the root down, looking ahead at every node.

At each node some tests are tried on top of a subtree that is grown greedily, and the one whose subtree is worth most
stays; then the same on both sides of it. The first tree tries one test a node, the next ones more, and the wide looks
are taken twice, by two measures of purity; where more would change nothing, each further tree tries a drawn part of
the tests, so that no two are alike. Trees that are done join the population, which goes on from there. All goes by
answers looked at, not by the clock, so a run stays reproducible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from heirwood.backends.depth2_cost import answers_for_a_pair
from heirwood.core.bitsets import pack
from heirwood.core.draws import chances, fold
from heirwood.core.greedy import MOST_LEVELS
from heirwood.core.node_context import ENTROPY, GINI
from heirwood.core.rules import Rules
from heirwood.data.exact_cuts import Gap
from heirwood.data.test_bank import TestBank
from heirwood.data.test_plan import AT_MOST
from heirwood.evolve.mix import share_of_answers
from heirwood.evolve.sweep import PAIR, TRIPLE, Depth2Search
from heirwood.stopped_error import StoppedError

WIDTHS = (1, 4, 16, 64)  # tests that are tried at a node, tree by tree,
BOTH = 16  # and from which on two trees are built: by Gini's measure of purity below them, and by entropy
FEW = 64  # tests that are all tried; of more, those that stand out from their neighbours
TWO = 2  # tests that a column of two levels has
MOST_ANSWERS = 2**22  # that one split of a greedy subtree may look at
TIE = 1e-6  # hits: of tests worth the same the purest stays; the least pure in every other drawn tree
LEVELS = 6  # of a typical greedy subtree, each with all rows of the node
MOST_DEPTH = 64  # of a tree that is built
DEARER = 1.1  # what a leaf costs more, step by step, until a tree holds the limit
STEP = 2**13  # answers that take as long as a step does besides
FIRST = 2**25  # answers before the first generation
DRAWN_SHARES = (0.9, 0.5, 0.75)  # of the tests, those that may be tried by trees that try some of them, in turn,
DRAWN_WIDTH = 32  # at most so many at a node,
TURN = 4  # two of so many by Gini's measure, two by entropy: either breaks ties in both ways

MOST_KNOWN = 2**14  # tests whose worth is remembered
SCOUTING = 2**61  # folded into the seed for what a scout draws: no generation has that number

Way = tuple[tuple[int, bool], ...]


class Lookahead(Protocol):
    """What a backend's lookahead can be asked."""

    def arrive(self, way: Sequence[tuple[int, bool]]) -> tuple[int, int, int]: ...  # noqa: D102
    def weights(self) -> Sequence[int]: ...  # noqa: D102
    def scores(self, criterion: int = ...) -> Sequence[float]: ...  # noqa: D102
    def worths(  # noqa: D102
        self, tests: Sequence[int], levels: int, criterion: int, n_answers: int
    ) -> Sequence[float]: ...
    @property
    def n_exact(self) -> int: ...  # noqa: D102
    def purest(  # noqa: D102
        self, criterion: int, must_end: Callable[[], bool] | None = ...
    ) -> tuple[float, list[int], Gap] | None: ...


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

    def grow(self, genes: list[int]) -> list[int]:
        """Become a tree in preorder; return what is left of the genes."""
        test, *rest = genes
        if test >= 0:
            self.test, self.sides = test, (Branch(0), Branch(0))
            for side in self.sides:
                rest = side.grow(rest)
        return rest

    def keep_what_pays(self, price: float) -> float:
        """Make a leaf of every node whose subtree gains no more than its leaves cost; return what is left is worth."""
        if self.sides:
            worth = sum(side.keep_what_pays(price) for side in self.sides) - price
            if worth > self.hits:
                return worth
            self.sides = ()
        return float(self.hits)


@dataclass
class Look:
    """The node that is looked at: which tests are still to be tried there, and what was the best so far."""

    way: Way
    branch: Branch
    answers: int  # that one look at all tests takes
    tests: list[int] | None = None  # None: they are to be scored first
    batch: int = 1  # of them that are tried next
    best: int = -1
    worth: float = 0.0


@dataclass
class Plans:
    """What a scout must remember to go on: a run that is taken up again takes these up."""

    credit: int  # answers that may be looked at before the next generation
    widths: list[int] = field(default_factory=lambda: list(WIDTHS))  # of the trees to come
    width: int = 0
    criterion: int = int(GINI)  # what grows below the tests that are tried
    tree: Branch | None = None  # as far as it is built
    waiting: list[tuple[Way, Branch]] = field(default_factory=list)  # nodes to be looked at, the next one last
    look: Look | None = None
    n_nodes: int = 0  # that were looked at
    is_complete: bool = False  # whether the tree tries all there is
    n_drawn: int = 0
    has_seen_all: bool = False
    is_paused: bool = False  # whether building was given up halfway, with credit left


class Scout:
    """Builds one tree after the other, with a wider look from time to time.

    Parameters
    ----------
    lookahead : Lookahead
    bank : TestBank
    rules : Rules
        For their limits.
    allowance, first : int
        Answers that may be looked at in one generation, and before the first.
    seed : int
    pairs : Depth2Search, optional
        Where the depth ends what grows: the lowest levels are the best there are.

    Attributes
    ----------
    plans : Plans
    must_end : callable or None
        Says whether nobody waits for a tree any more.
    """

    def __init__(
        self,
        lookahead: Lookahead,
        bank: TestBank,
        rules: Rules,
        allowance: int,
        first: int,
        seed: int,
        pairs: Depth2Search | None = None,
    ) -> None:
        self._lookahead = lookahead
        self._bits = bank.bits
        self._everyone = pack(np.ones(bank.n_rows, bool))
        self._rules = rules
        self._allowance = allowance
        self._owner = np.repeat(np.arange(len(rules.first) - 1), np.diff(rules.first))
        self._ordered = bank.kinds[: len(self._owner)] == AT_MOST
        self._n_tests = np.diff(rules.first)
        self._mirrored = mirrored(self._n_tests, bank.bits, self._everyone)
        self._n_words = bank.bits.shape[1]
        self._price = 0.0
        self._here: Way | None = None  # where the lookahead is
        self._key = fold(seed, SCOUTING)
        self._is_idle = len(self._owner) == 0 or rules.max_leaf_nodes < 2 or rules.max_depth < 1
        self._is_bounded = is_bounded(rules)
        self._pairs = pairs
        self._known: dict[tuple[Way, int, float], tuple[float, bool]] = {}  # what tests are worth, or may be
        self._tries_both = pairs is None or rules.max_depth > TRIPLE  # three levels are searched, not grown
        self.must_end: Callable[[], bool] | None = None
        self.plans = Plans(first - allowance)

    @property
    def has_seen_all(self) -> bool:
        """Whether a wider look would change nothing: the next tree tries what is drawn."""
        return self.plans.has_seen_all

    @property
    def n_drawn(self) -> int:
        """Trees so far that try what is drawn; they are for an island that explores."""
        return self.plans.n_drawn

    def go_on(self, price: float) -> np.ndarray | None:
        """Build on; return a tree once one is done. A leaf must get right more than the price to be worth it.

        Raises
        ------
        StoppedError
            Where nobody waits any more. Called again, it goes on where it was.
        """
        if self._is_idle or (price <= 0 and not self._is_bounded):
            return None
        plans, self._price = self.plans, price
        plans.credit += 0 if plans.is_paused else self._allowance
        plans.is_paused = True
        built = self._build_on()
        plans.is_paused = False
        return built

    def _build_on(self) -> np.ndarray | None:
        plans = self.plans
        while plans.credit > 0:
            self._check()
            if plans.tree is None:
                self._begin()
            due = self._advance()
            if due is None:
                return self._genes()
            plans.credit -= due
        return None

    def _check(self) -> None:
        if self.must_end is not None and self.must_end():
            raise StoppedError

    def _begin(self) -> None:
        """Begin the next tree."""
        plans = self.plans
        is_second = self._is_second()
        plans.has_seen_all |= not plans.widths and not is_second  # a run taken up again may have other limits
        if plans.has_seen_all:
            plans.width = DRAWN_WIDTH
            plans.n_drawn += 1
            plans.criterion = int(GINI if plans.n_drawn % TURN < TURN // 2 else ENTROPY)
        elif is_second:
            plans.criterion = int(ENTROPY)
        else:
            plans.width, plans.criterion = plans.widths.pop(0), int(GINI)
        plans.is_complete |= not is_second  # a width has seen all where it has by either measure
        plans.n_nodes = 0
        plans.tree = Branch(0)
        plans.waiting = [((), plans.tree)]

    def _is_second(self) -> bool:
        """Say whether the next tree tries as many tests as the last one did, with entropy below them."""
        return self._tries_both and self.plans.width >= BOTH and self.plans.criterion == GINI

    def _genes(self) -> np.ndarray:
        """Return the tree that is done, cut back to the limit."""
        plans, tree = self.plans, self.plans.tree
        assert tree is not None
        plans.tree = None
        plans.has_seen_all |= (plans.is_complete or not plans.widths) and not self._is_second()
        price = max(self._price, 1.0)
        while tree.n_leaves > self._rules.max_leaf_nodes:
            price *= DEARER
            tree.keep_what_pays(price)
        return np.array(tree.genes(), np.int32)

    def _advance(self) -> int | None:
        """Do what is due; return the answers that the next step is going to look at, None if the tree is done."""
        look = self.plans.look
        if look is None or self._levels(look.way) < 1:  # a run taken up again may have other limits
            return self._look_on()
        self._arrive(look.way)
        if look.tests is None:
            scores = np.asarray(self._lookahead.scores())
            self._check()  # what kernels found after the end is of no use
            look.tests = self._promising(scores, self.plans.width)
        else:
            tests = look.tests[: look.batch]
            worths = self._worths(look, tests)
            look.tests = look.tests[look.batch :]
            for test, worth in zip(tests, worths, strict=True):
                if worth > self._least(look):
                    look.best, look.worth = test, worth
        if look.tests:
            return self._due(look)
        if look.best >= 0:
            left, right = look.branch.sides = (Branch(0), Branch(0))
            look.branch.test = look.best
            self.plans.waiting.append(((*look.way, (look.best, False)), right))
            self.plans.waiting.append(((*look.way, (look.best, True)), left))
        return self._look_on()

    def _look_on(self) -> int | None:
        """Go to the next node that may be more than a leaf."""
        plans = self.plans
        plans.look = None
        while plans.waiting:
            way, branch = plans.waiting.pop()
            n_rows, branch.hits, most = self._arrive(way)
            if self._pairs is not None and 1 <= self._levels(way) <= PAIR and most - branch.hits > self._price:
                find = self._pairs.stump if self._levels(way) == 1 else self._pairs.pair
                branch.grow(find(self._rows(way), self._price)[1])
                plans.credit -= answers_for_a_pair(n_rows, self._rules.first, self._rules.n_classes)
            elif self._levels(way) >= 1 and most - branch.hits > self._price:
                answers = int(np.minimum(n_rows, self._n_words * self._n_tests).sum())
                plans.look = Look(way, branch, answers, worth=float(branch.hits))
                return STEP + answers
        return None

    def _least(self, look: Look) -> float:
        """Return what a test must be worth more than to be the best so far; ties go to the last one now and then."""
        return look.worth + (-TIE if self.plans.n_drawn % 2 == 1 and look.best >= 0 else TIE)

    def _worths(self, look: Look, tests: list[int]) -> Iterable[float]:
        """Return what tests are worth on top: of what grows below, or of the best there is where that can be found."""
        levels = self._levels(look.way)
        if self._pairs is None or levels != TRIPLE:
            worths = self._lookahead.worths(tests, levels, self.plans.criterion, MOST_ANSWERS)
            self._check()
            return worths
        return (self._worth_of_pairs(look, test, self._pairs) for test in tests)

    def _worth_of_pairs(self, look: Look, test: int, pairs: Depth2Search) -> float:
        """Return what a test is worth with the best pairs below it; if no more than the least, what it may be worth."""
        key, least = (look.way, test, self._price), self._least(look)
        worth, is_exact = self._known.get(key, (np.inf, False))
        if not is_exact and worth > least:
            rows, passing = self._rows(look.way), self._bits[test]
            right = float(self._arrive((*look.way, (test, False)))[2])  # at most
            left, genes = pairs.pair(rows & passing, self._price, least + self._price - right)
            if genes:
                right, genes = pairs.pair(rows & ~passing, self._price, least + self._price - left)
            worth = left + right - self._price if genes else least
            if len(self._known) == MOST_KNOWN:
                self._known.clear()
            self._known[key] = worth, bool(genes)
        return worth

    def _due(self, look: Look) -> int:
        """Choose how many tests are tried next, as many as there is credit for; return the answers that this takes."""
        each = STEP + LEVELS * min(look.answers, MOST_ANSWERS)  # known or not: a run taken up again knows nothing
        if self._pairs is not None and self._levels(look.way) == TRIPLE:
            n_rows, _, _ = self._arrive(look.way)
            each = STEP + answers_for_a_pair(n_rows, self._rules.first, self._rules.n_classes)
        assert look.tests is not None
        look.batch = min(max(self.plans.credit // each, 1), len(look.tests))
        return look.batch * each

    def _rows(self, way: Way) -> np.ndarray:
        """Return who arrives at the end of a way."""
        rows = self._everyone
        for test, passes in way:
            rows = rows & (self._bits[test] if passes else ~self._bits[test])
        return rows

    def _arrive(self, way: Way) -> tuple[int, int, int]:
        if way != self._here:
            self._stand = self._lookahead.arrive(way)
            self._here = way
        return self._stand

    def _levels(self, way: Way) -> int:
        """Return how many levels may grow at the end of a way."""
        return min(min(self._rules.max_depth, MOST_DEPTH) - len(way), int(MOST_LEVELS))

    def _promising(self, scores: np.ndarray, width: int) -> list[int]:
        """Return the tests with the purest sides; of many cuts of a column only those purer than their neighbours."""
        plans = self.plans
        tests = np.flatnonzero((scores >= 0) & ~self._mirrored)
        scores = scores[tests]
        peaks = np.arange(len(tests))
        if len(tests) > min(width, FEW):
            peaks = find_peaks(scores, self._owner[tests], self._ordered[tests])
            plans.is_complete &= len(tests) > FEW
        plans.is_complete &= len(peaks) <= width
        if plans.n_drawn:
            plans.n_nodes += 1
            key = fold(fold(self._key, plans.n_drawn), plans.n_nodes)
            drawn = chances(key, len(peaks)) < DRAWN_SHARES[plans.n_drawn % len(DRAWN_SHARES)]
            peaks = peaks[drawn] if drawn.any() else peaks
        chosen: list[int] = tests[peaks[np.argsort(-scores[peaks], kind="stable")[:width]]].tolist()
        return chosen


def find_peaks(scores: np.ndarray, owner: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """Return the cuts of a column whose scores no neighbour exceeds, the first of equals, and all other tests."""
    rises = np.ones(len(scores), bool)
    falls = np.ones(len(scores), bool)
    neighbours = (owner[1:] == owner[:-1]) & ordered[1:] & ordered[:-1]
    rises[1:] = ~neighbours | (scores[1:] > scores[:-1])
    falls[:-1] = ~neighbours | (scores[:-1] >= scores[1:])
    return np.flatnonzero(rises & falls)


def mirrored(n_tests: np.ndarray, bits: np.ndarray, everyone: np.ndarray) -> np.ndarray:
    """Return which tests divide as the one before them does: whether it is the second of two levels."""
    last = np.cumsum(n_tests)[n_tests == TWO] - 1
    found = np.zeros(int(n_tests.sum()), bool)
    found[last] = (bits[last] == everyone & ~bits[last - 1]).all(axis=1)
    return found


def is_bounded(rules: Rules) -> bool:
    """Say whether the depth ends what grows, also where a leaf costs nothing."""
    return bool(2**rules.max_depth <= rules.max_leaf_nodes)


def make_scout(
    lookahead: Lookahead,
    bank: TestBank,
    rules: Rules,
    n_children: int,
    seed: int,
    pairs: Depth2Search | None = None,
    first: int = FIRST,
) -> Scout:
    """Return a scout that takes about as long in a generation as breeding its children does.

    Before the first generation it may look at some answers more.
    """
    allowance = share_of_answers(n_children, bank.bits.shape[1])
    return Scout(lookahead, bank, rules, allowance, first, seed, pairs)
