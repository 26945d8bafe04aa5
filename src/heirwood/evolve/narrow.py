"""A narrow scout: it builds trees as the scout does, over no more tests than the population asks.

Where a bank has thousands of tests, a look at all of them takes long, and of many cuts that are nearly as good the one
that grows is a matter of chance. The tests that trees of the population ask are a hundred good ones. Over these alone
all that stand out are tried at every node, and a look takes a small part of the time. Once such trees are built,
others go on from them, and after a while the population asks other tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from heirwood.backends import Backend
from heirwood.evolve.mix import share_of_answers
from heirwood.evolve.pool import in_use
from heirwood.evolve.scout import Plans, Scout, is_bounded

N_TESTS = 96
FEWEST_TESTS = 128  # of a bank: of fewer, the scout itself tries all soon
SOONEST = 3  # generations, until the population has learnt what to ask,
PAUSE, LONGEST = 4, 64  # and until it asks other tests; more where the last trees were of no use,
LONGER = 4  # times as many
FIRST = 2**24  # answers that may be looked at before the next generation, for new tests
PART = 2  # and after it, of what the scout may look at,
CLASSES = 8  # where the bits of so many are counted in the time of an answer


@dataclass
class NarrowPlans:
    """What a narrow scout must remember to go on."""

    tests: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))  # that are tried
    building: Plans | None = None  # None: all was built with these tests
    wait: int = SOONEST  # generations before others are tried,
    pause: int = PAUSE  # and after those
    best: float = -math.inf  # the best payoff before these were tried


class NarrowScout:
    """Builds trees over the tests of the population, a hundred at a time.

    Parameters
    ----------
    backend : Backend
    n_children : int
        Bred in one generation: to look takes about as long.
    seed : int

    Attributes
    ----------
    plans : NarrowPlans
    must_end : callable or None
        Says whether nobody waits for a tree any more.
    """

    def __init__(self, backend: Backend, n_children: int, seed: int) -> None:
        problem = backend.problem
        part = max(problem.target.n_classes // CLASSES, 1)
        self._backend = backend
        self._allowance = share_of_answers(n_children, problem.bank.bits.shape[1]) // (PART * part)
        self._first = FIRST // part
        self._seed = seed
        self.must_end: Callable[[], bool] | None = None
        self._looking: Backend | None = None  # at some tests alone
        self._scout: Scout | None = None
        self.plans = NarrowPlans()

    def go_on(self, price: float, best: float, asked: Callable[[], Sequence[np.ndarray]]) -> np.ndarray | None:
        """Build on; return a tree once one is done.

        Parameters
        ----------
        price : float
            What a leaf must get right more.
        best : float
            The payoff of the best tree.
        asked : callable
            Returns the genes of the population and of the hall.
        """
        plans = self.plans
        if plans.building is None:
            plans.wait -= 1
            if plans.wait > 0:
                return None
            if not self._choose(asked()):
                plans.wait = PAUSE
                return None
            plans.pause = PAUSE if best > plans.best else min(LONGER * plans.pause, LONGEST)
            plans.best = best
        looking, scout = self._at_work()
        looking.adapt(price=price)
        built = scout.go_on(price)
        if built is None:
            return None
        if scout.has_seen_all:
            self._scout = plans.building = None
            plans.wait = plans.pause
        return np.where(built >= 0, plans.tests[np.maximum(built, 0)], built).astype(np.int32)

    def _choose(self, asked: Sequence[np.ndarray]) -> bool:
        """Choose the tests that are tried from now on; say whether they are others than before.

        Exact cuts are none of them: their numbers change.
        """
        n_tests = self._backend.problem.bank.n_tests
        tests = in_use([genes[genes < n_tests] for genes in asked], N_TESTS)
        if len(tests) == 0 or np.array_equal(tests, self.plans.tests):
            return False
        self.plans.tests, self.plans.building = tests, Plans(self._first)
        return True

    def _at_work(self) -> tuple[Backend, Scout]:
        """Return who looks at the tests that are tried, and who builds."""
        assert self.plans.building is not None
        if self._looking is None or self._scout is None or self._scout.plans is not self.plans.building:
            self._looking = self._backend.narrowed(self.plans.tests)
            problem = self._looking.problem
            self._scout = Scout(self._looking.lookahead(), problem.bank, problem.rules, self._allowance, 0, self._seed)
            self._scout.plans = self.plans.building
        self._scout.must_end = self.must_end
        return self._looking, self._scout


def make_narrow_scout(backend: Backend, n_children: int, seed: int) -> NarrowScout | None:
    """Return a narrow scout, where tests are many and the price of a leaf, not the depth, ends what grows."""
    if backend.problem.bank.n_tests < FEWEST_TESTS or is_bounded(backend.problem.rules):
        return None
    return NarrowScout(backend, n_children, seed)
