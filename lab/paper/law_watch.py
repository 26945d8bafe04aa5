"""A backend that says what each child should cost before it is bred, and compares once it is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heirwood.backends import OPERATOR_NAMES, Problem
from heirwood.backends.cpu import CpuBackend
from heirwood.core.settle import ROWS, ROWS_FULL
from lab.paper.law_count import count
from lab.paper.law_moments import expect, make_odds, make_scratch

#: Mutations whose stale node is the node that was drawn; the last is the only one that may break a limit.
KNOWN_OPERATORS = ("node_change", "node_prune", "leaf_change", "leaf_grow")


@dataclass
class Compared:
    """Sums over the children of a run."""

    children: int = 0
    rows: int = 0  # classified again, by the engine's ledger
    rows_full: int = 0  # that full evaluations would have classified
    expected: float = 0.0  # rows by the law, from the parents alone
    variance: float = 0.0  # of `rows` about `expected`: what is drawn for one child says nothing of the next
    miscounted: int = 0  # children whose rows differ from what the parents and the drawn nodes say

    @property
    def saved(self) -> float:
        """The measured share of rows saved."""
        return 1 - self.rows / self.rows_full

    @property
    def law(self) -> float:
        """The same, expected."""
        return 1 - self.expected / self.rows_full

    @property
    def error(self) -> float:
        """The standard error of the measured share about the expected one."""
        return float(np.sqrt(self.variance)) / self.rows_full


class WatchedBackend(CpuBackend):
    """The compiled backend, watched; `compared` holds what was seen.

    Raises
    ------
    ValueError
        Where children are made in a way that the law does not speak of.
    """

    def __init__(self, problem: Problem) -> None:
        check_rules(problem)
        super().__init__(problem)
        self.compared = Compared()
        self._odds = make_odds(problem.rules)
        self._law_scratch = make_scratch(problem.rules.max_leaf_nodes)
        self._path = np.zeros(2 * problem.rules.max_leaf_nodes - 1, np.int32)
        self._expected = np.zeros(problem.n_trees)
        self._variance = np.zeros(problem.n_trees)
        self._counted = np.zeros(problem.n_trees, np.int64)

    def breed(
        self, mothers: np.ndarray, fathers: np.ndarray, keys: np.ndarray, must_end: Callable[[], bool] | None = None
    ) -> np.ndarray:
        """Work out what every child will cost, then build it."""
        n, rules = len(keys), self.problem.rules
        if len(set(keys.tolist())) < n:
            raise ValueError("two children share a key; the law's standard error needs children that are drawn apart")
        of_law = (self._odds, self._law_scratch, self._expected[:n], self._variance[:n])
        expect(self._arena, mothers, fathers, rules, *of_law)
        count(self._arena, mothers, fathers, keys, rules, self._path, self._counted[:n])
        return super().breed(mothers, fathers, keys, must_end)

    def refresh(self, children: np.ndarray) -> np.ndarray:
        """Evaluate the children just bred, and compare child by child."""
        cost = super().refresh(children)
        n = len(children)
        seen = self.compared
        seen.children += n
        seen.rows += int(cost[ROWS])
        seen.rows_full += int(cost[ROWS_FULL])
        seen.expected += float(self._expected[:n].sum())
        seen.variance += float(self._variance[:n].sum())
        seen.miscounted += int((self._ledger[:n, ROWS] != self._counted[:n]).sum())
        return cost


def check_rules(problem: Problem) -> None:
    """Refuse rules of breeding under which the law would be another."""
    rules = problem.rules
    if rules.n_mutations > 1:
        raise ValueError(f"the law knows at most one mutation per child; breeding.mutations={rules.n_mutations}")
    for odds in (rules.inner_odds, rules.leaf_odds):
        shares = dict(zip(OPERATOR_NAMES, np.diff(odds, prepend=0.0), strict=True))
        unknown = [name for name, share in shares.items() if share > 0 and name not in KNOWN_OPERATORS]
        if unknown:
            raise ValueError(f"the law does not know the operator {unknown[0]!r}; expected {KNOWN_OPERATORS}")
