"""A threshold of scikit-learn's, which compares in float32, becomes a cut that divides the rows of a table alike."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from heirwood.data import ClassTarget, Rows
from heirwood.initial_trees.user_trees import read_trees
from tests.data.test_test_bank import numeric_table

LARGEST = float(np.finfo(np.float32).max)


def read_cut(threshold, values):
    """Return the cut that a stump of scikit-learn's with some threshold becomes on a table of one column."""
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    model.tree_.threshold[0] = threshold
    target = ClassTarget(np.zeros(len(values), np.int64), np.ones(len(values), np.int64), 2)
    [sketch] = read_trees(model, Rows(numeric_table(values), np.arange(2), target))
    return sketch[0].value


def passing(threshold, values):
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64) <= threshold


@pytest.mark.timeout(120)
@pytest.mark.parametrize("threshold", [LARGEST, np.nextafter(LARGEST, 0), 1e300, -LARGEST, -3.5e38, -1e300])
def test_at_the_end_of_what_float32_can_hold(threshold):
    """The largest float32 has no next one: the search for the cut halfway to it did not end."""
    ends = np.array([3.4e38, 3.40282345e38, 3.40282355e38, 3.4028236e38, 1e39, 1e200, 1.7e308])
    values = np.concatenate([-ends, [0.0], ends])

    cut = read_cut(threshold, values)

    np.testing.assert_array_equal(values <= cut, passing(threshold, values))


@pytest.mark.parametrize("start", [1.0, 1024.0, -3.0, 1e-30])
def test_between_neighbours_among_float32(start):
    """The middle of two neighbours is no float32: rounded to the upper one, it would let both pass."""
    values = [np.float32(start)]
    for _ in range(5):
        values.append(np.nextafter(values[-1], np.float32(np.inf)))
    values = np.array(values, np.float64)
    for lower, upper in pairwise(values):
        cut = read_cut((lower + upper) / 2, values)

        np.testing.assert_array_equal(values <= cut, values <= lower)
