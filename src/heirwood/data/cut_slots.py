"""Slots of a bank for cuts: places for tests that join during a run, and that leave when no tree asks them.

    bits     [ drawn | more | place, place, place, ... ]
    test       0 ...          n_tests ...

While a generation is bred every child is lent a free place, in child order, as far as there are any. What a child
writes there is its own until the generation is over. Then the places that trees ask are taken, equal questions
share one place, and all others are free again. So the bank grows by its room and no more, and who bred which child
when cannot be seen.
"""

from dataclasses import replace
from threading import Lock

import numpy as np

from heirwood.core.bitsets import pack
from heirwood.data.exact_cuts import NOBODY, ExactCuts, Gap
from heirwood.data.extra_tests import answers
from heirwood.data.lazy_memory import LazyRows
from heirwood.data.schema import Table
from heirwood.data.test_bank import FREE, TestBank
from heirwood.data.test_plan import AT_MOST

MOST_PLACES = 1024


def make_cut_slots(bank: TestBank, table: Table, *, at_least: int = 0) -> TestBank:
    """Return a bank with places for exact cuts; the bank itself where no column has more midpoints than cuts.

    Parameters
    ----------
    bank : TestBank
        Its bit rows beyond those of its tests become the places. A bank with places belongs to one run.
    table : Table
        The rows that the bank was made of.
    at_least : int
        Places that are needed in any case, also where the bank has no bit rows left.
    """
    coarse = coarse_columns(bank)
    n_fixed = bank.n_tests
    n_places = max(len(bank.bits) - n_fixed, at_least)
    if n_places == 0 or (len(coarse) == 0 and at_least == 0):
        return bank
    bits = bank.bits
    if n_places > len(bits) - n_fixed:
        bits = LazyRows((n_fixed + n_places, bits.shape[1]), np.uint64).array
        bits[:n_fixed] = bank.bits[:n_fixed]
    roomy = replace(
        bank,
        bits=bits,
        columns=_longer(bank.columns, n_places, 0),
        kinds=_longer(bank.kinds, n_places, FREE),
        values=_longer(bank.values, n_places, np.nan),
        uppers=_longer(bank.uppers, n_places, np.nan),
        missing_passes=_longer(bank.missing_passes, n_places, False),
    )
    return replace(roomy, exact=_exact_cuts(roomy, n_fixed, table, coarse))


def seat(
    bank: TestBank, table: Table, test: int, column: int, value: float, upper: float, missing_passes: bool
) -> None:
    """Put a cut that an earlier run left, between two values, into a place of the bank."""
    exact = bank.exact
    assert exact is not None
    bank.bits[test] = pack(answers(table.values[:, column], AT_MOST, value, missing_passes))
    bank.columns[test], bank.kinds[test], bank.missing_passes[test] = column, AT_MOST, missing_passes
    bank.values[test], bank.uppers[test] = value, upper
    found = np.flatnonzero(exact.columns == column)
    if len(found):
        exact.ensure_ranked(int(found[0]))
        exact.column[test] = found[0]
        passing = exact.ranks[found[0]][table.values[:, column] <= value]
        exact.rank[test] = passing.max(initial=NOBODY)
        exact.learn(test, missing_passes)


class CutSlots:
    """Lends the places of a bank, and keeps those that trees ask.

    Parameters
    ----------
    bank : TestBank
        With places; they are updated in place.
    """

    def __init__(self, bank: TestBank) -> None:
        assert bank.exact is not None
        self._bank, self._exact = bank, bank.exact
        self.n_fixed = bank.exact.n_fixed
        self._taken = bank.kinds[self.n_fixed :] != FREE
        self._lent: list[int] = []  # in child order
        self._held: set[int] = set()

    @property
    def n_places(self) -> int:
        """How many places there are."""
        return len(self._taken)

    @property
    def n_taken(self) -> int:
        """How many of them hold a test that some tree asks."""
        return int(self._taken.sum())

    def lend(self, n: int) -> np.ndarray:
        """Return the number of a free place for each of the next `n` children; -1 when none is left."""
        free = ~self._taken
        free[np.array(self._lent, np.int64) - self.n_fixed] = False
        lent = self.n_fixed + np.flatnonzero(free)[:n]
        self._lent += lent.tolist()
        return np.concatenate([lent, np.full(n - len(lent), NOBODY)]).astype(np.int32)

    def hold(self, gap: Gap) -> int:
        """Return a test that asks a cut of a gap, and keep it until `release`; -1 where no place is left for one."""
        bank, exact = self._bank, self._exact
        exact.ensure_ranked(gap.column)
        test = exact.asking_near(gap)
        if test == NOBODY:
            test = int(self.lend(1)[0])
            if test == NOBODY:
                return NOBODY
            self._lent.pop()
            exact.column[test], exact.rank[test], bank.missing_passes[test] = gap.column, gap.middle, gap.missing_passes
            self._join(test)
            bank.bits[test] = pack(
                answers(exact.table[:, bank.columns[test]], AT_MOST, bank.values[test], gap.missing_passes)
            )
        if test >= self.n_fixed:
            self._held.add(test)
        return test

    def release(self) -> None:
        """Hold no test any more; those that no tree asks leave when the generation ends."""
        self._held.clear()

    def settle(self, asked: np.ndarray) -> np.ndarray | None:
        """End a generation: keep the places that trees ask, free the others.

        Parameters
        ----------
        asked : (n_places,) bool

        Returns
        -------
        (n_places,) int32 or None
            The test that each place's question has from now on, where that is another one than before.
        """
        asked = asked.copy()
        asked[np.array(sorted(self._held), np.int64) - self.n_fixed] = True
        for place in np.flatnonzero(self._taken & ~asked):
            self._free(self.n_fixed + int(place))
        numbers = np.arange(self.n_fixed, self.n_fixed + self.n_places, dtype=np.int32)
        moved = False
        for test in self._lent:
            if not asked[test - self.n_fixed]:
                self._exact.column[test] = NOBODY
                continue
            first = self._join(test)
            moved |= first != test
            numbers[test - self.n_fixed] = first
        self._lent = []
        self._exact.end_generation()
        return numbers if moved else None

    def _join(self, test: int) -> int:
        """Take a lent place for good; return the test that asks its question, which may be an earlier child's."""
        bank, exact = self._bank, self._exact
        column, rank = int(exact.column[test]), int(exact.rank[test])
        passes = bool(bank.missing_passes[test])
        exact.learn(test, passes)
        first = exact.asking(column, rank, passes)
        if first != test:
            exact.column[test] = NOBODY
            return first
        bank.columns[test], bank.kinds[test] = exact.columns[column], AT_MOST
        bank.values[test], bank.uppers[test] = exact.neighbours(column, rank)
        self._taken[test - self.n_fixed] = True
        return test

    def _free(self, test: int) -> None:
        self._exact.forget(test, bool(self._bank.missing_passes[test]))
        bank = self._bank
        bank.kinds[test], bank.values[test], bank.uppers[test] = FREE, np.nan, np.nan
        self._taken[test - self.n_fixed] = False


def coarse_columns(bank: TestBank) -> np.ndarray:
    """Return the columns that have more midpoints than the bank has cuts of theirs."""
    n_drawn = int(bank.first[-1])
    plain = (bank.kinds[:n_drawn] == AT_MOST) & ~bank.missing_passes[:n_drawn]
    n_cuts = np.bincount(bank.columns[:n_drawn][plain], minlength=len(bank.schema))
    return np.flatnonzero((n_cuts > 0) & (bank.n_values - 1 > n_cuts))


def _exact_cuts(bank: TestBank, n_fixed: int, table: Table, coarse: np.ndarray) -> ExactCuts:
    starts = np.concatenate([[0], np.cumsum(bank.n_values[coarse])]).astype(np.int64)
    place_of = np.full(len(bank.schema), NOBODY, np.int32)
    place_of[coarse] = np.arange(len(coarse))
    column = np.where(bank.kinds == AT_MOST, place_of[bank.columns], NOBODY).astype(np.int32)
    return ExactCuts(
        n_fixed=n_fixed,
        columns=coarse.astype(np.int32),
        table=table.values,
        values=bank.values,
        missing_passes=bank.missing_passes,
        rows=LazyRows((len(coarse), bank.n_rows), np.int32),
        n_values=np.zeros(len(coarse), np.int64),
        wanted=np.zeros(len(coarse), bool),
        last_wanted=np.zeros(len(coarse), np.int64),
        starts=starts,
        known=LazyRows((2, int(starts[-1])), np.int32).array,
        column=column,
        rank=np.full(len(bank.kinds), NOBODY, np.int32),
        lock=Lock(),
    )


def _longer(array: np.ndarray, n: int, filling: float) -> np.ndarray:
    return np.concatenate([array, np.full(n, filling, array.dtype)])
