"""A part of a bank: some of its tests, as a bank of its own."""

import numpy as np

from heirwood.data.test_bank import TestBank


def take_tests(bank: TestBank, tests: np.ndarray) -> TestBank:
    """Return a bank of some tests, in their order; each is drawn on its own, as the only one of its attribute.

    Parameters
    ----------
    bank : TestBank
    tests : (n,) int
        Tests that are there to stay.
    """
    return TestBank(
        schema=bank.schema,
        bits=bank.bits[tests],
        columns=bank.columns[tests],
        kinds=bank.kinds[tests],
        values=bank.values[tests],
        uppers=bank.uppers[tests],
        missing_passes=bank.missing_passes[tests],
        first=np.arange(len(tests) + 1, dtype=np.int64),
        tickets=np.ones(len(tests), np.int64),
        n_rows=bank.n_rows,
        n_values=bank.n_values,
    )
