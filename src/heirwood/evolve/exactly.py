"""Beside evolution: exact searches, as far as they have a prospect, and what they offer to the population.

The whole table first, over all tests where they are few (`quest`). Where that is too much, or takes long: parts of
good trees with few rows (`polish`), their lowest levels (`pairing`), and the best tree over the tests that good trees
ask, within a depth (`pool`) or for a price of a leaf (`gather`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from heirwood.backends import Backend, can_pair
from heirwood.core.bitsets import n_words as words_of
from heirwood.core.optimal.search_frame import HIT
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import TestBank
from heirwood.evolve.gather import Gathering, can_gather
from heirwood.evolve.hall import Hall
from heirwood.evolve.islands import worst_first
from heirwood.evolve.mix import share_of_answers
from heirwood.evolve.pairing import Pairing
from heirwood.evolve.polish import Polish
from heirwood.evolve.pool import Pool, affordable, spread
from heirwood.evolve.quest import MOST_TESTS, MOST_WORDS, TRACE, Quest, price_in_parts

SPREAD_EFFORT = 2**31  # words that a search over some tests of every column may take: about half a second
MOST_COPIES = 4  # of a row, on average: weights are counted as so many rows
GATHERED, MORE_GATHERED = 4, 16  # words, for each answer that could be looked at; more where there is no narrow scout
ROWS_A_SECOND, SETUP_SHARE = 1.5e6, 0.25  # that a search is set up for, in a share of the time left
POLISH_WORDS = 2**21  # that the look at all pairs of tests may take, where parts of trees are searched


@dataclass
class Exactly:
    """Searches that go on beside a run."""

    quest: Quest | None
    polish: Polish | None
    pool: Pool | None
    gathering: Gathering | None
    pairing: Pairing | None
    step: int  # the weight that counts as one hit

    @property
    def is_proven(self) -> bool:
        """Whether no tree is better than the best one."""
        return self.quest is not None and self.quest.is_proven

    @property
    def is_under_way(self) -> bool:
        """Whether the search for the best tree of all goes on, and has come somewhere."""
        return self.quest is not None and self.quest.is_under_way

    def offers(
        self, generation: int, hall: Hall, handles: np.ndarray, payoffs: np.ndarray, home: slice, backend: Backend
    ) -> list[tuple[int, np.ndarray]]:
        """Search on for a while; return trees that are better than others, and the places of those."""
        hits, leaves = int(hall.by_size.hits[hall.best]) // self.step, hall.best
        worst = worst_first(payoffs, home)
        found: dict[int, np.ndarray] = {}
        quest = self.quest
        if quest is not None and not quest.is_over:
            genes = quest.go_on(hits, leaves)
            if genes is not None:
                found[worst[0]] = genes
        if self.is_proven:
            return list(found.items())
        is_busy = is_alone = is_near = False
        if quest is not None and not quest.is_over:
            is_busy = not quest.takes_long
            is_alone = is_busy and quest.covers_all
            is_near = is_alone and quest.is_near
        for improver in (None if is_busy else self.polish, None if is_alone else self.pairing):
            for place, genes in [] if improver is None else improver.improve(payoffs, handles, backend):
                found.setdefault(place, genes)
        for asking in (None if is_alone else self.pool, None if is_near else self.gathering):
            if asking is not None and asking.is_due(generation):
                trees = (*handles[worst[::-1]], *hall.handles[hall.leaves])
                genes = asking.best_tree([backend.genes(int(tree))[0] for tree in trees], backend, hits, leaves)
                free = [place for place in worst if place not in found]
                if genes is not None and free:
                    found[free[0]] = genes
        return list(found.items())


def search_exactly(
    backend: Backend,
    bank: TestBank,
    target: ClassTarget,
    payoff: Any,
    parameters: dict[str, float],
    *,
    is_fine: bool,
    n_children: int,
    is_scouted: bool = False,
    seconds_left: float = math.inf,
) -> Exactly | None:
    """Return the searches that go with a run; None where there is nothing to search for exactly.

    Parameters
    ----------
    backend : Backend
    bank : TestBank
    target : ClassTarget
        A row that weighs more is searched as several; every mistake must cost the same.
    payoff, parameters
        The payoff's name, and its parameters; they do not move.
    is_fine : bool
        Whether the bank holds every question that a tree can ask.
    n_children : int
        Bred in one generation: searches that go on beside take about as long.
    is_scouted : bool
        Whether a narrow scout takes a part of that time.
    seconds_left : float
        Of a time limit that allows for some tests only: then a search over all rows is not set up where that would
        take a good part of it.
    """
    rules = backend.problem.rules
    levels = min(rules.max_depth, rules.max_leaf_nodes - 1)
    n_copies = int(target.weights.sum()) // target.step
    price = price_in_parts(payoff, parameters, n_copies, rules.max_leaf_nodes, levels)
    if (
        price is None
        or levels < 1
        or target.costs is not None
        or target.loss is not None
        or n_copies > MOST_COPIES * len(target.codes)
    ):
        return None
    if n_copies > len(target.codes) and rules.min_rows > 1:  # a row counts once there, whatever it weighs
        return None
    n_words = words_of(n_copies)
    allowance = share_of_answers(n_children, bank.bits.shape[1])
    pool = gathering = None
    if price == TRACE:
        pool = Pool(price, levels, n_words * target.n_classes)
    elif can_gather(n_copies):
        share = GATHERED if is_scouted else MORE_GATHERED
        gathering = Gathering(price, levels, rules.max_leaf_nodes, n_copies, share * allowance)
    tests = np.arange(bank.n_tests)
    is_many = len(tests) > MOST_TESTS or len(tests) * n_words > MOST_WORDS
    pairing = None
    if can_pair(backend.problem):
        pairing = Pairing(target.planes(majority=True), price / HIT * target.step, allowance)
    takes_long = n_copies > ROWS_A_SECOND * SETUP_SHARE * seconds_left
    if takes_long or (is_many and (pairing is not None or price != TRACE)):  # better than a search over a few tests
        return Exactly(None, None, pool, gathering, pairing, target.step)
    if is_many:
        tests = spread(bank.first, affordable(SPREAD_EFFORT, n_words * target.n_classes, levels))
    search = backend.optimum(tests, price, levels)
    polish = None
    if search.n_tests**2 * n_words * target.n_classes <= POLISH_WORDS:
        polish = Polish(lambda: backend.optimum(tests, price, levels), price, levels, target)
    quest = Quest(search, price, rules.max_leaf_nodes, covers_all=is_fine and not is_many)
    return Exactly(quest, polish, pool, gathering, pairing, target.step)
