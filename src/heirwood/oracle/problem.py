"""What the oracle knows of a table, in plain Python: raw values, tests as questions, limits, rates."""

import math
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Test:
    """A question about one attribute."""

    __test__ = False  # pytest would collect it by its name

    column: int
    kind: str  # "<=", "=" or "missing"
    value: float  # the cut, or the code of the level
    missing_passes: bool

    def passes(self, row: list[float]) -> bool:
        """Answer the question for one row of raw values."""
        value = row[self.column]
        if math.isnan(value):
            return self.missing_passes
        if self.kind == "<=":
            return value <= self.value
        if self.kind == "=":
            return value == self.value
        return False


@dataclass
class CutSlots:
    """Where exact cuts are written down while a generation is bred."""

    columns: frozenset[int] = frozenset()  # those whose cuts may move to any midpoint
    lent: int | None = None  # the number of a test that the child at hand may write
    fresh: set[int] = field(default_factory=set)  # written in this generation: of no other child's concern


@dataclass(frozen=True)
class Problem:
    """A table, its target, and the rules of breeding."""

    table: list[list[float]]
    classes: list[int]  # the class of every row
    weights: list[int]
    n_classes: int
    tests: list[Test]
    attributes: list[list[tuple[int, int]]]  # the (test, tickets) of each attribute
    majority: bool = False  # leaves take the heaviest class, or the cheapest; False: labels stay as bred
    costs: list[list[int]] | None = None  # [true class][label]; None: every mistake costs its weight
    loss: str | None = None  # what hits are measured by, if not by what is right: "log_loss" or "brier"
    scale_of_loss: float = 1.0  # steps to a bit of it
    most_loss: int = 1  # steps that a unit of weight can have
    max_leaf_nodes: int = 64
    max_depth: int = 63
    min_rows: int = 1
    crossover_rate: float = 1.0
    mutation_rate: float = 0.5
    n_mutations: int = 1
    inner_odds: list[float] = field(default_factory=lambda: [0.5] + 12 * [1.0])
    leaf_odds: list[float] = field(default_factory=lambda: [0.0, 0.0] + 11 * [1.0])
    prune_root: bool = False
    n_drawn: int = 8  # tests that an informed operator draws, to take the best of
    n_answers: int = 2**16  # rows times attributes that an exhaustive one may look at
    price: float = 0.0  # weight that one more leaf must get right to pay
    graft_rate: float = 0.0  # share of crossovers that take the best of some drawn grafts
    room: CutSlots = field(default_factory=CutSlots)
    n_words: int = 1  # words of a bit row, and those a leaf of each label costs: for the third
    leaf_words: list[int] = field(default_factory=list)  # column of the ledger, core's own cost;
    stump_words: int | None = None  # and what two sister leaves cost where they share one sweep
    asked: dict[Test, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)  # and its answers

    @cached_property
    def everyone(self) -> tuple[int, ...]:
        """All rows."""
        return tuple(range(len(self.table)))

    def answers(self, question: Test) -> bytes:
        """Return what every row answers, 1 where it passes; the table is asked once."""
        known = self.asked.get(question)
        if known is None:
            known = self.asked[question] = bytes(question.passes(row) for row in self.table)
        return known
