"""What is recalled is what was found: rows and what was asked of them tell notes apart, and a note gives way."""

import numba
import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.backends.cpu import make_notes
from heirwood.core.recall import UNKNOWN, note_down, print_rows, recall
from heirwood.core.sight import ENTROPY, ERRORS, GINI
from tests.tables import INFORMED_OPERATORS, make_problem

ROWS = np.random.default_rng(0).integers(0, 2**64, (200, 3), np.uint64)


@numba.njit
def _printed(rows, criterion):
    """Call a kernel that only kernels may call."""
    return print_rows(rows, criterion)


def printed(rows, criterion):
    """Return both halves of a print as kernels have them."""
    return [np.uint64(half) for half in _printed(rows, criterion)]


@numba.njit
def noted(one, other, test, notes):
    note_down(one, other, test, notes)


@numba.njit
def recalled(one, other, notes):
    return recall(one, other, notes)


def test_nothing_is_known_at_first():
    assert recalled(*printed(ROWS[0], GINI), make_notes()) == UNKNOWN


def test_a_note_is_found_again_and_no_other():
    notes = make_notes()
    noted(*printed(ROWS[0], GINI), 7, notes)

    assert recalled(*printed(ROWS[0].copy(), GINI), notes) == 7
    assert recalled(*printed(ROWS[0], ENTROPY), notes) == UNKNOWN
    assert recalled(*printed(ROWS[1], GINI), notes) == UNKNOWN


@pytest.mark.parametrize("half", [0, 1])
def test_both_halves_of_a_print_must_be_the_same(half):
    notes, found = make_notes(), printed(ROWS[0], GINI)
    noted(*found, 7, notes)
    found[half] ^= np.uint64(1) << np.uint64(63)  # in the same place

    assert recalled(*found, notes) == UNKNOWN


def test_a_note_gives_way_to_the_next_of_its_place():
    notes = make_notes()[:1]
    for test in (7, 8):
        noted(*printed(ROWS[test], GINI), test, notes)

    assert recalled(*printed(ROWS[7], GINI), notes) == UNKNOWN
    assert recalled(*printed(ROWS[8], GINI), notes) == 8


def test_a_row_more_or_less_in_another_place_or_for_another_end_is_another_print():
    near = [
        ROWS[0] ^ (np.uint64(1) << np.uint64(bit)) * np.eye(3, dtype=np.uint64)[w]
        for w in range(3)
        for bit in range(64)
    ]
    prints = [
        printed(rows, criterion)
        for rows in [*ROWS, *near, ROWS[0][::-1].copy()]
        for criterion in (ERRORS, GINI, ENTROPY)
    ]

    for half in zip(*prints, strict=True):  # each for itself
        assert len(set(map(int, half))) == 3 * (200 + 192 + 1)


@pytest.mark.parametrize("weights", [None, np.arange(1, 61)])
def test_whoever_asks_again_hears_the_same(weights):
    problem = make_problem(5, majority=True, n_rows=60, max_cuts=9, operators=INFORMED_OPERATORS, weights=weights)
    backend = BACKENDS["cpu"](problem)
    lookahead, notes = backend.lookahead(), backend._sights[0].notes
    backend.adapt(price=1.5)
    tests = np.flatnonzero(np.asarray(lookahead.scores()) >= 0).tolist()

    first = lookahead.worths(tests, 4, GINI, 2**20)
    known = notes.copy()
    again = lookahead.worths(tests, 4, GINI, 2**20)

    assert (known["test"] != UNKNOWN).sum() > len(tests)
    assert again == first
    assert notes.tolist() == known.tolist()
    wrong = known["test"] >= 0
    notes["test"][wrong] = (known["test"][wrong] + 1) % problem.bank.n_tests  # it does go by its notes
    assert lookahead.worths(tests, 4, GINI, 2**20) != first
