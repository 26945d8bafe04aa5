"""The definition of keyed draws, pinned: a change here is a change of every run ever made."""

from heirwood.oracle.draws import below, chance, child_key, draw_test, mix


def test_mix_is_the_finaliser_of_splitmix64():
    # The first output of SplitMix64 with seed 0 and with seed 1, from its published reference.
    assert mix(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF
    assert mix((1 + 0x9E3779B97F4A7C15) % 2**64) == 0x910A2DEC89025CC1


def test_mix_is_one_to_one_on_neighbours():
    assert len({mix(z) for z in range(10_000)}) == 10_000


def test_an_attribute_is_as_likely_with_one_test_as_with_a_hundred():
    attributes = [[(test, 1) for test in range(100)], [(100, 1)]]

    drawn = [draw_test(key, 0, attributes) for key in range(2000)]

    assert 900 < sum(test == 100 for test in drawn) < 1100


def test_a_test_is_drawn_in_proportion_to_its_tickets():
    attributes = [[(0, 1), (1, 3)]]

    drawn = [draw_test(key, 0, attributes) for key in range(2000)]

    assert 1400 < sum(drawn) < 1600


def test_slots_and_keys_draw_independently():
    key = child_key(1, 2, 3)

    assert len({chance(key, slot) for slot in range(1000)}) == 1000
    assert len({chance(child_key(1, 2, child), 0) for child in range(1000)}) == 1000
    assert {below(key, slot, 3) for slot in range(50)} == {0, 1, 2}
