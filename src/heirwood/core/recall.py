"""Recalling: the best test for some rows, where it was found before.

Trees of a population are kin, and whoever looks ahead looks twice at most places: the same rows come again and again.
Which of all tests is the best for them depends on nothing but the rows and what is asked for. So it is noted under a
print of both, and a note gives way to the next one of its place: forgetting costs time, never a result.

A print has 128 bits. Among a million sets of rows, two that differ have the same one by a chance below 2**-88.
"""

import numpy as np

from heirwood.core._jit import inner_kernel
from heirwood.core.draws import GOLDEN, mix, wrapping

NOTE = np.dtype([("print", np.uint64), ("check", np.uint64), ("test", np.int64)])
N_NOTES = 2**14
UNKNOWN = np.int64(-2)  # in the place of a test, or of NO_TEST
ODD = np.uint64(0xD6E8FEB86659FD93)


@inner_kernel
@wrapping
def print_rows(rows, criterion):
    """Return the two halves of the print of some rows and of what is asked for."""
    one = mix(GOLDEN + np.uint64(criterion))  # far apart: a row more may not make up for another criterion
    other = mix(one)
    for w in range(rows.shape[0]):
        one = (one ^ rows[w]) * GOLDEN
        one ^= one >> np.uint64(32)
        other = (other + rows[w]) * ODD
        other ^= other >> np.uint64(29)
    return mix(one), mix(other)


@inner_kernel
def recall(one, other, notes):
    """Return the test that was noted under a print; UNKNOWN if none was."""
    note = notes[one & np.uint64(notes.shape[0] - 1)]
    return note["test"] if note["print"] == one and note["check"] == other else UNKNOWN


@inner_kernel
def note_down(one, other, test, notes):
    """Note a test under a print."""
    place = one & np.uint64(notes.shape[0] - 1)
    notes[place]["print"] = one
    notes[place]["check"] = other
    notes[place]["test"] = test
