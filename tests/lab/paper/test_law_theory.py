"""The saving of a child in closed form: shapes, and populations of several."""

from fractions import Fraction

import pytest

from heirwood.oracle.tree import Leaf, Node
from heirwood.theory import Shape, child_saving, expected_saving, population_saving, shape_of

HALF = Fraction(1, 2)
STUMP = Node(0, Leaf(0, (0, 1, 2)), Leaf(1, (3,)))
DEEPER = Node(0, STUMP, Leaf(1, (4, 5)))


def test_a_shape_is_spans_and_rows_in_preorder():
    assert shape_of(DEEPER) == Shape((5, 3, 1, 1, 1), (6, 4, 3, 1, 2))


def test_a_tree_and_its_shape_save_the_same():
    shape = shape_of(DEEPER)

    assert child_saving(shape, shape, HALF) == child_saving(DEEPER, DEEPER, HALF)
    assert expected_saving(shape, HALF) == expected_saving(DEEPER, HALF)


def test_the_saving_of_a_stump_counted_by_hand():
    # At the root 4 rows, but not with the father's root; at the left leaf 3 with any of his nodes, at the right 1.
    rows = 2 * 4 + 3 * 3 + 3 * 1

    assert child_saving(STUMP, STUMP, Fraction(0)) == 1 - Fraction(rows, 4 * 9)


def test_a_population_of_one_shape_is_that_shape():
    shape = shape_of(DEEPER)

    assert population_saving({shape: 17}, HALF) == child_saving(shape, shape, HALF)


def test_parents_of_a_mixed_population_are_drawn_apart():
    large, small = shape_of(DEEPER), Shape((3, 1, 1), (6, 5, 1))
    drawn = {(large, large): 4, (large, small): 2, (small, large): 2, (small, small): 1}

    mixed = population_saving({large: 2, small: 1}, HALF)

    assert mixed == sum(Fraction(n, 9) * child_saving(*pair, HALF) for pair, n in drawn.items())


@pytest.mark.parametrize("rate", [0.5, 0.01])
def test_a_rate_that_is_a_float_gives_a_float(rate):
    assert child_saving(DEEPER, STUMP, rate) == pytest.approx(float(child_saving(DEEPER, STUMP, Fraction(rate))))
