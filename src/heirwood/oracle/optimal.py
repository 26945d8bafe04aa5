"""The best tree there is: hits less a price for each leaf, at most, over all trees of some levels.

What some rows are worth at best, with so many levels below, depends on nothing else. So: try every test, add up what
its two sides are worth at best, remember the answer. All that is more is about leaving tests out. A set of rows is
worth no more than a look at it tells (`weighing`); a side is asked for trees that would make its parent better than
what is known already; the right side is looked at before the left one is searched; and tests that divide nearly alike
are worth nearly the same.

The search stops after some words of work, as the compiled one would read them, and goes on later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from heirwood.oracle.problem import Problem
from heirwood.oracle.subset_value import HIT, LEAF, NOTHING, Bounds, Known, Rows, Weighing

VISIT, EXTRA = 512, 8  # what a node, and a count, take beside their words; in words
MOVE = 8  # what it takes to close the gap before one row, by blocks of questions
AT_ONCE, LANES = 4, 16  # counts of pairs that take as long as one of a single test; tests that are counted at once
LIKENESS = 3  # levels below a node from which on tests are compared with each other
MOST_PAIRS = 2**22  # words of a look at all pairs
MOST_ENTRIES = 2**21 * 3 // 4


@dataclass
class Node:
    """What is known of a node on the way down."""

    rows: Rows
    levels: int  # that may be below
    width: int  # words that its rows take
    need: int = NOTHING  # a tree that is not worth more is of no use
    useful: int = 0  # levels, where more leaves could not pay
    best: Known = field(default_factory=lambda: Known(NOTHING, 0, 1))
    bounds: Bounds = field(default_factory=dict)  # of tests that are not closed
    failed: int = NOTHING  # what the best of the closed tests may be worth, where that is not known
    is_done: bool = False


def words_of(n: int) -> int:
    """Return the words that so many bits take."""
    return -(-n // 64)


class OptimalSearch(Weighing):
    """A search for the tree that is worth most.

    Parameters
    ----------
    problem, tests, price
        Those of `Weighing`.
    levels : int
        The most tests on a path.
    """

    def __init__(self, problem: Problem, tests: Sequence[int], price: int, levels: int) -> None:
        super().__init__(problem, tests, price)
        self._n_slots = -(-self.n_tests // LANES) * LANES
        self._memo: dict[tuple[Rows, int], Known] = {}
        self.begin(problem.everyone, levels)

    def begin(self, rows: Rows, levels: int) -> None:
        """Search from now on for the best tree for some rows; what is known already helps."""
        self.n_closed = 0
        self._root = Node(rows, levels, self.problem.n_words)
        self._steps = self._solve(self._root)

    # ---- what a search can be asked ----

    def go_on(self, effort: int, need: int) -> int:
        """Search on for a tree that is worth more than `need`; return the words that were read."""
        self._root.need = max(self._root.need, need)
        spent = 0
        while spent < effort and not self.is_done and not self.is_full:
            spent += next(self._steps, 0)
        return spent

    @property
    def is_done(self) -> bool:
        """Whether no tree is worth more than the one found, or than was needed."""
        return self._root.is_done

    @property
    def is_full(self) -> bool:
        """Whether there is no memory to go on with."""
        return len(self._memo) >= MOST_ENTRIES

    @property
    def found(self) -> int:
        """What the best tree so far is worth."""
        return self.worth(self._root.best.hits, self._root.best.leaves)

    def genes(self) -> list[int]:
        """Return the best tree so far, in preorder."""
        return self._read(self._root.rows, self._root.levels, self._root.best)

    # ---- the search ----

    def _solve(self, node: Node) -> Iterator[int]:
        """Find the best tree at a node, if it is worth more than needed; yield the words read, step by step."""
        yield self._enter(node)
        yield from self._search(node)

    def _search(self, node: Node) -> Iterator[int]:
        """Do the same at a node that has been looked at."""
        while not node.is_done:
            bounds = node.bounds
            test = max(bounds, key=lambda test: (bounds[test][0], bounds[test][1], -test), default=None)
            if test is None or bounds[test][0] <= self._goal(node):
                node.failed = max([node.failed, *(bound for bound, _, _ in bounds.values())])
                self._finish(node)
            else:
                yield from self._try(test, node)

    def _try(self, test: int, node: Node) -> Iterator[int]:
        """Find out what a test is worth, or that it is of no use."""
        left, right = (Node(rows, node.useful - 1, node.width) for rows in self._divide(node.rows, test))
        other = min(self._most(right.rows, right.levels), node.bounds[test][2])
        left.need = self._goal(node) - other
        words = self._enter(left)
        if not left.is_done:
            more, other = self._look_across(node, left, right.rows, other)
            left.need = max(left.need, self._goal(node) - other)
            words += more
        yield words
        yield from self._search(left)
        most, known = left.best.most + other, False
        if left.best.known and most > self._goal(node):
            right.need = self._goal(node) - left.best.most
            yield from self._solve(right)
            most, known = left.best.most + right.best.most, right.best.known
            hits, leaves = left.best.hits + right.best.hits, left.best.leaves + right.best.leaves
            if known and self.worth(hits, leaves) > self.worth(node.best.hits, node.best.leaves):
                node.best.hits, node.best.leaves, node.best.test = hits, leaves, test
        node.failed = node.failed if known else max(node.failed, most)
        del node.bounds[test]
        self.n_closed += node is self._root
        if node.useful >= LIKENESS and self.fewest == 1:
            self._lower(node, test, most)
            yield self.n_tests * node.width

    def _look_across(self, node: Node, left: Node, rows: Rows, other: int) -> tuple[int, int]:
        """Look at the right side of a test before its left one is searched, if that could tell more.

        Return the words that it took, and what the side may be worth: the less, the more the left one must be.
        """
        _, _, useful = self._look(rows, left.levels)
        if useful == 0 or (rows, useful) in self._memo:
            return 0, other
        right = Node(rows, left.levels, node.width, self._goal(node) - self._most_at(left))
        words = self._enter(right)
        most = self._most_at(right)
        if not right.is_done:
            self._memo[rows, useful] = Known(most, right.best.hits, right.best.leaves, known=False)
        return words, min(other, most)

    def _most(self, rows: Rows, levels: int) -> int:
        """Return what some rows may be worth."""
        hits, agree, useful = self._look(rows, levels)
        if useful == 0:
            return self.worth(hits, 1)
        if (rows, useful) in self._memo:
            return self._memo[rows, useful].most
        return max(self.worth(hits, 1), self.worth(agree, 2))

    def _goal(self, node: Node) -> int:
        """Return what a tree must be worth more than, to be of use."""
        return max(node.need, self.worth(node.best.hits, node.best.leaves))

    def _most_at(self, node: Node) -> int:
        """Return what the best tree may be worth at a node that was looked at."""
        if node.is_done:
            return node.best.most
        here = self.worth(node.best.hits, node.best.leaves)
        return max([here, *(bound for bound, _, _ in node.bounds.values())])

    def _enter(self, node: Node) -> int:
        """Look at a node for the first time; return the words that it took.

        Its rows are moved together where that takes half as many words.
        """
        rows, n_classes, n_tests = node.rows, self.problem.n_classes, self.n_tests
        hits, agree, node.useful = self._look(rows, node.levels)
        node.best = Known(self.worth(hits, 1), hits, 1)
        words = VISIT + node.width * (n_classes + 1)
        node.is_done = self._is_hopeless(node, agree)
        if node.is_done:
            return words
        if node.useful > 1 and 2 * words_of(len(rows)) <= node.width:
            node.width = words_of(len(rows))
            words += MOVE * len(rows) * words_of(self._n_slots + n_classes + 1)
        node.bounds = self._scan(rows, node.useful, node.best)
        words += n_tests * (EXTRA + node.width * (n_classes + (agree != len(rows))))
        floor = self._goal(node) if node.useful > 2 else NOTHING
        pairs = self._words_of_pairs(node, floor) if node.useful > 1 else 0
        if pairs and node.useful > 2:
            node.need = max(node.need, self._sharpen(rows, node.bounds, floor) - 1)
        elif pairs:
            self._look_two_levels(node)
        if node.useful == 1 or (pairs and node.useful == 2):
            self._finish(node)
        return words + pairs

    def _is_hopeless(self, node: Node, agree: int) -> bool:
        """Say whether nothing more is to be found at a node, and note what is known: it needs no tests, or has been."""
        if node.useful == 0:
            return True
        most = max(node.best.most, self.worth(agree, 2))
        if most <= node.need:
            node.best.most, node.best.known = most, False
            return True
        found = self._memo.get((node.rows, node.useful))
        if found is not None and (found.known or found.most <= node.need):
            node.best = found
            return True
        return False

    def _finish(self, node: Node) -> None:
        """Remember the best tree, if nothing that was closed may be worth more; else how much that may be."""
        best = node.best
        best.most = max(node.failed, self.worth(best.hits, best.leaves))
        best.known = node.failed <= self.worth(best.hits, best.leaves)
        node.is_done = True
        self._memo[node.rows, node.useful] = Known(best.most, best.hits, best.leaves, best.test, best.known)

    def _words_of_pairs(self, node: Node, floor: int) -> int:
        """Return the words that a look at pairs of tests takes, or zero: too long, or single tests are cheaper.

        The first of a pair is worth more than the floor.
        """
        n_open = sum(bound > self._goal(node) for bound, _, _ in node.bounds.values())
        n_first = sum(bound > floor for bound, _, _ in node.bounds.values())
        words = EXTRA + node.width * self.problem.n_classes
        pairs = n_first * self._n_slots * words // AT_ONCE
        return pairs if pairs <= MOST_PAIRS and 2 * n_open * (VISIT + self.n_tests * words) > pairs else 0

    def _look_two_levels(self, node: Node) -> None:
        """Keep the best tree of up to two levels, and remember its sides.

        A test that has no bound is not worth more than its stump, which has been looked at.
        """
        dividing, best = self._dividing(node.rows), node.best
        for test in node.bounds:
            left, right = (
                self._best_stump(side, self._stumps(side, dividing)) for side in self._divide(node.rows, test)
            )
            if left.most + right.most > self.worth(best.hits, best.leaves):
                best.hits, best.leaves, best.test = left.hits + right.hits, left.leaves + right.leaves, test
        if best.leaves > 2:
            assert best.test is not None
            for side in self._divide(node.rows, best.test):
                _, _, useful = self._look(side, 1)
                if useful > 0:
                    self._memo[side, useful] = self._best_stump(side, self._stumps(side, dividing))

    def _lower(self, node: Node, test: int, most: int) -> None:
        """Lower what other tests may be worth: one that moves m rows to other sides differs by m hits at most."""
        least = self._goal(node)
        left = set(self._divide(node.rows, test)[0])
        for other, (bound, stump, right) in node.bounds.items():
            if bound > least:
                moved = len(left ^ set(self._divide(node.rows, other)[0]))
                node.bounds[other] = min(bound, most + HIT * min(moved, len(node.rows) - moved)), stump, right

    def _read(self, rows: Rows, levels: int, known: Known | None) -> list[int]:
        """Return the genes of the best tree for some rows; what is not remembered is a leaf."""
        _, _, useful = self._look(rows, levels)
        if known is None:
            known = self._memo.get((rows, useful)) if useful > 0 else None
        if known is None or known.test is LEAF or not known.known:
            weights = self._by_class(rows)
            return [~weights.index(max(weights))]
        left, right = self._divide(rows, known.test)
        return [known.test, *self._read(left, useful - 1, None), *self._read(right, useful - 1, None)]
