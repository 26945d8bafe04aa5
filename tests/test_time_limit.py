"""The clock counts what it should, and shares out what is left."""

import math
import signal

import numpy as np
import pytest

from heirwood import time_limit as clock
from heirwood.interrupt import PATIENCE, Interrupt
from heirwood.time_limit import LARGE, Clock, Stop
from tests.busy import wait_until


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
    part = watch.part(3)

    hands.update(now=105.9)
    assert not part.is_up()
    hands.update(now=106.1)
    assert part.is_up()


def test_a_part_of_nothing_is_over_at_once(hands):
    watch = Clock(10.0)
    hands.update(now=112.0)
    part = watch.part(3)

    hands.update(now=112.1)
    assert part.is_up()


def test_without_a_limit_nothing_is_ever_over(hands):
    watch = Clock(None)
    part = watch.part(6)
    hands.update(now=1e9)

    assert watch.left() == part.left() == math.inf
    assert not watch.is_up()
    assert not watch.is_overdue()
    assert not part.is_up()


@pytest.mark.parametrize(("limit", "grace"), [(0.5, 0.1), (2.0, 0.1), (10.0, 0.3), (100.0, 3.0)])
def test_what_was_begun_in_time_has_some_grace(hands, limit, grace):
    watch = Clock(limit)

    assert watch.grace == pytest.approx(grace)
    hands.update(now=100.0 + limit + 0.9 * grace)
    assert watch.is_up()
    assert not watch.is_overdue()
    hands.update(now=100.0 + limit + 1.1 * grace)
    assert watch.is_overdue()


def test_half_of_it_is_for_preparing(hands):
    watch = Clock(10.0)
    hands.update(now=103.0)

    assert watch.left_of_half() == 2.0


@pytest.fixture
def timers(monkeypatch):
    """Return what timers are asked for, of which none rings by itself."""
    asked = []

    class Timer:
        def __init__(self, seconds, ring, given):
            asked.append(self)
            self.seconds, self.ring, self.is_started, self.is_cancelled = seconds, lambda: ring(*given), False, False

        def start(self):
            self.is_started = True

        def cancel(self):
            self.is_cancelled = True

    monkeypatch.setattr(clock.threading, "Timer", Timer)
    return asked


def test_kernels_on_large_tables_are_told_when_it_is_overdue(hands, timers):
    flag = np.zeros(1, np.int64)
    watch = Clock(10.0)
    hands.update(now=104.0)

    with Stop(watch, Interrupt()).ringing(flag, LARGE):
        (timer,) = timers
        assert (timer.seconds, timer.is_started, timer.is_cancelled) == (6.0 + watch.grace, True, False)
        assert flag[0] == 0
        timer.ring()
        assert flag[0] == 1

    assert timer.is_cancelled


def test_a_timer_rings_by_itself():
    flag = np.zeros(1, np.int64)
    with Stop(Clock(0.01), Interrupt()).ringing(flag, LARGE):
        wait_until(lambda: flag[0] == 1)


@pytest.mark.parametrize(("limit", "n_rows"), [(10.0, LARGE - 1), (None, LARGE)])
def test_where_each_call_is_over_soon_or_nothing_is_late_nobody_waits(limit, n_rows, timers):
    with Stop(Clock(limit), Interrupt()).ringing(np.zeros(1, np.int64), n_rows):
        assert timers == []


def test_a_run_is_overdue_by_its_clock_or_after_an_interrupt(hands, monkeypatch):
    interrupt = Interrupt()
    stop = Stop(Clock(10.0), interrupt)
    monkeypatch.setattr("heirwood.interrupt.time.monotonic", lambda: hands["now"])
    assert not stop.is_overdue()

    interrupt.note(signal.SIGINT, None)
    assert not stop.is_overdue()
    hands.update(now=100.0 + PATIENCE + 0.01)
    assert stop.is_overdue()
