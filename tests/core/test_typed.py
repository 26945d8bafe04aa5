"""A typed kernel: its types are looked at once, and its arguments must come as they should from then on."""

import numba
import numpy as np
import pytest

from heirwood.core import _jit
from heirwood.core._jit import INTERPRETED, Typed, kernel


@kernel
def add_up(values, total):
    for i in range(values.shape[0]):
        total[0] += values[i]


def test_a_typed_kernel_does_what_the_kernel_does():
    typed, total, expected = Typed(add_up), np.zeros(1), np.zeros(1)

    for n in (3, 0, 5):
        typed.call(np.arange(n, dtype=np.float64), total)
        add_up(np.arange(n, dtype=np.float64), expected)

    assert total.tolist() == expected.tolist() == [13.0]


@pytest.mark.skipif(INTERPRETED, reason="an interpreted kernel has no types")
def test_each_typed_kernel_has_types_of_its_own():
    of_floats, of_integers = Typed(add_up), Typed(add_up)
    floats, integers = np.zeros(1), np.zeros(1, np.int64)

    of_floats.call(np.array([0.5, 0.25]), floats)
    of_integers.call(np.array([2, 3]), integers)
    of_floats.call(np.array([0.5]), floats)

    assert (floats.tolist(), integers.tolist()) == ([1.25], [5])


@pytest.mark.skipif(INTERPRETED, reason="an interpreted kernel has no types")
def test_a_typed_kernel_looks_no_more_than_once(monkeypatch):
    looks, typeof = [], numba.typeof
    monkeypatch.setattr(_jit.numba, "typeof", lambda argument: looks.append(argument) or typeof(argument))
    typed = Typed(add_up)

    for _ in range(3):
        typed.call(np.ones(2), np.zeros(1))

    assert len(looks) == 2
