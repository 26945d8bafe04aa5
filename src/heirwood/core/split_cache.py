"""Recalling: the best test for some rows, where it was found before.

Trees of a population are kin, and scouts come to the same places: the same rows come again and again. Which of all
tests is the best for them depends on nothing else that changes in a run but on what is asked for. So it is noted under
a print of both, and a note gives way to the next one of its place: forgetting costs time, never a result.

A print has two halves of 64 bits, each mixed through with every word.
"""

import numpy as np

from heirwood.core._jit import inner_kernel
from heirwood.core.draws import GOLDEN, mix, wrapping

NOTE = np.dtype([("print", np.uint64), ("check", np.uint64), ("test", np.int64)])
N_NOTES = 2**14
UNKNOWN = np.int64(-2)  # in the place of a test, or of NO_TEST


@inner_kernel
@wrapping
def print_rows(rows, criterion):
    """Return the two halves of the print of some rows and of what is asked for."""
    one = mix(GOLDEN + np.uint64(criterion))  # far apart: a row more may not make up for another criterion
    other = mix(one)
    for w in range(rows.shape[0]):
        one = mix(one ^ rows[w])
        other = mix(other + rows[w])
    return one, other


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
