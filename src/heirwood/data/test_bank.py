"""The test bank: every question a tree may ask, answered once for all rows, one bit per row.

    tests of one column, in this order                          a missing value
    numeric   a <= cut, for every cut                           fails (goes right)
    nominal   a = level, for every level                        fails
    and, where the column has missing values:
              the same tests "or missing"                       passes
              a is missing                                      passes

The paper's mode (`cuts="integers"`) has none of the missing-value tests, and a test for every declared
level. It draws an integer cut from [min, max]; cuts that divide the rows alike are one test, which
holds a ticket for each.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from heirwood.core.bitsets import n_words
from heirwood.data.cuts import between_two
from heirwood.data.exact_cuts import ExactCuts
from heirwood.data.lazy_memory import LazyRows
from heirwood.data.schema import Schema, Table
from heirwood.data.test_bits import answer_tests
from heirwood.data.test_plan import AT_MOST, EQUALS, ColumnTests, plan_tests
from heirwood.data.test_scope import TestScope, find_scope
from heirwood.tree_view import Question

FREE = -1  # in their place: nothing is asked here now (data/cut_slots.py)
KIND_NAMES = ("<=", "=", "missing")


class BankTooLargeError(MemoryError):
    """The bank would not fit its memory budget."""


@dataclass(frozen=True)
class TestBank:
    """All tests of a table and their bit rows.

    Attributes
    ----------
    schema : Schema
    bits : (n_tests + n, n_words) uint64
        Bit j of row t says whether row j passes test t; the padding is zero. The last n rows are free, for tests
        that join during a run (data/cut_slots.py).
    columns, kinds, values, uppers, missing_passes : (n_tests,), or (n_tests + n,) in a bank with places
        What each test asks: its column; AT_MOST / EQUALS / MISSING; the highest value that passes a cut and the lowest
        one that fails it (`cut` says what is shown), or, both, the code of a level; and whether a missing value passes.
    first : (n_attributes + 1,) int64
        Attribute a, one that has any test, owns tests first[a] .. first[a + 1] - 1.
    tickets : (first[-1],) int64
        Running number of tickets within the attribute: how tests are drawn. Tests from first[-1] on are never
        drawn (data/extra_tests.py).
    n_rows : int
    n_values : (n_columns,) int64
        Distinct values of every numeric column, as far as they were looked at; zero for others.
    bins : (n_binned, n_rows) uint16, optional
        The bin of every row in each attribute that `is_binned`, in their order: the first of its plain tests (those
        that a missing value fails) that the row passes, k of k where it passes none, k + 1 where it has no value.
    scope : TestScope, optional
        Which tests were made, where there was no time for all.
    exact : ExactCuts, optional
        In a bank with places: all cuts of the columns that have more midpoints than cuts.
    """

    __test__ = False  # pytest would collect it by its name

    schema: Schema
    bits: np.ndarray
    columns: np.ndarray
    kinds: np.ndarray
    values: np.ndarray
    uppers: np.ndarray
    missing_passes: np.ndarray
    first: np.ndarray
    tickets: np.ndarray
    n_rows: int
    n_values: np.ndarray
    bins: np.ndarray | None = None
    scope: TestScope | None = None
    exact: ExactCuts | None = None

    @property
    def n_tests(self) -> int:
        """Number of tests that are there to stay."""
        return len(self.columns) if self.exact is None else self.exact.n_fixed

    def cut(self, test: int) -> float:
        """Return the cut of a numeric test as a reader sees it: halfway between its neighbours."""
        return between_two(float(self.values[test]), float(self.uppers[test]))

    def question(self, test: int) -> Question:
        """Return a test as the question a reader understands."""
        column = self.schema.columns[self.columns[test]]
        kind = int(self.kinds[test])
        value = code = None
        if kind == AT_MOST:
            value = self.cut(test)
        elif kind == EQUALS:
            code = int(self.values[test])
            value = column.levels[code]
        return Question(
            column=int(self.columns[test]),
            attribute=column.name,
            kind=KIND_NAMES[kind],
            value=value,
            code=-1 if code is None else code,
            missing_passes=bool(self.missing_passes[test]),
        )


def make_bank(
    table: Table,
    *,
    cuts: str = "midpoints",
    max_cuts: int = 255,
    memory_budget: int = 4 * 2**30,
    room: int = 0,
    binned: bool = False,
    left: Callable[[], float] | None = None,
    must_end: Callable[[], bool] = lambda: False,
    scope: TestScope | None = None,
) -> TestBank:
    """Answer every test of a table.

    Parameters
    ----------
    table : Table
        The rows; those of weight zero are already left out.
    cuts : {"midpoints", "integers"}
        "midpoints": numeric cuts halfway between neighbouring values. "integers": the paper's mode.
    max_cuts : int
        With more midpoints than this in a column, this many are taken at even quantiles of its
        distinct values.
    memory_budget : int
        Bytes the bit rows may take.
    room : int
        Bit rows to leave free for tests that join later; fewer where the budget has no room for them.
    binned : bool
        Whether the bins of columns with many tests are kept, for operators that look at rows.
    left : callable, optional
        Returns the seconds that are left for this; where they are too few for all tests, fewer are made.
    must_end : callable
        Says whether nobody waits for a bank any more.
    scope : TestScope, optional
        Which tests to make, where that is decided.

    Returns
    -------
    TestBank

    Raises
    ------
    BankTooLargeError
        Before anything is built, when the bit rows would not fit the budget.
    StoppedError
        When it must end.
    """
    paper = cuts == "integers"
    build = partial(answer_plan, memory_budget=memory_budget, room=room, binned=binned, paper=paper)
    if scope is not None:
        scope = scope.of_rows(len(table))
    elif left is None:
        scope = TestScope(max_cuts, max_cuts)
    else:
        scope = find_scope(table, paper, max_cuts, left, partial(build, scope=TestScope(max_cuts, max_cuts)))
    plan = plan_tests(table, paper, scope.max_cuts, scope.sample, scope.columns, must_end)
    return build(plan, table, scope=scope, left=left, must_end=must_end)


def answer_plan(
    plan: list[ColumnTests],
    table: Table,
    *,
    memory_budget: int,
    room: int,
    binned: bool,
    scope: TestScope,
    paper: bool = False,
    left: Callable[[], float] | None = None,
    must_end: Callable[[], bool] = lambda: False,
) -> TestBank:
    """Return the bank of some tests of a table; parameters as for `make_bank`."""
    n_rows = len(table)
    n_tests = sum(tests.n_tests for tests in plan)
    size = n_tests * n_words(n_rows) * 8
    if size > memory_budget:
        raise BankTooLargeError(
            f"the test bank would take {_in_words(size)} ({n_tests} tests of {len(plan)} columns x "
            f"{n_rows} rows, one bit each), but encoding.memory_budget allows {_in_words(memory_budget)}. "
            f"{_advice(plan, table.schema, paper, scope.max_cuts)}, drop columns or rows, or raise "
            "encoding.memory_budget."
        )
    if n_rows:
        room = min(room, (memory_budget - size) // (n_words(n_rows) * 8))
    bits = LazyRows((n_tests + room, n_words(n_rows)), np.uint64).array
    bins, answered = answer_tests(plan, table, bits, binned, left, must_end)
    n_thin = sum(tests.n_tests < planned.n_tests for tests, planned in zip(answered, plan, strict=False))
    if n_thin or len(answered) < len(plan):  # it took longer than it should
        scope = replace(scope, n_thin=n_thin)
        if len(answered) < len(plan):
            scope = scope.within(len(answered))
        plan = [*answered, *(tests.without() for tests in plan[len(answered) :])]
        bits = bits[: sum(tests.n_tests for tests in plan) + room]
    asked = [tests for tests in plan if tests.n_tests]
    owners = np.array([place for place, tests in enumerate(plan) if tests.n_tests], np.int32)
    lengths = np.array([tests.n_tests for tests in asked], np.int64)
    return TestBank(
        schema=table.schema,
        bits=bits,
        columns=np.repeat(owners, lengths),
        kinds=_joined([tests.kinds() for tests in asked], np.int8),
        values=_joined([tests.twice(tests.values) for tests in asked], np.float64),
        uppers=_joined([tests.twice(tests.uppers) for tests in asked], np.float64),
        missing_passes=_joined([tests.passes() for tests in asked], bool),
        first=np.concatenate([[0], np.cumsum(lengths)]),
        tickets=_joined([tests.running_tickets() for tests in asked], np.int64),
        n_rows=n_rows,
        n_values=np.array([tests.n_values for tests in plan], np.int64),
        bins=bins,
        scope=None if scope.is_all else scope,
    )


def _joined(parts: list[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *parts]).astype(dtype, copy=False)


def _advice(plan: list[ColumnTests], schema: Schema, paper: bool, max_cuts: int) -> str:
    """Say how to have fewer of the tests that are most of the bank."""
    n_cuts = sum(tests.n_tests for tests in plan if tests.kind == AT_MOST)
    n_levels = sum(tests.n_tests for tests in plan if tests.kind == EQUALS)
    if n_levels > n_cuts:
        widest = max((i for i, tests in enumerate(plan) if tests.kind == EQUALS), key=lambda i: plan[i].n_tests)
        name, n = schema.columns[widest].name, len(plan[widest].values)
        return f"Most are tests of levels. Group the {n} levels of column {name!r} or drop it"
    if paper:
        return 'Most are integer cuts, which encoding.max_cuts does not limit. Use encoding.cuts="midpoints" with it'
    return f"Most are cuts. Lower encoding.max_cuts (now {max_cuts})"


def _in_words(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.1f} {unit}" if unit != "bytes" else f"{size} bytes"
        size /= 1024
    return f"{size:.1f} GiB"
