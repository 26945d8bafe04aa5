"""Keyed draws are the oracle's, number for number."""

import numpy as np
import pytest

from heirwood.core import draws
from heirwood.oracle import draws as slow
from tests.core.kernels import from_python

mix, draw, chance, below, draw_test = map(
    from_python, (draws.mix, draws.draw, draws.chance, draws.below, draws.draw_test)
)

KEYS = [0, 1, 2**63, 2**64 - 1, 0xDEADBEEF, 0x9E3779B97F4A7C15, *(slow.child_key(1, 2, child) for child in range(20))]
SLOTS = [0, 1, 7, 8, 1000]


@pytest.mark.parametrize("key", KEYS)
def test_mix_scrambles_as_the_oracle_does(key):
    mixed = mix(np.uint64(key))

    assert int(mixed) == slow.mix(key)


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("key", KEYS)
def test_a_decision_is_the_oracles(key, slot):
    bits = draw(np.uint64(key), slot)
    share = chance(np.uint64(key), slot)
    numbers = [below(np.uint64(key), slot, n) for n in (1, 2, 3, 10, 2**31, 2**62)]

    assert int(bits) == slow.draw(key, slot)
    assert share == slow.chance(key, slot)
    assert numbers == [slow.below(key, slot, n) for n in (1, 2, 3, 10, 2**31, 2**62)]


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**64 - 1, -1])
def test_child_keys_are_folded_from_seed_generation_and_child(seed):
    keys = draws.child_keys(seed, 17, 9)

    assert keys.dtype == np.uint64
    assert keys.tolist() == [slow.child_key(seed % 2**64, 17, child) for child in range(9)]


def test_no_two_children_of_a_run_share_a_key():
    keys = np.concatenate([draws.child_keys(3, generation, 100) for generation in range(100)])

    assert len(np.unique(keys)) == 10_000


def test_a_generations_key_is_folded_from_seed_and_generation():
    key = draws.generation_key(5, 11)

    assert int(key) == slow.fold(slow.fold(0, 5), 11)


def test_draws_over_arrays_are_single_draws():
    key = slow.child_key(1, 2, 3)

    shares = draws.chances(key, 200)
    numbers = draws.belows(key, 200, 37)

    assert shares.tolist() == [slow.chance(key, slot) for slot in range(200)]
    assert numbers.tolist() == [slow.below(key, slot, 37) for slot in range(200)]


def test_chances_lie_in_the_unit_interval_and_fill_it():
    shares = draws.chances(99, 5000)

    assert shares.min() >= 0.0
    assert shares.max() < 1.0
    assert np.bincount((shares * 10).astype(int), minlength=10).min() > 400


ATTRIBUTES = {
    "one ticket each": [[1, 1, 1], [1], [1, 1]],
    "tickets of the paper's integer cuts": [[3, 1, 5], [2], [1, 7, 1, 1]],
    "one attribute, one test": [[4]],
    "a total that looks like one ticket each": [[1, 1], [2, 1, 1]],
}


@pytest.mark.parametrize("tickets", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_a_test_is_drawn_attribute_first_and_then_by_tickets(tickets):
    first = np.cumsum([0, *map(len, tickets)])
    running = np.concatenate([np.cumsum(own) for own in tickets])
    attributes = [
        [(int(start) + i, n) for i, n in enumerate(own)] for start, own in zip(first[:-1], tickets, strict=True)
    ]

    drawn = [int(draw_test(np.uint64(key), 3, first, running)) for key in range(300)]

    assert drawn == [slow.draw_test(key, 3, attributes) for key in range(300)]
    assert set(drawn) == set(range(first[-1]))


def test_lanes_that_check_bounds_do(lane):
    if lane == "compiled":
        pytest.skip("users' kernels are not checked; reading past an array would be undefined")
    first, too_short = np.array([0, 5]), np.array([1, 2])

    with pytest.raises(IndexError):
        draw_test(np.uint64(1), 0, first, too_short)
