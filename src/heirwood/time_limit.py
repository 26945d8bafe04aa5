"""When a run has to end: the seconds of a time limit, parts of them, and an interrupt."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from heirwood.backends.depth2_search import seconds_compiling
from heirwood.interrupt import Interrupt

GRACE, GRACE_SHARE = 0.1, 0.03  # seconds, or share of a limit, by which what was begun in time may be late
LARGE = 2**17  # rows, from which on one call of a kernel may take longer than that


class Clock:
    """Runs from the moment it is made; what kernels take to be compiled does not count.

    Parameters
    ----------
    limit : float or None
        Seconds; None for no limit.
    """

    def __init__(self, limit: float | None) -> None:
        self._limit = math.inf if limit is None else limit
        self._started, self._compiled = time.monotonic(), seconds_compiling()

    def start_anew(self) -> None:
        """Begin once more: what was done so far does not count."""
        self._started, self._compiled = time.monotonic(), seconds_compiling()

    @property
    def limit(self) -> float:
        """Seconds in all; infinitely many without a limit."""
        return self._limit

    def elapsed(self) -> float:
        """Return the seconds that count so far."""
        return time.monotonic() - self._started - (seconds_compiling() - self._compiled)

    def left(self) -> float:
        """Return the seconds that are left, below zero once the time is up; infinitely many without a limit."""
        return self._limit - self.elapsed()

    def left_of_half(self) -> float:
        """Return the seconds that are left of the first half."""
        return self._limit / 2 - self.elapsed()

    def is_up(self) -> bool:
        """Say whether the time is up."""
        return self.left() < 0.0

    def is_overdue(self) -> bool:
        """Say whether the time was up so long ago that what was begun before cannot be waited for."""
        return self.left() < -self.grace

    @property
    def grace(self) -> float:
        """Seconds by which what was begun in time may be late."""
        return max(GRACE, GRACE_SHARE * self._limit) if self._limit < math.inf else math.inf

    def part(self, n_parts: float) -> Clock:
        """Return a clock that runs from now on for the first of some equal parts of the time left."""
        left = self.left()
        return Clock(None if left == math.inf else max(left, 0.0) / n_parts)


class Stop:
    """Says when a run is to end.

    Parameters
    ----------
    clock : Clock
    interrupt : Interrupt
    """

    def __init__(self, clock: Clock, interrupt: Interrupt) -> None:
        self.clock = clock
        self.interrupt = interrupt

    def is_overdue(self) -> bool:
        """Say whether what is being done is to be given up."""
        return self.interrupt.is_overdue or self.clock.is_overdue()

    @contextmanager
    def ringing(self, flag: np.ndarray, n_rows: float) -> Iterator[None]:
        """Set a flag, which kernels look at, once the time is overdue: on large tables one call may take seconds.

        Parameters
        ----------
        flag : (1,) int64, updated in place
        n_rows : float
        """
        if self.clock.limit == math.inf or n_rows < LARGE:
            yield
            return
        timer = threading.Timer(max(self.clock.left() + self.clock.grace, 0.0), _ring, (flag,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _ring(flag: np.ndarray) -> None:
    flag[0] = 1
