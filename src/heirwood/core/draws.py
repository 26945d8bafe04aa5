"""Keyed random draws: a decision is a pure function of (seed, generation, child, slot).

Nothing is streamed, so nothing depends on the order in which children are bred, on threads,
or on the machine. A *key* is folded from seed, generation and child; a *slot* names one
decision of that child. Both sides of a call keep keys as np.uint64.
"""

from functools import lru_cache

import numpy as np

from heirwood.core._jit import INTERPRETED, kernel, small_kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)

# Interpreted scalars warn when a uint64 product wraps around, which is all this file wants.
wrapping = np.errstate(over="ignore") if INTERPRETED else (lambda function: function)


def _mix(z):
    """Scramble 64 bits, one to one (the finaliser of SplitMix64)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


mix = small_kernel(wrapping(_mix))


@small_kernel
@wrapping
def draw(key, slot):
    """Return the 64 random bits of one decision."""
    return mix(key + GOLDEN * np.uint64(slot + 1))


@small_kernel
@wrapping
def fold_leaf(total, rows, hits, label):
    """Add a leaf to a hash of a tree: see `core.tree_hash`."""
    return total + draw(draw(draw(GOLDEN, rows), hits), label)


@small_kernel
def below(key, slot, n):
    """Return an integer in [0, n); its bias is below n / 2**64."""
    return np.int64(draw(key, slot) % np.uint64(n))


@small_kernel
def chance(key, slot):
    """Return a float in [0, 1), a multiple of 2**-53."""
    return np.float64(draw(key, slot) >> np.uint64(11)) * 2.0**-53


@small_kernel
def draw_test(key, slot, first, tickets):
    """Draw an attribute (at `slot`), then one of its tests (at `slot + 1`); return the test.

    Parameters
    ----------
    first : (n_attributes + 1,) int64
        Attribute a owns the tests first[a] .. first[a + 1] - 1.
    tickets : (n_tests,) int64
        Running number of tickets within the attribute. One ticket each means every test is as
        likely; in the paper's mode a test has a ticket for every integer cut it stands for.
    """
    attribute = below(key, slot, first.shape[0] - 1)
    low = first[attribute]
    high = first[attribute + 1] - 1
    ticket = below(key, slot + 1, tickets[high])
    if tickets[high] == high - low + 1:
        return low + ticket
    while low < high:
        middle = (low + high) // 2
        if tickets[middle] > ticket:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
@wrapping
def _write_keys(key, keys):
    """Write the keys of a generation's children: the generation's key with the number of the child folded into it.

    Parameters
    ----------
    key : uint64
    keys : (n_children,) uint64, updated in place
    """
    for child in range(keys.shape[0]):
        keys[child] = mix(key ^ mix(np.uint64(child) + GOLDEN))


# ---- the same, over arrays: what grows with the population is NumPy, mostly ----


def _mix_all(z: np.ndarray) -> np.ndarray:
    """Do what `mix` does to every element, in place: a third of the time of fresh arrays."""
    shifted = z >> np.uint64(30)
    z ^= shifted
    z *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(z, np.uint64(27), out=shifted)
    z ^= shifted
    z *= np.uint64(0x94D049BB133111EB)
    np.right_shift(z, np.uint64(31), out=shifted)
    z ^= shifted
    return z


@lru_cache(maxsize=64)
def _slots(n: int) -> np.ndarray:
    """Return the steps of the slots 0 .. n - 1."""
    return GOLDEN * np.arange(1, n + 1, dtype=np.uint64)


def fold(key: int, number: int) -> int:
    """Fold one more number into a key, with Python's integers: NumPy's are slow one at a time."""
    return _mix_int(key ^ _mix_int((number + int(GOLDEN)) % 2**64))


def _mix_int(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


@lru_cache(maxsize=4)  # a generation asks twice, and Python's integers are slow, too
def generation_key(seed: int, generation: int) -> int:
    """Return the key of one generation of one run."""
    return fold(fold(0, seed % 2**64), generation)


def child_keys(seed: int, generation: int, n_children: int) -> np.ndarray:
    """Return one key for each child of a generation."""
    keys = np.empty(n_children, np.uint64)
    _write_keys(np.uint64(generation_key(seed, generation)), keys)
    return keys


def draws(key: int, n: int) -> np.ndarray:
    """Return the random bits of the slots 0 .. n - 1."""
    return _mix_all(np.uint64(key) + _slots(n))


def chances(key: int, n: int) -> np.ndarray:
    """Return a float in [0, 1) for each of n slots."""
    return (draws(key, n) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def belows(key: int, n: int, limit: int) -> np.ndarray:
    """Return an integer in [0, limit) for each of n slots."""
    drawn = draws(key, n)
    wholes = drawn // np.uint64(limit)  # NumPy's % takes twice as long
    wholes *= np.uint64(limit)
    drawn -= wholes
    return drawn.view(np.int64)
