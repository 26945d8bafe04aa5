"""A cache of best splits: the best of all tests for a set of rows, found by a hash of them.

Trees of a population are kin, and lookahead comes to the same nodes, so the same rows come again and again. Which test
is the best for them depends on nothing else that changes in a run but the criterion, so the key is a hash of both. An
entry gives way to the next one of its place: a miss costs time, never a result.

A hash has two halves of 64 bits, each mixed through with every word.
"""

import numpy as np

from heirwood.core._jit import inner_kernel
from heirwood.core.draws import GOLDEN, mix, wrapping

ENTRY = np.dtype([("hash", np.uint64), ("check", np.uint64), ("test", np.int64)])
N_CACHED = 2**14
UNKNOWN = np.int64(-2)  # in the place of a test, or of NO_TEST


@inner_kernel
@wrapping
def hash_rows(rows, criterion):
    """Return the two halves of the hash of some rows and a criterion."""
    one = mix(GOLDEN + np.uint64(criterion))  # far apart: a row more may not make up for another criterion
    other = mix(one)
    for w in range(rows.shape[0]):
        one = mix(one ^ rows[w])
        other = mix(other + rows[w])
    return one, other


@inner_kernel
def look_up_split(one, other, cache):
    """Return the test that is stored under a hash; UNKNOWN if none is."""
    entry = cache[one & np.uint64(cache.shape[0] - 1)]
    return entry["test"] if entry["hash"] == one and entry["check"] == other else UNKNOWN


@inner_kernel
def store_split(one, other, test, cache):
    """Store a test under a hash."""
    place = one & np.uint64(cache.shape[0] - 1)
    cache[place]["hash"] = one
    cache[place]["check"] = other
    cache[place]["test"] = test
