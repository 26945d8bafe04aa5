"""A number that one thread raises and another waits for, at first with open eyes.

To wake a thread that sleeps may take a tenth of a millisecond. So whoever waits looks at the number again and again
for a while, without the GIL, and sleeps only then. Looking takes a core from others where all are busy: who has looked
in vain sleeps at once the next time, and more and more times the more often that happened.
"""

from queue import SimpleQueue

import numpy as np

from heirwood.backends.aligned_alloc import apart
from heirwood.core.spin_wait import LOOKS, look_for

MOST_NAPS = 64  # waits that are slept through before looking is tried again


class Mark:
    """A number that only grows, from 0 on; one thread raises it and one other waits for it.

    Parameters
    ----------
    looking : bool
        Whether to look before sleeping.
    """

    def __init__(self, looking: bool) -> None:
        self._at = apart((1,), np.int64)
        self._is_asleep = False
        self._bell: SimpleQueue[None] = SimpleQueue()  # safe to ring from a finalizer, which a lock would not be
        self._looks = LOOKS if looking else 0
        self._naps = 0  # waits still to be slept through,
        self._last_naps = 0  # and how many they were at first

    def rise(self) -> None:
        """Raise it by one; should the other thread sleep, wake it."""
        self._at[0] += 1
        if self._is_asleep:
            self._bell.put(None)

    def wait_for(self, value: int) -> None:
        """Return when it has come to a value."""
        if not self._look_for(value):
            self._sleep_until(value)

    def _look_for(self, value: int) -> bool:
        if self._naps:
            self._naps -= 1
            return False
        if look_for(self._at, value, self._looks):
            self._last_naps = 0
            return True
        self._naps = self._last_naps = min(2 * self._last_naps + 1, MOST_NAPS)
        return False

    def _sleep_until(self, value: int) -> None:
        # Asleep is said before looking once more, and the GIL keeps that order: whoever raises the number after that
        # look knows whom to ring for. What was rung for nothing is heard the next time, and looked after.
        self._is_asleep = True
        while self._at[0] < value:
            self._bell.get()
        self._is_asleep = False
