"""The test bank against brute force: every test asked of every raw value."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from heirwood.core.bitsets import n_words, pack, unpack
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.test_bank import BankTooLargeError, make_bank
from heirwood.data.test_plan import AT_MOST, EQUALS, MISSING
from tests.tables import mixed_table

NAN = np.nan
finite = st.floats(allow_nan=False, allow_infinity=False)


def numeric_table(*columns):
    schema = Schema(tuple(Column(f"x{i}", "numeric") for i in range(len(columns))))
    return Table(schema, np.asfortranarray(np.column_stack([np.asarray(c, np.float64) for c in columns])))


def nominal_table(codes, levels):
    schema = Schema((Column("colour", "nominal", tuple(levels)),))
    return Table(schema, np.asfortranarray(np.asarray(codes, np.float64)[:, None]))


def passes(kind, cut_or_code, missing_passes, value):
    """Answer one test for one raw value, in plain words."""
    if math.isnan(value):
        return bool(missing_passes)
    if kind == MISSING:
        return False
    return bool(value <= cut_or_code) if kind == AT_MOST else bool(value == cut_or_code)


def check_bits(bank, table):
    answered = unpack(bank.bits, bank.n_rows)
    for test in range(bank.n_tests):
        column = table.values[:, bank.columns[test]]
        about = bank.kinds[test], bank.values[test], bank.missing_passes[test]
        assert answered[test].tolist() == [passes(*about, value) for value in column.tolist()]


def check_padding(bank):
    everyone = pack(np.ones(bank.n_rows, bool))
    assert not (bank.bits & ~everyone).any()


def ways_to_divide(bank, test):
    return tuple(unpack(bank.bits[test], bank.n_rows).tolist())


@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 90, 513, 700])
@pytest.mark.parametrize("missing", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("cuts", ["midpoints", "integers"])
def test_every_bit_is_what_brute_force_says(n_rows, missing, cuts):
    table = mixed_table(n_rows, n_rows, missing)

    bank = make_bank(table, cuts=cuts)

    check_bits(bank, table)
    check_padding(bank)
    assert bank.bits.shape == (bank.n_tests, n_words(n_rows))


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 70), st.just(2)), elements=finite | st.just(NAN)),
    st.sampled_from(["midpoints", "integers"]),
    st.integers(1, 9),
)
def test_any_numeric_table_is_answered_as_brute_force_says(values, cuts, max_cuts):
    table = numeric_table(*values.T)

    bank = make_bank(table, cuts=cuts, max_cuts=max_cuts)

    check_bits(bank, table)
    check_padding(bank)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, NAN]), min_size=1, max_size=70), st.sampled_from([3, 5]))
def test_any_nominal_column_is_answered_as_brute_force_says(codes, n_levels):
    table = nominal_table(codes, [f"level {i}" for i in range(n_levels)])

    bank = make_bank(table)

    check_bits(bank, table)
    check_padding(bank)


def test_attributes_own_the_tests_of_their_column():
    bank = make_bank(mixed_table(0))

    owners = [set(bank.columns[start:stop].tolist()) for start, stop in zip(bank.first, bank.first[1:], strict=False)]

    assert owners == [{0}, {1}, {2}, {3}]  # the constant column has no test, so it is no attribute
    assert bank.first[-1] == bank.n_tests


def test_no_two_tests_of_a_complete_column_divide_the_rows_alike():
    bank = make_bank(mixed_table(1, missing=0.0))

    for start, stop in zip(bank.first[:2], bank.first[1:3], strict=True):
        divisions = [ways_to_divide(bank, test) for test in range(start, stop)]
        assert len(set(divisions)) == len(divisions)
        assert all(0 < sum(division) < bank.n_rows for division in divisions)


# ---- missing values ----


def test_a_column_with_missing_values_gets_twins_and_a_test_for_missing():
    bank = make_bank(numeric_table([1.0, 2.0, NAN, 4.0]))

    asked = [(str(bank.question(test)), unpack(bank.bits[test], 4).tolist()) for test in range(bank.n_tests)]

    assert asked == [
        ("x0 <= 1.5", [True, False, False, False]),
        ("x0 <= 3", [True, True, False, False]),
        ("x0 <= 1.5 or missing", [True, False, True, False]),
        ("x0 <= 3 or missing", [True, True, True, False]),
        ("x0 is missing", [False, False, True, False]),
    ]
    assert bank.tickets.tolist() == [1, 2, 3, 4, 5]


def test_a_nominal_column_gets_them_too():
    bank = make_bank(nominal_table([0, 1, NAN, 0], ["red", "blue"]))

    asked = [(str(bank.question(test)), unpack(bank.bits[test], 4).tolist()) for test in range(bank.n_tests)]

    assert asked == [
        ("colour = red", [True, False, False, True]),
        ("colour = blue", [False, True, False, False]),
        ("colour = red or missing", [True, False, True, True]),
        ("colour = blue or missing", [False, True, True, False]),
        ("colour is missing", [False, False, True, False]),
    ]


def test_a_constant_column_with_missing_values_asks_only_whether_they_are():
    numeric = make_bank(numeric_table([7.0, NAN, 7.0]))

    assert [str(numeric.question(test)) for test in range(numeric.n_tests)] == ["x0 is missing"]


@pytest.mark.parametrize("values", [[NAN, NAN], [3.0, 3.0], [3.0]])
def test_a_column_of_one_value_or_none_has_no_test(values):
    bank = make_bank(numeric_table(values))

    assert bank.n_tests == 0
    assert bank.first.tolist() == [0]


@pytest.mark.parametrize("cuts", ["midpoints", "integers"])
def test_a_nominal_column_with_no_levels_has_no_test(cuts):
    bank = make_bank(nominal_table([NAN, NAN], []), cuts=cuts)

    assert bank.n_tests == 0


def test_levels_that_divide_nothing_are_left_out():
    bank = make_bank(nominal_table([0, 0, 2, 0], ["a", "never", "b"]))

    assert [bank.question(test).value for test in range(bank.n_tests)] == ["a", "b"]


def test_the_papers_mode_has_no_level_that_was_found_only_in_rows_of_weight_zero():
    schema = Schema((Column("colour", "nominal", ("a", "b", "c"), declared=False),))
    table = Table(schema, np.asfortranarray([[0.0], [2.0], [NAN]]))

    bank = make_bank(table, cuts="integers")

    assert [str(bank.question(test)) for test in range(bank.n_tests)] == ["colour = a", "colour = c"]
    check_bits(bank, table)


def test_the_papers_mode_has_every_declared_level_and_no_test_for_missing():
    bank = make_bank(nominal_table([0, NAN, 2, 0], ["a", "never", "b"]), cuts="integers")

    assert [str(bank.question(test)) for test in range(bank.n_tests)] == ["colour = a", "colour = never", "colour = b"]
    assert not bank.missing_passes.any()
    assert set(bank.kinds.tolist()) == {EQUALS}


# ---- the budget ----


def test_a_bank_beyond_its_budget_is_refused_before_it_is_built(monkeypatch):
    table = numeric_table(np.arange(100_000.0))
    monkeypatch.setattr("heirwood.data.test_bank.answer_tests", None)

    with pytest.raises(BankTooLargeError) as error:
        make_bank(table, memory_budget=1_000_000)

    size = 255 * n_words(100_000) * 8
    assert f"would take {size / 2**20:.1f} MiB" in str(error.value)
    assert "255 tests" in str(error.value)
    assert "encoding.memory_budget allows 976.6 KiB" in str(error.value)
    assert "encoding.max_cuts (now 255)" in str(error.value)


def too_large(table, **settings):
    with pytest.raises(BankTooLargeError) as error:
        make_bank(table, memory_budget=100, **settings)
    return str(error.value).partition("100 bytes. ")[2]


def test_a_bank_of_midpoints_that_is_too_large_names_max_cuts():
    told = too_large(numeric_table(np.arange(100.0)), max_cuts=40)

    assert told == (
        "Most are cuts. Lower encoding.max_cuts (now 40), drop columns or rows, or raise encoding.memory_budget."
    )


def test_a_bank_of_integer_cuts_that_is_too_large_names_midpoints():
    told = too_large(numeric_table(np.arange(100.0)), cuts="integers")

    assert told == (
        'Most are integer cuts, which encoding.max_cuts does not limit. Use encoding.cuts="midpoints" with it, drop '
        "columns or rows, or raise encoding.memory_budget."
    )


@pytest.mark.parametrize("cuts", ["midpoints", "integers"])
def test_a_bank_of_levels_that_is_too_large_names_the_column_with_most_of_them(cuts):
    columns = (
        Column("size", "numeric"),
        Column("sex", "nominal", ("f", "m")),
        Column("town", "nominal", tuple(f"t{i}" for i in range(90))),
    )
    rows = np.arange(90)
    table = Table(Schema(columns), np.asfortranarray(np.column_stack([rows % 50, rows % 2, rows]).astype(float)))

    told = too_large(table, cuts=cuts)

    assert told == (
        "Most are tests of levels. Group the 90 levels of column 'town' or drop it, drop columns or rows, or raise "
        "encoding.memory_budget."
    )


def test_the_budget_is_honoured_to_the_byte():
    table = numeric_table(np.arange(100.0))
    size = 99 * 2 * 8

    bank = make_bank(table, memory_budget=size)

    assert bank.bits.nbytes == size
    with pytest.raises(BankTooLargeError):
        make_bank(table, memory_budget=size - 1)
