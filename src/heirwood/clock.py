"""The seconds of a time limit: what is left of them, and equal parts of what is left."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from heirwood.backends.pairs import seconds_compiling


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

    def elapsed(self) -> float:
        """Return the seconds that count so far."""
        return time.monotonic() - self._started - (seconds_compiling() - self._compiled)

    def left(self) -> float:
        """Return the seconds that are left, below zero once the time is up; infinitely many without a limit."""
        return self._limit - self.elapsed()

    def is_up(self) -> bool:
        """Say whether the time is up."""
        return self.left() < 0.0

    def part(self, n_parts: int) -> Callable[[], bool]:
        """Return what says whether the first of some equal parts of the time left from now on is up."""
        left = self.left()
        if left == math.inf:
            return lambda: False
        end = left - max(left, 0.0) / n_parts
        return lambda: self.left() < end
