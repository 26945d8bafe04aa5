"""Weights are rounded once, to integers; bit planes give them back exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.core.bitsets import pack, unpack
from heirwood.data.labels import read_classes, row_weights
from heirwood.data.target import FRACTION_BITS, ClassTarget, combine_weights, round_weights

integers = st.lists(st.integers(1, 2**40), min_size=1, max_size=40)


@given(integers)
def test_whole_weights_are_exact(weights):
    rounded, unit = round_weights(np.array(weights, np.float64))

    assert [int(w) * Fraction(unit) for w in rounded] == weights
    assert rounded.dtype == np.int64


@given(st.lists(st.integers(1, 2**16), min_size=1, max_size=40), st.integers(-20, 20))
def test_multiples_of_a_power_of_two_are_exact(weights, exponent):
    given_weights = np.ldexp(np.array(weights, np.float64), exponent)

    rounded, unit = round_weights(given_weights)

    assert [int(w) * Fraction(unit) for w in rounded] == [Fraction(w) for w in given_weights.tolist()]


@given(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=40))
def test_other_weights_are_off_by_half_a_unit_of_the_largest_at_most(weights):
    rounded, unit = round_weights(np.array(weights))

    step = Fraction(2) ** (int(np.frexp(max(weights))[1]) - FRACTION_BITS)
    for integer, weight in zip(rounded.tolist(), weights, strict=True):
        assert abs(integer * Fraction(unit) - Fraction(weight)) <= step / 2


@given(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=40))
def test_a_common_factor_of_two_changes_only_the_unit(weights):
    rounded, unit = round_weights(np.array(weights))

    doubled, double_unit = round_weights(2.0 * np.array(weights))

    assert doubled.tolist() == rounded.tolist()
    assert double_unit == 2 * unit


def test_equal_weights_become_ones():
    for weight in (1.0, 0.1, 7.0, 1e300, 5e-324):
        rounded, unit = round_weights(np.full(5, weight))

        assert rounded.tolist() == [1] * 5
        assert unit == pytest.approx(weight, rel=2**-FRACTION_BITS)


def test_a_weight_too_small_to_count_still_counts_for_one_unit():
    rounded, unit = round_weights(np.array([1.0, 1e-30]))

    assert rounded.tolist() == [2 ** (FRACTION_BITS - 1), 1]
    assert unit == 2.0 ** (1 - FRACTION_BITS)


@pytest.mark.parametrize("weights", [[5e-324, 1e-323], [5e-324, 1.0], [1e-310, 2e-310, 3e-310], [1e300, 1e280]])
def test_the_smallest_and_largest_floats_are_weights_too(weights):
    rounded, unit = round_weights(np.array(weights))

    assert (rounded >= 1).all()
    assert 0 < unit < np.inf
    assert np.argsort(rounded, kind="stable").tolist() == np.argsort(weights, kind="stable").tolist()


def test_whole_weights_are_exact_beside_a_fraction():
    rounded, unit = round_weights(np.array([0.1, 1.0, 3.0, 2.0**30]))

    tenth, *whole = [int(w) * Fraction(unit) for w in rounded]
    assert whole == [1, 3, 2**30]
    assert abs(tenth - Fraction(0.1)) <= Fraction(0.1) / 2**FRACTION_BITS
    assert rounded.tolist() == [13_421_773, 2**27, 3 * 2**27, 2**57]


@given(st.lists(st.integers(1, 2**36), min_size=1, max_size=20), st.lists(st.floats(1e-3, 1e3), max_size=20))
def test_whole_weights_are_exact_beside_any_fractions(whole, others):
    rounded, unit = round_weights(np.array([*whole, *others], np.float64))

    assert [int(w) * Fraction(unit) for w in rounded[: len(whole)]] == whole


@given(st.lists(st.floats(2.0**-10, 2.0**20), min_size=1, max_size=40))
def test_every_weight_keeps_its_significant_bits_while_the_sum_can_be_counted(weights):
    rounded, unit = round_weights(np.array(weights))

    for integer, weight in zip(rounded.tolist(), weights, strict=True):
        assert abs(integer * Fraction(unit) - Fraction(weight)) <= Fraction(weight) / 2**FRACTION_BITS


@pytest.mark.parametrize("largest", [2.0**45, 2.0**59, 2.0**60 * 1.75])
def test_whole_weights_are_exact_where_a_fraction_is_too_small_to_count(largest):
    rounded, unit = round_weights(np.array([0.1, 1.0, 3.0, largest]))

    assert rounded.tolist() == [1, 1, 3, int(largest)]
    assert unit == 1.0


def test_weights_that_just_fit_are_not_refused_for_what_rounding_adds():
    weights = np.append(np.full(10_000, 0.3), 2.0**62 - 2.0**12)

    rounded, _ = round_weights(weights)

    assert 0 < rounded.sum(dtype=object) < 2**62


def test_large_whole_weights_are_exact_as_long_as_their_sum_can_be_counted():
    weights = np.array([2.0**60, 1.0, 3.0])

    rounded, unit = round_weights(weights)

    assert [int(w) * Fraction(unit) for w in rounded] == [2**60, 1, 3]


def test_beyond_that_they_are_rounded_like_others():
    rounded, unit = round_weights(np.array([2.0**61 + 2.0**9, 2.0**62]))

    assert rounded.tolist() == [1, 2]
    assert unit == 2.0**61


def test_weights_whose_sum_is_no_float_are_refused():
    with pytest.raises(ValueError, match="add up to inf, which is too much to count exactly; divide"):
        round_weights(np.array([1e308, 1e308, 1.5e308]))


@given(st.lists(st.tuples(st.integers(1, 1000), st.sampled_from([0.1, 1 / 3, 7.0])), min_size=1, max_size=30))
def test_a_row_of_weight_two_is_two_rows_whatever_its_class_weighs(rows):
    repeats, of_classes = np.array(rows).T

    combined, unit = combine_weights(repeats, of_classes)

    single, single_unit = combine_weights(np.ones(len(rows)), of_classes)
    expected = [int(s) * int(r) * Fraction(single_unit) for s, r in zip(single, repeats, strict=True)]
    assert [int(c) * Fraction(unit) for c in combined] == expected


def test_products_that_cannot_be_counted_are_rounded_as_one():
    of_rows = np.linspace(0.1, 1.0, 400_000)
    of_classes = np.linspace(0.3, 2.0, 400_000)

    combined, unit = combine_weights(of_rows, of_classes)

    alone, alone_unit = round_weights(of_rows * of_classes)
    np.testing.assert_array_equal(combined, alone)
    assert unit == alone_unit


# ---- planes ----


def weights_in_planes(target, n_rows):
    """Add up the planes of every class, row by row, in Python integers."""
    found = [[0] * n_rows for _ in range(len(target.starts) - 1)]
    for c, (start, stop) in enumerate(zip(target.starts[:-1], target.starts[1:], strict=True)):
        for plane in range(start, stop):
            for row, inside in enumerate(unpack(target.planes[plane], n_rows).tolist()):
                found[c][row] += int(target.scale[plane]) * inside
    return found


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 2**20)), min_size=1, max_size=70))
def test_the_planes_add_up_to_the_weights(rows):
    codes, weights = np.array(rows, np.int64).T
    target = ClassTarget(codes, weights, n_classes=5)

    planes = target.planes(majority=True)

    expected = [[w if code == c else 0 for code, w in rows] for c in range(5)]
    assert weights_in_planes(planes, len(rows)) == expected
    assert target.total == sum(w for _, w in rows)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9)), min_size=1, max_size=70))
def test_the_padding_of_planes_is_zero(rows):
    codes, weights = np.array(rows, np.int64).T
    everyone = pack(np.ones(len(rows), bool))

    planes = ClassTarget(codes, weights, n_classes=3).planes(majority=False)

    assert not (planes.planes & ~everyone).any()
    np.testing.assert_array_equal(planes.everyone, everyone)


def test_one_weight_for_each_class_needs_one_plane_for_each():
    codes = np.arange(90) % 3
    target = ClassTarget(codes, np.array([1, 12345, 2**40])[codes], n_classes=3)

    planes = target.planes(majority=True)

    assert planes.starts.tolist() == [0, 1, 2, 3]
    assert planes.scale.tolist() == [1, 12345, 2**40]


def test_what_a_class_weighs_needs_no_plane_of_its_own():
    weights = np.arange(1, 256)
    codes = np.arange(255) % 2

    planes = ClassTarget(codes, weights * np.array([1, 16_777_213])[codes], n_classes=2).planes(majority=True)

    assert planes.starts.tolist() == [0, 8, 15]  # odd numbers up to 255, and twice the numbers up to 127
    assert planes.scale[8:].tolist() == [2 * 16_777_213 << b for b in range(7)]


def test_many_weights_need_one_plane_for_each_binary_digit():
    weights = np.arange(1, 256)
    target = ClassTarget(np.zeros(255, np.int64), weights, n_classes=1)

    planes = target.planes(majority=True)

    assert planes.scale.tolist() == [1, 2, 4, 8, 16, 32, 64, 128]


# ---- rows ----


def test_class_weights_multiply_sample_weights():
    y = np.array(["a", "b", "a"])

    weights, of_class = row_weights(y, np.zeros((3, 1)), [1.0, 2.0, 0.0], {"a": 3.0, "b": 0.5})

    assert weights.tolist() == [1.0, 2.0, 0.0]
    assert of_class.tolist() == [3.0, 0.5, 3.0]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=40))
def test_balanced_treats_a_weight_as_that_many_rows(rows):
    y, repeats = np.array(rows).T
    if not repeats.any():
        return

    _, weighted = row_weights(y, np.zeros((len(y), 1)), repeats, "balanced")

    many = np.repeat(y, repeats)
    _, repeated = row_weights(many, np.zeros((len(many), 1)), None, "balanced")
    assert np.repeat(weighted, repeats).tolist() == repeated.tolist()


def test_classes_come_sorted_with_a_code_for_each_row():
    classes, codes = read_classes(["b", "a", "b"], 3, "EvolvedTreeClassifier")

    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed"),
        ([1.0, np.nan], "1 of 2 classes are missing"),
        (np.array(["a", None], dtype=object), "1 of 2 classes are missing"),
        (np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"), "1 of 2 classes are missing"),
        ([0, 1, 0], "X has 2 rows and y has 3"),
        (np.array([1, "a"], dtype=object), "mixes classes of the types number, str"),
        ([0.5, 1.25], "Unknown label type: continuous"),
    ],
)
def test_what_is_no_class_for_each_row_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        read_classes(y, 2, "EvolvedTreeClassifier")


def test_text_that_looks_like_a_missing_value_is_a_class():
    classes, _ = read_classes(np.array(["<NA>", "NaT", "nan"], dtype=object), 3, "EvolvedTreeClassifier")

    assert classes.tolist() == ["<NA>", "NaT", "nan"]
