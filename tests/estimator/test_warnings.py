"""Warnings point at the line of the user's that called `fit`."""

import warnings

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=30)


def loaded(tmp_path):
    quick(generations=1).fit(X, Y).save(tmp_path / "model.json")
    return EvolvedTreeClassifier.load(tmp_path / "model.json").set_params(warm_start=True)


CASES = {
    "no population": (lambda tmp_path: loaded(tmp_path), X, Y),
    "one row": (lambda tmp_path: quick(generations=1, size_selection="cv"), X[:1], Y[:1]),
    "a rare class": (lambda tmp_path: quick(generations=1, size_selection="cv"), X, np.where(np.arange(30) < 2, 7, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_warning_names_the_file_that_called_fit(case, tmp_path):
    make, rows, y = CASES[case]
    estimator = make(tmp_path)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        estimator.fit(rows, y)

    assert {warning.filename for warning in told} == {__file__}
