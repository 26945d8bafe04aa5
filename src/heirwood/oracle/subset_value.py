"""What some rows are worth: as a leaf, with the best stump, and with more leaves at most.

A tree is worth its hits less a price for each leaf. No tree gets more right than the rows that agree: those of the
commonest class among all that answer every test alike. Of three leaves one is beside a stump, which gets no more right
than the best stump for all rows; and four leaves cost four times the price.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heirwood.oracle.node_context import divide
from heirwood.oracle.problem import Problem

HIT = 2**32  # one hit, in the parts that worth is counted in
NOTHING = -(2**62)  # less than any tree is worth
LEAF = None

Rows = tuple[int, ...]
Stumps = dict[int, list[tuple[int, int]]]  # of a test: rows on its left and on its right, and the hits of a leaf there
Bounds = dict[int, tuple[int, int, int]]  # what a test may be worth, the hits of its stump, what its right side may be


@dataclass
class Known:
    """What is known of some rows: what the best tree is worth at most, and a good one, the best if that is known."""

    most: int
    hits: int
    leaves: int
    test: int | None = LEAF
    known: bool = True


class Weighing:
    """Weighs rows over some tests.

    Parameters
    ----------
    problem : Problem
        Every row counts once.
    tests : sequence of int
        Those that trees may ask.
    price : int
        Of a leaf, in parts of a hit.
    """

    def __init__(self, problem: Problem, tests: Sequence[int], price: int) -> None:
        self.problem = problem
        self.price = price
        self.fewest = max(problem.min_rows, 1)
        self.tests = [test for test in tests if self._is_first(test, tests)]
        self.n_tests = len(self.tests)
        self._agreeing = self._find_agreeing()

    def worth(self, hits: int, leaves: int) -> int:
        """Return what a tree is worth."""
        return HIT * hits - self.price * leaves

    def _by_class(self, rows: Rows) -> list[int]:
        classes = [self.problem.classes[row] for row in rows]
        return [classes.count(c) for c in range(self.problem.n_classes)]

    def _divide(self, rows: Rows, test: int) -> tuple[Rows, Rows]:
        passed, failed = divide(list(rows), test, self.problem)
        return tuple(passed), tuple(failed)

    def _is_first(self, test: int, tests: Sequence[int]) -> bool:
        """Say whether a test divides all rows, and none before it divides them alike."""
        everyone = self.problem.everyone
        sides = set(self._divide(everyone, test))
        earlier = (set(self._divide(everyone, other)) for other in tests if other < test)
        return () not in sides and all(sides != others for others in earlier)

    def _find_agreeing(self) -> set[int]:
        """Return the rows of the commonest class among those that answer all tests alike."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for row in self.problem.everyone:
            answers = tuple(self.problem.answers(self.problem.tests[test])[row] for test in self.tests)
            groups.setdefault(answers, []).append(row)
        agreeing = set()
        for group in groups.values():
            weights = self._by_class(tuple(group))
            agreeing |= {row for row in group if self.problem.classes[row] == weights.index(max(weights))}
        return agreeing

    def _look(self, rows: Rows, levels: int) -> tuple[int, int, int]:
        """Return the hits of a leaf, the rows that agree, and the levels that can be useful."""
        hits = max(self._by_class(rows))
        agree = len(self._agreeing.intersection(rows))
        if len(rows) < 2 * self.fewest or agree <= hits:
            return hits, agree, 0
        if self.price == 0:
            return hits, agree, levels
        most_leaves = -(HIT * (hits - agree) // self.price)  # of a tree that may be worth more than a leaf
        return hits, agree, max(0, min(levels, most_leaves - 1))

    def _scan(self, rows: Rows, useful: int, best: Known) -> Bounds:
        """Keep the best stump; return what each test may be worth, if more than its stump is."""
        stumps = {}
        for test in self._dividing(rows):
            leaves = [max(self._by_class(side)) for side in self._divide(rows, test)]
            stumps[test] = leaves
            if self.worth(sum(leaves), 2) > self.worth(best.hits, best.leaves):
                best.hits, best.leaves, best.test = sum(leaves), 2, test
        bounds = {}
        best_stump = max(map(sum, stumps.values()), default=0)
        for test, (left, right) in stumps.items():
            agree_left, agree_right = (len(self._agreeing.intersection(side)) for side in self._divide(rows, test))
            three = max(left + min(agree_right, best_stump), min(agree_left, best_stump) + right)
            most = max(self.worth(three, 3), self.worth(agree_left + agree_right, 4))
            if useful > 1 and most > self.worth(left + right, 2):
                bounds[test] = most, left + right, max(self.worth(right, 1), self.worth(agree_right, 2))
        return bounds

    def _dividing(self, rows: Rows) -> list[int]:
        return [test for test in self.tests if min(map(len, self._divide(rows, test))) >= self.fewest]

    def _sharpen(self, rows: Rows, bounds: Bounds, floor: int) -> int:
        """Lower what tests may be worth that may be worth more than some floor.

        A side is a leaf, its best stump, or has three leaves, or four and more. Return what the best of the trees that
        were looked at is worth.
        """
        dividing = self._dividing(rows)
        known = NOTHING
        for test, (bound, stump, _) in list(bounds.items()):
            if bound <= floor:
                continue
            small, most = [], []
            for side in self._divide(rows, test):
                stumps = self._stumps(side, dividing)
                small.append(self._best_stump(side, stumps).most)
                most.append(max(small[-1], self._more(side, stumps)))
            known = max(known, sum(small))
            bounds[test] = sum(most), stump, most[1]
            if sum(most) <= self.worth(stump, 2):
                del bounds[test]
        return known

    def _stumps(self, rows: Rows, candidates: list[int]) -> Stumps:
        """Return both sides of every test that divides some rows, and the hits of a leaf on each."""
        divided = ((test, self._divide(rows, test)) for test in candidates)
        return {
            test: [(len(side), max(self._by_class(side))) for side in sides]
            for test, sides in divided
            if min(map(len, sides)) >= self.fewest
        }

    def _best_stump(self, rows: Rows, stumps: Stumps) -> Known:
        """Return the best stump for some rows, or a leaf if that is no worse; of equal tests the first."""
        hits = max(self._by_class(rows))
        best = Known(self.worth(hits, 1), hits, 1)
        for test, ((_, left), (_, right)) in stumps.items():
            if self.worth(left + right, 2) > best.most:
                best = Known(self.worth(left + right, 2), left + right, 2, test)
        return best

    def _more(self, rows: Rows, stumps: Stumps) -> int:
        """Return what trees of three leaves and more may be worth: of three, two are no better than the best stump."""
        best = max((left + right for (_, left), (_, right) in stumps.values()), default=0)
        ways = [way for left, right in stumps.values() for way in ((left, right), (right, left))]
        three = max((hits + min(n_others, best) for (_, hits), (n_others, _) in ways), default=0)
        agree = len(self._agreeing.intersection(rows))
        return max(self.worth(min(agree, three), 3), self.worth(agree, 4))
