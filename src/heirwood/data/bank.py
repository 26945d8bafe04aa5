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

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import NamedTuple

import numpy as np

from heirwood.core.bits import n_words, pack, scatter_bins
from heirwood.data.exact import ExactCuts
from heirwood.data.schema import Column, Schema, Table
from heirwood.view import Question

AT_MOST, EQUALS, MISSING = 0, 1, 2  # kinds of tests
FREE = -1  # in their place: nothing is asked here now (data/room.py)
KIND_NAMES = ("<=", "=", "missing")
COUNTABLE = 2.0**52  # up to here floats tell every integer, and every half, apart
MOST_DECIMALS = 9  # of values that are halved as integers,
LARGEST_SUM = 1e15  # and of two of them: fifteen digits, and five times that is an integer that floats have
DECIMALS = Context(prec=40, traps=[])  # our own: programs may change the one that decimals share


class BankTooLargeError(MemoryError):
    """The bank would not fit its memory budget."""


class ColumnTests(NamedTuple):
    """The tests of one column before any bit is set."""

    kind: int
    values: np.ndarray  # cuts or level codes, ascending
    tickets: np.ndarray  # how many tickets each of them holds
    twins: bool  # whether missing values call for the twin tests and "is missing"

    @property
    def n_tests(self) -> int:
        """Number of tests, twins included."""
        return 2 * len(self.values) + 1 if self.twins else len(self.values)


@dataclass(frozen=True)
class TestBank:
    """All tests of a table and their bit rows.

    Attributes
    ----------
    schema : Schema
    bits : (n_tests + n, n_words) uint64
        Bit j of row t says whether row j passes test t; the padding is zero. The last n rows are free, for tests
        that join during a run (data/room.py).
    columns, kinds, values, missing_passes : (n_tests,), or (n_tests + n,) in a bank with places
        What each test asks: its column, AT_MOST / EQUALS / MISSING, its cut or level code, and
        whether a missing value passes.
    first : (n_attributes + 1,) int64
        Attribute a, one that has any test, owns tests first[a] .. first[a + 1] - 1.
    tickets : (first[-1],) int64
        Running number of tickets within the attribute: how tests are drawn. Tests from first[-1] on are never
        drawn (data/bank_more.py).
    n_rows : int
    exact : ExactCuts, optional
        In a bank with places: all cuts of the columns that have more midpoints than cuts.
    """

    __test__ = False  # pytest would collect it by its name

    schema: Schema
    bits: np.ndarray
    columns: np.ndarray
    kinds: np.ndarray
    values: np.ndarray
    missing_passes: np.ndarray
    first: np.ndarray
    tickets: np.ndarray
    n_rows: int
    exact: ExactCuts | None = None

    @property
    def n_tests(self) -> int:
        """Number of tests that are there to stay."""
        return len(self.columns) if self.exact is None else self.exact.n_fixed

    def question(self, test: int) -> Question:
        """Return a test as the question a reader understands."""
        column = self.schema.columns[self.columns[test]]
        kind = int(self.kinds[test])
        value = code = None
        if kind == AT_MOST:
            value = float(self.values[test])
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
    table: Table, *, cuts: str = "midpoints", max_cuts: int = 255, memory_budget: int = 4 * 2**30, room: int = 0
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

    Returns
    -------
    TestBank

    Raises
    ------
    BankTooLargeError
        Before anything is built, when the bit rows would not fit the budget.
    """
    paper = cuts == "integers"
    n_rows = len(table.values)
    plan = []
    for i, column in enumerate(table.schema.columns):
        values = table.values[:, i]
        if column.kind == "nominal":
            plan.append(_nominal_tests(column, values, paper))
        else:
            plan.append(_numeric_tests(values, paper, max_cuts))
    n_tests = sum(tests.n_tests for tests in plan)
    size = n_tests * n_words(n_rows) * 8
    if size > memory_budget:
        raise BankTooLargeError(
            f"the test bank would take {_in_words(size)} ({n_tests} tests of {len(plan)} columns x "
            f"{n_rows} rows, one bit each), but encoding.memory_budget allows {_in_words(memory_budget)}. "
            f"{_advice(plan, table.schema, paper, max_cuts)}, drop columns or rows, or raise encoding.memory_budget."
        )

    if n_rows:
        room = min(room, (memory_budget - size) // (n_words(n_rows) * 8))
    bits = np.zeros((n_tests + room, n_words(n_rows)), np.uint64)
    columns = np.repeat(np.arange(len(plan), dtype=np.int32), [tests.n_tests for tests in plan])
    kinds = np.zeros(n_tests, np.int8)
    cut_or_code = np.full(n_tests, np.nan)
    missing_passes = np.zeros(n_tests, bool)
    tickets = np.zeros(n_tests, np.int64)
    start = 0
    for i, tests in enumerate(plan):
        k = len(tests.values)
        here = slice(start, start + k)
        kinds[here], cut_or_code[here], tickets[here] = tests.kind, tests.values, tests.tickets
        _answer(tests, table.values[:, i], bits[here])
        if tests.twins:
            missing = pack(np.isnan(table.values[:, i]))
            twins = slice(start + k, start + 2 * k)
            kinds[twins], cut_or_code[twins], tickets[twins] = tests.kind, tests.values, tests.tickets
            bits[twins] = bits[here] | missing
            kinds[start + 2 * k], tickets[start + 2 * k] = MISSING, 1
            bits[start + 2 * k] = missing
            missing_passes[start + k : start + 2 * k + 1] = True
        tickets[start : start + tests.n_tests] = np.cumsum(tickets[start : start + tests.n_tests])
        start += tests.n_tests
    owners = [tests.n_tests for tests in plan if tests.n_tests]
    first = np.concatenate([[0], np.cumsum(owners)]).astype(np.int64)
    return TestBank(table.schema, bits, columns, kinds, cut_or_code, missing_passes, first, tickets, n_rows)


def _numeric_tests(values: np.ndarray, paper: bool, max_cuts: int) -> ColumnTests:
    present = values[~np.isnan(values)]
    distinct = np.unique(present)
    twins = not paper and 0 < len(present) < len(values)
    if paper:
        cuts, tickets = _integer_cuts(distinct)
    else:
        cuts = midpoints(distinct, max_cuts)
        tickets = np.ones(len(cuts), np.int64)
    return ColumnTests(AT_MOST, cuts, tickets, twins)


def midpoints(distinct: np.ndarray, max_cuts: int) -> np.ndarray:
    """Return cuts halfway between neighbouring values, at most `max_cuts`, at even quantiles of them.

    Halfway between the decimals that one would write for the values: 0.5195 between 0.519 and 0.52, where
    half the sum of the two floats is 0.5195000000000001. Every cut c between a and b has a <= c < b, also
    where rounding would say otherwise.
    """
    lower, upper = distinct[:-1], distinct[1:]
    if len(lower) > max_cuts:
        places = np.linspace(0, len(lower), max_cuts + 2)[1:-1]
        chosen = np.unique(places.astype(np.int64))
        lower, upper = lower[chosen], upper[chosen]
    middle = _halfway_between_integers(lower, upper)
    if middle is None:
        middle = np.array([_halfway(a, b) for a, b in zip(lower.tolist(), upper.tolist(), strict=True)], np.float64)
    return np.where((lower <= middle) & (middle < upper), middle, lower)


def _halfway_between_integers(lower: np.ndarray, upper: np.ndarray) -> np.ndarray | None:
    """Return the same for values with few decimals, all at once; None where some have more.

    As multiples of a power of ten values are integers, and so is ten times the middle. Of what is exact the quotient is
    rounded once, as `_halfway` does; and no two numbers of up to fifteen digits have the same nearest float.
    """
    for n_decimals in range(MOST_DECIMALS + 1):
        power = 10.0**n_decimals
        with np.errstate(over="ignore"):
            low, high = np.rint(lower * power), np.rint(upper * power)
            is_small = np.abs(low) + np.abs(high) < LARGEST_SUM
        is_exact = (low / power == lower) & (high / power == upper) & is_small
        if is_exact.all():
            middle: np.ndarray = 5.0 * (low + high) / (10.0 * power)
            return middle
    return None


def _halfway(lower: float, upper: float) -> float:
    return float(DECIMALS.divide(DECIMALS.add(Decimal(repr(lower)), Decimal(repr(upper))), Decimal(2)))


def _integer_cuts(distinct: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return one cut for each way that integers in [min, max] divide the rows, and their number.

    The cut in the middle of those that divide alike stands for them.
    """
    if len(distinct) == 0 or np.ceil(distinct[0]) > np.floor(distinct[-1]):
        return np.empty(0), np.empty(0, np.int64)
    # Cuts in [lowest, highest] divide as "<= distinct[k]": the integers from ceil(distinct[k])
    # up to the last one below distinct[k + 1].
    lowest = np.ceil(distinct)
    below = np.minimum(np.ceil(distinct[1:]) - 1, np.nextafter(distinct[1:], -np.inf))  # floats beyond 2**53 are coarse
    highest = np.append(below, np.floor(distinct[-1]))
    some = lowest <= highest
    lowest, highest = lowest[some], highest[some]
    middle = np.floor(lowest / 2 + highest / 2)  # the sum of two large values could overflow
    return np.clip(middle, lowest, highest), _count_integers(lowest, highest)


def _count_integers(lowest: np.ndarray, highest: np.ndarray) -> np.ndarray:
    """Return how many integers there are from each lowest to its highest; beyond 2**53 in all, their shares."""
    largest = max(abs(lowest[0]), abs(highest[-1]))
    if largest < COUNTABLE:
        return (highest - lowest + 1).astype(np.int64)
    widths = highest / largest - lowest / largest + 1 / largest
    return np.maximum(widths / widths.sum() * COUNTABLE, 1).astype(np.int64)


def _nominal_tests(column: Column, values: np.ndarray, paper: bool) -> ColumnTests:
    missing = np.isnan(values)
    counts = np.bincount(values[~missing].astype(np.int64), minlength=len(column.levels))
    codes = np.arange(len(column.levels))
    if not paper:
        codes = codes[(counts > 0) & (counts < len(values))]  # the others divide nothing
    elif not column.declared:
        codes = codes[counts > 0]  # the others were found in rows of weight zero
    twins = not paper and 0 < missing.sum() < len(values)
    return ColumnTests(EQUALS, codes.astype(np.float64), np.ones(len(codes), np.int64), twins)


def _answer(tests: ColumnTests, values: np.ndarray, bits: np.ndarray) -> None:
    """Set the bit rows of one column's tests; a missing value passes none of them."""
    if len(tests.values) == 0:
        return
    missing = np.isnan(values)
    bins = np.searchsorted(tests.values, values, side="left").astype(np.int32)
    if tests.kind == EQUALS:
        found = tests.values[np.minimum(bins, len(tests.values) - 1)] == values
        bins[~found] = len(tests.values)
    bins[missing] = len(tests.values)
    scatter_bins(bins, tests.kind == AT_MOST, bits)


def _advice(plan: Sequence[ColumnTests], schema: Schema, paper: bool, max_cuts: int) -> str:
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
