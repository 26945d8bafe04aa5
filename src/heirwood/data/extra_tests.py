"""More tests for a bank: questions that trees may ask, but that are never drawn.

They follow the drawn tests, whose numbers stay as they are:

    bits     [ drawn, attribute by attribute | more, in the order they came ]
    test       0 ...              first[-1]-1  first[-1] ...

`first` and `tickets` go on describing the drawn ones alone.
"""

from dataclasses import replace

import numpy as np

from heirwood.core.bitsets import pack
from heirwood.data.schema import Table
from heirwood.data.test_bank import TestBank
from heirwood.data.test_plan import AT_MOST, EQUALS, MISSING


def more_tests(
    bank: TestBank,
    table: Table,
    columns: np.ndarray,
    kinds: np.ndarray,
    values: np.ndarray,
    missing_passes: np.ndarray,
) -> TestBank:
    """Return a bank that also has these questions; those it has already are not added again.

    Parameters
    ----------
    bank : TestBank
    table : Table
        The rows that the bank was made of.
    columns, kinds, values, missing_passes : (n_questions,) arrays
        What is asked: the column and the kind as in `TestBank`; the cut that a reader sees, or the code of a level; the
        value of MISSING is NaN, and a missing value passes it.

    Returns
    -------
    TestBank
        The bank itself if it has all of them. `find_tests` says which test is which question.
    """
    if bank.exact is not None:
        raise ValueError("the bank has places for exact cuts already; tests that stay must join before make_cut_slots")
    asked = _distinct(columns, kinds, values, missing_passes)
    lacking = find_tests(bank, *asked) < 0
    if not lacking.any():
        return bank
    columns, kinds, values, missing_passes = (array[lacking] for array in asked)
    bits = [
        pack(answers(table.values[:, column], kind, value, passes))
        for column, kind, value, passes in zip(columns, kinds, values, missing_passes, strict=True)
    ]
    return replace(
        bank,
        bits=np.concatenate([bank.bits[: bank.n_tests], np.stack(bits), bank.bits[bank.n_tests :]]),
        columns=np.concatenate([bank.columns, columns]),
        kinds=np.concatenate([bank.kinds, kinds]),
        values=np.concatenate([bank.values, values]),
        uppers=np.concatenate([bank.uppers, values]),
        missing_passes=np.concatenate([bank.missing_passes, missing_passes]),
    )


def find_tests(
    bank: TestBank, columns: np.ndarray, kinds: np.ndarray, values: np.ndarray, missing_passes: np.ndarray
) -> np.ndarray:
    """Return the test that asks each question, -1 where there is none. Cost O(n_questions * n_tests)."""
    found = np.full(len(columns), -1, np.int64)
    for i, (column, kind, value, passes) in enumerate(zip(columns, kinds, values, missing_passes, strict=True)):
        same = (bank.columns == column) & (bank.kinds == kind)
        if kind != MISSING:
            same &= (bank.values <= value) & (value <= bank.uppers) & (bank.missing_passes == passes)
        for test in np.flatnonzero(same).tolist():
            if kind != AT_MOST or bank.cut(test) == value:
                found[i] = test
                break
    return found


def answers(values: np.ndarray, kind: int, value: float, missing_passes: bool) -> np.ndarray:
    """Return whether each value of a column passes a question."""
    missing = np.isnan(values)
    if kind == MISSING:
        return missing
    passed = values <= value if kind == AT_MOST else values == value
    return passed | missing if missing_passes else passed


def _distinct(
    columns: np.ndarray, kinds: np.ndarray, values: np.ndarray, missing_passes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return every question once, in the order they came, with the types that a bank has."""
    kinds = np.asarray(kinds, np.int8)
    if not np.isin(kinds, (AT_MOST, EQUALS, MISSING)).all():
        raise ValueError(f"kinds must be {AT_MOST}, {EQUALS} or {MISSING}; got {sorted(set(kinds.tolist()))}")
    missing = kinds == MISSING
    cuts = np.where(missing, 0.0, np.asarray(values, np.float64))
    if not np.isfinite(cuts).all():
        raise ValueError("a cut or a level's code must be finite; NaN is the value of tests for missing values only")
    passes = missing | np.asarray(missing_passes, bool)
    asked = np.asarray(columns, np.int32)
    rows = list(zip(asked.tolist(), kinds.tolist(), cuts.tolist(), passes.tolist(), strict=True))
    first = {question: place for place, question in reversed(list(enumerate(rows)))}
    places = np.array(sorted(first.values()), np.int64)
    return asked[places], kinds[places], np.where(missing, np.nan, cuts)[places], passes[places]
