"""How long the rest of a list of tasks will take, by what they are thought to cost."""

from __future__ import annotations

import time
from collections.abc import Sequence

from heirwood.events import Event


class Pace:
    """Begins its clock when it is made, and is told when the next task is done.

    Parameters
    ----------
    efforts : sequence of float
        What each task is thought to cost, in any unit, in the order in which they are done.
    """

    def __init__(self, efforts: Sequence[float]) -> None:
        self._left = list(reversed(efforts))
        self._spent = 0.0
        self._started = time.monotonic()

    def done(self) -> None:
        """Note that the next task is done."""
        self._spent += self._left.pop()

    def event(self) -> Event:
        """Return the seconds so far, and those that are left if what is left costs what it should."""
        seconds = time.monotonic() - self._started
        left = seconds / self._spent * sum(self._left) if self._spent else None
        return {"seconds": seconds, "seconds_left": left}
