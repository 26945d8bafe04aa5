"""All cuts of a bank's exact columns, as kernels read them."""

import numpy as np

from heirwood.core.exact_cuts import Exact
from heirwood.data.test_bank import TestBank


def make_exact(bank: TestBank) -> Exact:
    """Return what all threads share; of a bank without places, that none of its tests can be sharpened."""
    if bank.exact is None:
        nothing = np.zeros((2, 0), np.int32)
        no_column = np.full(len(bank.columns), -1, np.int32)
        none = np.zeros(0, np.int64)
        return Exact(
            nothing, none, np.zeros(0, bool), np.zeros(1, np.int64), nothing, no_column, no_column, bank.missing_passes
        )
    cuts = bank.exact
    return Exact(
        cuts.ranks, cuts.n_values, cuts.wanted, cuts.starts, cuts.known, cuts.column, cuts.rank, bank.missing_passes
    )


def most_values(bank: TestBank) -> int:
    """Return the most values that a column may have whose cuts can be sharpened."""
    return 0 if bank.exact is None else int(np.diff(bank.exact.starts).max(initial=0))
