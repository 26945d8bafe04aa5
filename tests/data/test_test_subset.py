"""A part of a bank asks what the bank asks, test by test."""

import numpy as np

from heirwood.data.test_subset import take_tests
from tests.tables import make_problem


def test_a_part_has_the_tests_in_the_order_they_are_given():
    bank = make_problem(3).bank
    tests = np.array([7, 2, bank.n_tests - 1])

    part = take_tests(bank, tests)

    assert part.bits.tolist() == bank.bits[tests].tolist()
    assert [part.question(test) for test in range(3)] == [bank.question(test) for test in tests.tolist()]
    assert part.first.tolist() == [0, 1, 2, 3]  # each is drawn on its own
    assert part.tickets.tolist() == [1, 1, 1]
    assert (part.n_tests, part.n_rows, part.schema) == (3, bank.n_rows, bank.schema)


def test_what_is_done_to_a_part_is_not_done_to_the_bank():
    bank = make_problem(3).bank
    before = bank.bits.copy()

    take_tests(bank, np.arange(4)).bits[:] = 0

    assert bank.bits.tolist() == before.tolist()
