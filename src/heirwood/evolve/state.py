"""What is left of a run when it ends: enough to go on from there, and small enough to pickle."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heirwood.backends.cpu import spans_and_heights
from heirwood.core.rules import Rules
from heirwood.data import Table
from heirwood.data.cut_slots import seat
from heirwood.data.extra_tests import more_tests
from heirwood.data.test_bank import FREE, TestBank
from heirwood.data.test_plan import ColumnTests, plan_again
from heirwood.data.test_scope import TestScope
from heirwood.evolve.islands import Explorers
from heirwood.evolve.learning import Learning
from heirwood.evolve.loop import Evolution
from heirwood.evolve.narrow import NarrowPlans
from heirwood.evolve.scout import Plans
from heirwood.settings import Payoff


@dataclass(frozen=True)
class State:
    """Trees as genes, and the questions their genes stand for."""

    seed: int
    generation: int
    population: list[np.ndarray]
    hall: list[np.ndarray]
    ledger: np.ndarray
    n_children: int
    tests: tuple[np.ndarray, ...]
    n_drawn: int  # tests after these are never drawn, but trees may ask them
    n_values: np.ndarray  # of every column, as the bank has it
    places: tuple[np.ndarray, ...]  # exact cuts that trees ask: number, column, both neighbours, whether missing passes
    classes: np.ndarray
    payoff: Payoff
    bounds: tuple[int, int]  # generations between which payoff parameters move
    learning: Learning | None
    explorers: Explorers
    scout: Plans | None = None
    narrow_scout: NarrowPlans | None = None
    scope: TestScope | None = None  # which tests there was time for, where not for all

    @classmethod
    def of(
        cls,
        evolution: Evolution,
        bank: TestBank,
        classes: np.ndarray,
        payoff: Payoff,
        bounds: tuple[int, int],
    ) -> State:
        """Return the state of a run."""
        hall = evolution.hall
        return cls(
            seed=evolution.seed,
            generation=evolution.generation,
            population=[evolution.backend.genes(int(handle))[0] for handle in evolution.handles],
            hall=[evolution.backend.genes(int(hall.handles[leaves]))[0] for leaves in hall.leaves],
            ledger=evolution.ledger.copy(),
            n_children=evolution.n_children,
            tests=_tests(bank),
            n_drawn=int(bank.first[-1]),
            n_values=bank.n_values,
            places=_places(bank),
            classes=classes,
            payoff=Payoff(payoff.name, **payoff.parameters),
            bounds=bounds,
            learning=copy.deepcopy(evolution.learning),
            explorers=copy.deepcopy(evolution.explorers),
            scout=None if evolution.scout is None else copy.deepcopy(evolution.scout.plans),
            narrow_scout=None if evolution.narrow_scout is None else copy.deepcopy(evolution.narrow_scout.plans),
            scope=bank.scope,
        )

    def plan(self) -> list[ColumnTests]:
        """Return the tests of the run that are drawn, column by column."""
        return plan_again(self.n_values, *(each[: self.n_drawn] for each in self.tests))

    def fits(self, bank: TestBank, classes: np.ndarray, population_size: int, rules: Rules) -> bool:
        """Say whether the genes mean the same on another bank, and hold the limits of another run."""
        same_tests = _same(self.tests, _tests(bank))
        trees = [*self.population, *self.hall]
        return (
            same_tests
            and np.array_equal(self.classes, classes)
            and len(self.population) == population_size
            and max((len(genes) + 1) // 2 for genes in trees) <= rules.max_leaf_nodes
            and max(spans_and_heights(genes)[1][0] for genes in trees) <= rules.max_depth
        )

    def asked_of(self, bank: TestBank, table: Table) -> TestBank:
        """Return a bank that also has the questions which joined that of the run, if those it draws are the same."""
        if not _same([mine[: self.n_drawn] for mine in self.tests], _tests(bank)):
            return bank
        columns, kinds, values, _, passes = (mine[self.n_drawn :] for mine in self.tests)
        return more_tests(bank, table, columns, kinds, values, passes)

    @property
    def n_places(self) -> int:
        """How many places the exact cuts need, if they keep their numbers."""
        return 0 if len(self.places[0]) == 0 else int(self.places[0][-1]) + 1 - len(self.tests[0])

    def seat(self, bank: TestBank, table: Table) -> None:
        """Put the exact cuts of this state into the places of a bank."""
        for number, column, value, upper, passes in zip(*(part.tolist() for part in self.places), strict=True):
            seat(bank, table, number, column, value, upper, passes)

    def restore(self, evolution: Evolution, rules: Rules) -> None:
        """Put the trees of this state into a new run, where they must have enough rows at every leaf."""
        evolution.resume(self.generation, self.population, self.hall, *copy.deepcopy((self.learning, self.explorers)))
        evolution.ledger = self.ledger.copy()
        evolution.n_children = self.n_children
        if evolution.scout is not None and self.scout is not None:
            evolution.scout.plans = copy.deepcopy(self.scout)
        if evolution.narrow_scout is not None and self.narrow_scout is not None:
            evolution.narrow_scout.plans = copy.deepcopy(self.narrow_scout)
        for handle in [*evolution.handles, *evolution.hall.handles[evolution.hall.leaves]]:
            genes, rows, _ = evolution.backend.genes(int(handle))
            smallest = int(rows[genes < 0].min())
            if len(genes) > 1 and smallest < rules.min_rows:  # a single leaf is all that is left, and allowed
                raise ValueError(
                    f"warm_start goes on with the trees of the last fit, but one of them has a leaf with {smallest} "
                    f"rows, and min_samples_leaf asks for {rules.min_rows}; lower it, or set warm_start=False"
                )


def _same(mine: Sequence[np.ndarray], theirs: Sequence[np.ndarray]) -> bool:
    pairs = zip(mine, theirs, strict=True)
    return all(np.array_equal(one, other, equal_nan=one.dtype.kind == "f") for one, other in pairs)


def _tests(bank: TestBank) -> tuple[np.ndarray, ...]:
    """Return the tests that are there to stay."""
    about = bank.columns, bank.kinds, bank.values, bank.uppers, bank.missing_passes
    return tuple(each[: bank.n_tests].copy() for each in about)


def _places(bank: TestBank) -> tuple[np.ndarray, ...]:
    taken = bank.n_tests + np.flatnonzero(bank.kinds[bank.n_tests :] != FREE)
    return taken, *(each[taken] for each in (bank.columns, bank.values, bank.uppers, bank.missing_passes))
