"""The examples in docstrings are true."""

import doctest

import pytest

import heirwood.estimator
import heirwood.settings

pytestmark = pytest.mark.whole_bound

MODULES = [heirwood.estimator, heirwood.settings]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_print_what_they_say(module):
    done = doctest.testmod(module)

    assert done.attempted > 0
    assert done.failed == 0
