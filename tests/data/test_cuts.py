"""Where a numeric column is cut: midpoints between neighbours, quantiles of them, and the paper's integers."""

import decimal
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.core.binning import LOWER, N_CUTS, N_MISSING, N_VALUES, UPPER, choose_cuts
from heirwood.data import cuts as cutting
from heirwood.data.cuts import between
from heirwood.data.test_bank import make_bank
from tests.data.test_test_bank import NAN, check_bits, finite, numeric_table, ways_to_divide


def midpoints(distinct, max_cuts):
    """Return cuts halfway between neighbouring values, at most `max_cuts`, at even quantiles of them: the slow way."""
    lower, upper = distinct[:-1], distinct[1:]
    if len(lower) > max_cuts:
        chosen = np.unique(np.linspace(0, len(lower), max_cuts + 2)[1:-1].astype(np.int64))
        lower, upper = lower[chosen], upper[chosen]
    return between(lower, upper)


def chosen_cuts(values, max_cuts):
    """Return the cuts that the kernel chooses for a column, and what it found."""
    ordered = np.sort(np.asarray(values, np.float64))[None]
    cuts = np.full((1, 2, min(max_cuts, max(ordered.size - 1, 0))), np.nan)
    found = np.zeros((1, 3), np.int64)
    choose_cuts(ordered, max_cuts, cuts, found)
    n_cuts = found[0, N_CUTS]
    return between(cuts[0, LOWER, :n_cuts], cuts[0, UPPER, :n_cuts]), found[0]


@given(st.lists(st.sampled_from([0.0, 1.5, 2.0, 7.0]) | finite | st.just(NAN), max_size=40), st.integers(1, 45))
def test_the_kernel_chooses_what_the_slow_way_does(values, max_cuts):
    values = np.array(values, np.float64)
    distinct = np.unique(values[~np.isnan(values)])

    cuts, found = chosen_cuts(values, max_cuts)

    assert cuts.tolist() == midpoints(distinct, max_cuts).tolist()
    assert found[N_VALUES] == len(distinct)
    assert found[N_MISSING] == np.isnan(values).sum()


@pytest.mark.parametrize("max_cuts", [1, 2, 7, 31, 254, 255, 256, 2**63 - 1])
@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 300, 5000])
def test_the_kernel_takes_the_same_quantiles(n, max_cuts):
    values = np.random.default_rng(n).normal(size=n).round(2)

    cuts, _ = chosen_cuts(values, max_cuts)

    assert cuts.tolist() == midpoints(np.unique(values), max_cuts).tolist()


def check_between(cuts, distinct):
    """Check that every cut c has a <= c < b for neighbours a and b, and no two share theirs."""
    places = np.searchsorted(distinct, cuts, side="right") - 1
    assert (distinct[places] <= cuts).all()
    assert (cuts < distinct[places + 1]).all()
    assert len(np.unique(places)) == len(cuts)
    return places


@pytest.mark.parametrize(
    "values",
    [
        [1.0, np.nextafter(1.0, 2.0)],
        [np.nextafter(0.0, -1.0), 0.0, np.nextafter(0.0, 1.0)],
        [-1.7e308, 1.7e308],
        [1.7e308, np.nextafter(1.7e308, np.inf)],
        [2.0**53, 2.0**53 + 2, 2.0**53 + 4],
        [5e-324, 1e-323, 1.5e-323],
        [-0.0, 1.0],
    ],
)
def test_a_cut_lies_between_its_neighbours_even_where_floats_are_dense_or_huge(values):
    distinct = np.array(values)

    cuts = midpoints(distinct, 255)

    assert len(cuts) == len(values) - 1
    assert np.isfinite(cuts).all()
    check_between(cuts, distinct)


@given(st.lists(finite, min_size=2, max_size=60, unique=True), st.integers(1, 70))
def test_cuts_are_between_neighbours_and_as_many_as_asked_for(values, max_cuts):
    distinct = np.unique(np.array(values))

    cuts = midpoints(distinct, max_cuts)

    assert len(cuts) == min(max_cuts, len(distinct) - 1)
    if len(cuts):
        check_between(cuts, distinct)


@given(
    st.integers(0, 12),
    st.lists(st.integers(-(10**15), 10**15), min_size=2, max_size=20, unique=True),
    st.integers(0, 14),
)
def test_all_at_once_midpoints_are_what_they_are_one_by_one(n_decimals, numbers, smaller):
    distinct = np.unique([float(f"{number // 10**smaller}e-{n_decimals}") for number in numbers])
    lower, upper = distinct[:-1], distinct[1:]
    one_by_one = [cutting._halfway(a, b) for a, b in zip(lower.tolist(), upper.tolist(), strict=True)]

    at_once = cutting._halfway_between_integers(lower, upper)

    assert at_once is None or at_once.tolist() == one_by_one


def test_few_decimals_are_halved_all_at_once():
    lower = np.array([0.519, 1.25, 17.0, -3.0])
    assert cutting._halfway_between_integers(lower, lower + 0.001).tolist() == [0.5195, 1.2505, 17.0005, -2.9995]
    assert cutting._halfway_between_integers(np.array([1 / 3]), np.array([0.5])) is None
    assert cutting._halfway_between_integers(np.array([1e300]), np.array([1e301])) is None


def test_midpoints_are_halfway():
    assert midpoints(np.array([1.0, 2.0, 5.0]), 255).tolist() == [1.5, 3.5]


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (0.519, 0.52, "0.5195"),
        (0.1, 0.2, "0.15"),
        (-0.3, 0.1, "-0.1"),
        (1.1, 2.2, "1.65"),
        (1.0, 2.0, "1.5"),
        (1e-7, 3e-7, "2e-07"),
        (100.35, 100.4, "100.375"),
        (0.1 + 0.2, 0.4, "0.35000000000000003"),  # 0.30000000000000004 is what the table says
        (1e22, 3e22, "2e+22"),
    ],
)
def test_a_cut_reads_as_halfway_between_what_its_neighbours_read_as(lower, upper, words):
    cut = midpoints(np.array([lower, upper]), 255).item()

    assert repr(cut) == words


@given(st.lists(st.integers(-9999, 9999), min_size=2, max_size=20, unique=True), st.integers(0, 6))
def test_cuts_between_decimals_have_one_more_decimal_at_most(values, places):
    distinct = np.array([float(f"{value}e-{places}") for value in sorted(values)])

    cuts = midpoints(distinct, 255)

    expected = [float(f"{5 * (a + b)}e-{places + 1}") for a, b in pairwise(sorted(values))]
    assert cuts.tolist() == expected


def test_cuts_do_not_depend_on_the_decimal_context_of_the_program():
    with decimal.localcontext(prec=2, traps=[decimal.Inexact]):
        cuts = midpoints(np.array([0.519, 0.52]), 255)

    assert cuts.tolist() == [0.5195]


@pytest.mark.parametrize(("n_distinct", "max_cuts"), [(101, 4), (1000, 255), (257, 255), (258, 256), (3000, 7)])
def test_quantile_cuts_share_out_the_distinct_values_evenly(n_distinct, max_cuts):
    distinct = np.sort(np.random.default_rng(0).normal(size=n_distinct))

    places = check_between(midpoints(distinct, max_cuts), distinct)

    assert len(places) == max_cuts
    shares = np.diff(np.concatenate([[-1], places, [n_distinct - 1]]))
    assert shares.max() - shares.min() <= 1


def test_quantiles_are_of_distinct_values_so_repetition_moves_no_cut():
    once = np.arange(50.0)
    often = np.concatenate([once, np.repeat(3.0, 500)])

    few, many = (make_bank(numeric_table(values), max_cuts=5) for values in (once, often))

    assert [few.cut(test) for test in range(5)] == [many.cut(test) for test in range(5)]


# ---- the paper's integer cuts ----


def single_tickets(bank, attribute=0):
    start, stop = bank.first[attribute], bank.first[attribute + 1]
    return np.diff(bank.tickets[start:stop], prepend=0)


def drawn(bank, ticket):
    """Return the test that holds a ticket of the first attribute."""
    return int(np.searchsorted(bank.tickets[: bank.first[1]], ticket, side="right"))


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 2.0, 3.0],
        [20.0, 27.0, 35.0, 35.0],
        [0.5, 2.5, 2.75, 9.25],
        [-7.5, -2.0, 3.0, NAN],
        [4.0],
        [4.0, NAN],
    ],
)
def test_every_integer_cut_has_a_ticket_of_the_test_that_divides_as_it_does(values):
    table = numeric_table(values)
    present = table.values[~np.isnan(table.values[:, 0]), 0]
    integers = range(math.ceil(present.min()), math.floor(present.max()) + 1)

    bank = make_bank(table, cuts="integers")

    assert bank.tickets[-1] == len(integers)
    for ticket, integer in enumerate(integers):
        division = [value <= integer for value in table.values[:, 0].tolist()]
        assert list(ways_to_divide(bank, drawn(bank, ticket))) == division


@given(st.lists(st.floats(-40, 40) | st.integers(-40, 40).map(float) | st.just(NAN), min_size=1, max_size=30))
def test_any_column_has_a_ticket_for_every_integer_in_its_range(values):
    table = numeric_table(values)
    present = [value for value in values if not math.isnan(value)]
    integers = range(math.ceil(min(present)), math.floor(max(present)) + 1) if present else range(0)

    bank = make_bank(table, cuts="integers")

    assert sum(single_tickets(bank).tolist() if bank.n_tests else [0]) == len(integers)
    for ticket, integer in enumerate(integers):
        division = [value <= integer for value in values]
        assert list(ways_to_divide(bank, drawn(bank, ticket))) == division


def test_integer_cuts_are_integers_and_divide_in_different_ways():
    bank = make_bank(numeric_table([0.5, 2.5, 2.75, 9.25]), cuts="integers")

    assert [bank.cut(test) for test in range(bank.n_tests)] == [1.0, 6.0]  # <= 1, 2 divide alike, and so do 3 to 9
    assert single_tickets(bank).tolist() == [2, 7]


def test_a_range_without_an_integer_has_no_cut():
    assert make_bank(numeric_table([0.25, 0.5, 0.75]), cuts="integers").n_tests == 0


@pytest.mark.parametrize(
    "values",
    [
        [0.0, 1e300],
        [-1.7e308, 0.0, 1.7e308],
        [2.0**53 + 2, 2.0**53 + 4, 2.0**53 + 6],
        [0.0, 2.0**62, 2.0**63],
    ],
)
def test_integer_cuts_of_huge_ranges_still_divide_in_order(values):
    table = numeric_table(values)

    bank = make_bank(table, cuts="integers")

    check_bits(bank, table)
    assert [sum(ways_to_divide(bank, test)) for test in range(bank.n_tests)] == list(range(1, len(values) + 1))
    assert (single_tickets(bank) > 0).all()
    assert bank.tickets[-1] < 2**63
