"""Are the two inner loops as fast as the machine: the AND against a copy, the popcount against the best one?"""

import time

import numba
import numpy as np

from heirwood.core.bitset_ops import count, narrow
from heirwood.core.bitsets import popcount
from lab.benchmarks.row import Row

IN_MEMORY = 2**24  # words: 128 MiB each
IN_CACHE = 2**11


@numba.njit
def copy(rows, out):
    """Copy words."""
    for w in range(out.shape[0]):
        out[w] = rows[w]


@numba.njit
def plain_popcount(rows):
    """Count the bits of words: no plane, the best a popcount loop can be."""
    total = 0
    for w in range(rows.shape[0]):
        total += popcount(rows[w])
    return total


@numba.njit
def again_narrow(n, rows, test, flip, out):
    """Repeat a kernel without going back to Python."""
    for _ in range(n):
        narrow(rows, test, flip, out)


@numba.njit
def again_copy(n, rows, out):
    """Repeat a copy."""
    for _ in range(n):
        copy(rows, out)


@numba.njit
def again_count(n, rows, plane):
    """Repeat a count; a bit changes so that no pass can be left out."""
    total = 0
    for i in range(n):
        rows[0] ^= np.uint64(i)
        total += count(rows, plane)
    return total


@numba.njit
def again_popcount(n, rows):
    """Repeat a popcount."""
    total = 0
    for i in range(n):
        rows[0] ^= np.uint64(i)
        total += plain_popcount(rows)
    return total


def seconds(repeats, function, *arguments):
    """Return the best time of several calls."""
    function(*arguments)
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - started)
    return min(times)


def measure(repeats):
    """Return the rows on the two loops."""
    rng = np.random.default_rng(0)
    rows, test = (rng.integers(0, 2**63, IN_MEMORY).astype(np.uint64) for _ in range(2))
    out = np.empty_like(rows)
    both = seconds(repeats + 2, again_narrow, 1, rows, test, np.uint64(0), out)
    plain = seconds(repeats + 2, again_copy, 1, rows, out)
    and_bandwidth, copy_bandwidth = 3 * 8 * IN_MEMORY / both / 1e9, 2 * 8 * IN_MEMORY / plain / 1e9
    few, plane = rows[:IN_CACHE].copy(), test[:IN_CACHE].copy()
    n = 20_000
    counted = seconds(repeats + 2, again_count, n, few, plane) / (2 * n * IN_CACHE) * 1e9  # it reads two rows
    best = seconds(repeats + 2, again_popcount, n, few) / (n * IN_CACHE) * 1e9
    return [
        Row(
            f"AND loop from memory, GB/s (copy: {copy_bandwidth:.1f})",
            "within 1.5 x of copy",
            f"{and_bandwidth:.1f}",
            and_bandwidth >= copy_bandwidth / 1.5,
        ),
        Row(
            f"popcount loop in cache, ns a word read (plain popcount: {best:.3f})",
            "within 1.5 x of the best",
            f"{counted:.3f}",
            counted <= 1.5 * best,
        ),
    ]
