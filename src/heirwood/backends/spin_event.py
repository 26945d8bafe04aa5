"""A counter that one thread raises and another waits for: the wait spins for a while, then sleeps.

To wake a sleeping thread may take a tenth of a millisecond, so the waiting thread spins first, without the GIL. Where
all cores are busy, spinning takes one from the others: a thread that has spun in vain sleeps at once the next time, and
twice as many times after every further failure, up to `MOST_SLEEPS`.
"""

from queue import SimpleQueue

import numpy as np

from heirwood.backends.aligned_alloc import aligned_zeros
from heirwood.core.spin_wait import MOST_SPINS, spin_until

MOST_SLEEPS = 64  # waits without spinning, before it is tried again


class SpinEvent:
    """A counter that only grows, from 0 on; one thread raises it and one other waits for it.

    Parameters
    ----------
    spins : bool
        Whether to spin before sleeping.
    """

    def __init__(self, spins: bool) -> None:
        self._at = aligned_zeros((1,), np.int64)
        self._is_asleep = False
        self._bell: SimpleQueue[None] = SimpleQueue()  # safe to ring from a finalizer, which a lock would not be
        self._n_spins = MOST_SPINS if spins else 0
        self._n_sleeps = 0  # waits still to come without spinning,
        self._last_n_sleeps = 0  # and how many they were at first

    def rise(self) -> None:
        """Raise it by one; should the other thread sleep, wake it."""
        self._at[0] += 1
        if self._is_asleep:
            self._bell.put(None)

    def wait_for(self, value: int) -> None:
        """Return when it has come to a value."""
        if not self._spin_until(value):
            self._sleep_until(value)

    def _spin_until(self, value: int) -> bool:
        if self._n_sleeps:
            self._n_sleeps -= 1
            return False
        if spin_until(self._at, value, self._n_spins):
            self._last_n_sleeps = 0
            return True
        self._n_sleeps = self._last_n_sleeps = min(2 * self._last_n_sleeps + 1, MOST_SLEEPS)
        return False

    def _sleep_until(self, value: int) -> None:
        # The flag is set before the counter is read once more, and the GIL keeps that order: a thread that raises the
        # counter after that read sees the flag, and rings. A ring too many only ends the next sleep early.
        self._is_asleep = True
        while self._at[0] < value:
            self._bell.get()
        self._is_asleep = False
