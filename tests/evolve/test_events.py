"""Events: what counts as a wish to stop, and means that do not overflow."""

import numpy as np
import pytest

from heirwood.events import exact_sum, mean, tell


@pytest.mark.parametrize("answer", [True, np.True_])
def test_a_listener_that_says_true_stops_the_run(answer):
    assert tell([lambda event: None, lambda event: answer], {})


@pytest.mark.parametrize("answer", [None, False, np.False_, 17, "yes"])
def test_any_other_answer_does_not(answer):
    assert not tell([lambda event: answer], {})


def test_the_mean_is_summed_one_after_the_other_on_every_machine():
    values = np.random.default_rng(0).normal(size=1001) * 10.0 ** np.arange(-500, 501).clip(-12, 12)
    total = 0.0
    for value in values.tolist():
        total += value

    assert mean(values) == total / len(values)


def test_the_mean_of_huge_payoffs_does_not_overflow():
    assert mean(np.full(4, 1e308)) == 1e308


def test_infinities_of_both_signs_have_no_mean():
    assert mean(np.array([np.inf, -np.inf])) is None


@pytest.mark.parametrize("most", [10, 2**40, 2**62])
def test_a_sum_is_exact_however_large_it_is(most):
    values = np.array([most, most - 1, most, 0, most - 3, most])

    assert exact_sum(values, most) == 5 * most - 4
    assert isinstance(exact_sum(values, most), int)
