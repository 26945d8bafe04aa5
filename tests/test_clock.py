"""The clock counts what it should, and shares out what is left."""

import math

import pytest

from heirwood import clock
from heirwood.clock import Clock


@pytest.fixture
def hands(monkeypatch):
    """Return the seconds that the machine shows, and those spent compiling: to be set."""
    shown = {"now": 100.0, "compiling": 7.0}
    monkeypatch.setattr(clock.time, "monotonic", lambda: shown["now"])
    monkeypatch.setattr(clock, "seconds_compiling", lambda: shown["compiling"])
    return shown


def test_what_is_left_does_not_count_compiling(hands):
    watch = Clock(10.0)
    hands.update(now=104.0, compiling=8.0)

    assert (watch.elapsed(), watch.left(), watch.is_up()) == (3.0, 7.0, False)
    hands.update(now=111.5)
    assert (watch.left(), watch.is_up()) == (-0.5, True)


def test_a_part_is_of_what_is_left(hands):
    watch = Clock(10.0)
    hands.update(now=104.0)
    is_over = watch.part(3)

    hands.update(now=105.9)
    assert not is_over()
    hands.update(now=106.1)
    assert is_over()


def test_a_part_of_nothing_is_over_at_once(hands):
    watch = Clock(10.0)
    hands.update(now=112.0)
    is_over = watch.part(3)

    hands.update(now=112.1)
    assert is_over()


def test_without_a_limit_nothing_is_ever_over(hands):
    watch = Clock(None)
    is_over = watch.part(6)
    hands.update(now=1e9)

    assert watch.left() == math.inf
    assert not watch.is_up()
    assert not is_over()
