"""More tests follow those of the bank, and what is drawn stays as it was."""

import numpy as np
import pytest

from heirwood.core.bitsets import pack
from heirwood.data.extra_tests import find_tests, more_tests
from heirwood.data.test_bank import make_bank
from heirwood.data.test_plan import AT_MOST, EQUALS, MISSING
from tests.data.test_test_bank import check_bits, check_padding
from tests.tables import mixed_table

TABLE = mixed_table(3)
BANK = make_bank(TABLE, max_cuts=4)
NEW = ([1, 0, 2, 4], [AT_MOST, AT_MOST, EQUALS, MISSING], [25.125, -0.33, 3.0, np.nan], [True, False, False, True])
SHOWN = [BANK.cut(test) if kind == AT_MOST else BANK.values[test] for test, kind in enumerate(BANK.kinds)]
OLD = (BANK.columns, BANK.kinds, np.array(SHOWN), BANK.missing_passes)


def test_every_row_answers_the_questions_that_joined():
    bank = more_tests(BANK, TABLE, *NEW)

    assert bank.n_tests == BANK.n_tests + 4
    check_bits(bank, TABLE)
    check_padding(bank)


def test_the_drawn_tests_stay_what_they_were():
    bank = more_tests(BANK, TABLE, *NEW)

    assert bank.first is BANK.first
    assert bank.tickets is BANK.tickets
    assert len(bank.tickets) == bank.first[-1] == BANK.n_tests
    kept = (BANK.columns, BANK.kinds, BANK.values, BANK.missing_passes, BANK.bits)
    for mine, theirs in zip((bank.columns, bank.kinds, bank.values, bank.missing_passes, bank.bits),
                            kept, strict=True):  # fmt: skip
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine[: BANK.n_tests], theirs)


def test_questions_are_added_once_in_the_order_they_came():
    twice = [np.concatenate([part, part[::-1]]) for part in NEW]

    bank = more_tests(BANK, TABLE, *twice)

    assert bank.columns[BANK.n_tests :].tolist() == NEW[0]
    assert more_tests(bank, TABLE, *NEW) is bank


def test_a_bank_that_has_them_all_is_returned_itself():
    assert more_tests(BANK, TABLE, *OLD) is BANK
    assert more_tests(BANK, TABLE, [], [], [], []) is BANK


def test_tests_are_found_by_what_they_ask():
    assert find_tests(BANK, *OLD).tolist() == list(range(BANK.n_tests))
    assert find_tests(BANK, *NEW).tolist() == [-1] * 4
    assert find_tests(more_tests(BANK, TABLE, *NEW), *NEW).tolist() == list(range(BANK.n_tests, BANK.n_tests + 4))


def test_a_twin_is_another_question():
    cut = BANK.values[0]

    bank = more_tests(BANK, TABLE, [4, 4], [AT_MOST, AT_MOST], [cut, cut], [False, True])

    assert bank.n_tests == BANK.n_tests + 2


def test_missing_values_pass_the_question_for_them_whatever_is_said():
    bank = more_tests(make_bank(TABLE, cuts="integers"), TABLE, [0], [MISSING], [7.0], [False])

    assert bank.question(bank.n_tests - 1).kind == "missing"
    assert bool(bank.missing_passes[-1])
    np.testing.assert_array_equal(bank.bits[-1], pack(np.isnan(TABLE.values[:, 0])))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_cut_that_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="must be finite"):
        more_tests(BANK, TABLE, [0], [AT_MOST], [value], [False])


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kinds must be 0, 1 or 2; got"):
        more_tests(BANK, TABLE, [0], [3], [0.0], [False])
