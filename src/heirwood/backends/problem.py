"""What a backend is given: the rows, the target, and the rules of breeding."""

from dataclasses import dataclass, field, replace

import numpy as np

from heirwood.backends.depth2_cost import answers_for_a_pair
from heirwood.core.mutation import ANY, INNER, LEAF, N_BLIND, OPERATORS, WHERE
from heirwood.core.rules import Rules
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import TestBank
from heirwood.data.test_subset import take_tests

BLOCK_WORDS = 4096  # 32 KiB of a bit row: a few of them fit the second cache level
OPERATOR_NAMES = tuple(operator.__name__ for operator in OPERATORS)

# Where pairs can be searched for (`can_pair`):
MOST_CLASSES = 32  # each has cells of its own, and each two are compared
MOST_WEIGHT = 2**30  # counts are narrow
MOST_BINS = 2**22  # rows times lanes: four bytes each,
MOST_CELLS = 2**23  # tests times classes: twelve
MOST_ANSWERS = 2**26  # that one search may take as long as: a fifth of a second, within which nobody can stop it
MOST_LANE_BINS = 2**16 - 8  # of one attribute: their numbers are narrow


@dataclass(frozen=True)
class Problem:
    """Rows, target and rules; the same for every backend.

    Attributes
    ----------
    bank : TestBank
    values : (n_rows, n_columns) float64 or None
        The raw table, which only the slow backend reads.
    target : ClassTarget
    rules : Rules
    majority : bool
        Leaves take the heaviest class; False: labels are carried in the genes.
    inherit : bool
    n_trees : int
        The most trees that are alive at once: population, children and hall.
    n_threads : int
    block_words : int
        Words of a bit row that are swept at once.
    stop : (1,) int64
        Set to one, from another thread, once nobody waits any more: what is computed after that is of no use.
    """

    bank: TestBank
    target: ClassTarget
    rules: Rules
    majority: bool
    inherit: bool
    n_trees: int
    values: np.ndarray | None = None
    n_threads: int = 1
    block_words: int = BLOCK_WORDS
    stop: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))

    @property
    def is_stopped(self) -> bool:
        """Whether nobody waits for what is being computed."""
        return bool(self.stop[0])


def narrowed(problem: Problem, tests: np.ndarray) -> Problem:
    """Return the problem of who looks at some tests of the bank alone, and breeds nothing."""
    bank = take_tests(problem.bank, tests)
    rules = problem.rules._replace(first=bank.first, tickets=bank.tickets)
    return replace(problem, bank=bank, rules=rules, n_trees=1, n_threads=1)


def operator_odds(weights: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the running shares of operators at inner nodes and at leaves."""
    odds = []
    for here in (INNER, LEAF):
        applies = [where in (here, ANY) for where in WHERE]
        shares = np.array([weights.get(name, 0.0) for name in OPERATOR_NAMES], np.float64) * applies
        total = shares.sum()
        odds.append(np.cumsum(shares) / total if total > 0 else shares)
    return odds[0], odds[1]


def is_informed(rules: Rules) -> bool:
    """Say whether any operator of a run looks at rows."""
    if rules.crossover_rate > 0 and rules.graft_rate > 0:
        return True
    shares = np.diff(rules.inner_odds, prepend=0) + np.diff(rules.leaf_odds, prepend=0)
    return rules.n_mutations > 0 and bool(shares[N_BLIND:].any())


def can_pair(problem: Problem) -> bool:
    """Say whether pairs can be searched for.

    Operators look at rows, leaves take the heaviest class and may have any number of rows, classes are few, and the
    table is not so wide that one search takes long.
    """
    target, bank = problem.target, problem.bank
    n_bins = np.minimum(np.diff(bank.first), bank.n_rows) + 1
    return bool(
        problem.majority
        and is_informed(problem.rules)
        and target.costs is None
        and target.loss is None
        and problem.rules.min_rows <= 1
        and 2 <= target.n_classes <= MOST_CLASSES
        and target.total < MOST_WEIGHT
        and 0 < 2 * len(n_bins) * bank.n_rows <= MOST_BINS
        and n_bins.max() <= MOST_LANE_BINS
        and n_bins.sum() * target.n_classes <= MOST_CELLS
        and answers_for_a_pair(bank.n_rows, bank.first, target.n_classes) <= MOST_ANSWERS
    )
