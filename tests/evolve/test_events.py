"""Events: what counts as a wish to stop, and means that do not overflow."""

import numpy as np
import pytest

from heirwood.events import mean, tell


@pytest.mark.parametrize("answer", [True, np.True_])
def test_a_listener_that_says_true_stops_the_run(answer):
    assert tell([lambda event: None, lambda event: answer], {})


@pytest.mark.parametrize("answer", [None, False, np.False_, 17, "yes"])
def test_any_other_answer_does_not(answer):
    assert not tell([lambda event: answer], {})


def test_the_mean_is_exact_whatever_the_order():
    values = [1e16, 1.0, -1e16]

    assert mean(values) == mean(values[::-1]) == 1 / 3


def test_the_mean_of_huge_payoffs_does_not_overflow():
    assert mean([1e308, 1e308, 1e308, 1e308]) == 1e308


def test_infinities_of_both_signs_have_no_mean():
    assert mean([float("inf"), float("-inf")]) is None
