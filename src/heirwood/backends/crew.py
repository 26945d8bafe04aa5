"""Threads that wait for a piece of work, do it together with their caller, and wait again.

Between two generations they look out for the next one instead of sleeping, for the half millisecond that it usually
takes: to wake a thread takes longer than to hand it a hundred children. After that they sleep and have to be rung.
"""

from collections.abc import Callable
from threading import Semaphore, Thread

import numpy as np

from heirwood.core.waiting import LOOKS, look_for

Work = Callable[[int], None]  # what one thread, by its number, does of it


class Mark:
    """A number that only grows; one thread raises it and one other waits for it."""

    def __init__(self) -> None:
        self._at = np.zeros(48, np.int64)[16:17]  # alone in its cache lines: two cores would pass them to and fro
        self._is_asleep = False
        self._bell = Semaphore(0)
        look_for(self._at, 0, 0)  # compiled before anyone waits

    def rise(self) -> None:
        """Raise it by one; should the other thread sleep, wake it."""
        self._at[0] += 1
        if self._is_asleep:
            self._bell.release()

    def wait_for(self, value: int) -> None:
        """Return when it has come to a value."""
        while not look_for(self._at, value, LOOKS):
            # Said before looking once more: whoever raises it after that look sees that somebody is asleep. A bell
            # that was rung for nothing is heard the next time, and then this looks again.
            self._is_asleep = True
            if self._at[0] < value:
                self._bell.acquire()
            self._is_asleep = False


class Crew:
    """Some threads, numbered from 1, that work when they are called.

    They end by `dismiss`, and hold on to no work that is done.
    """

    def __init__(self, n_threads: int) -> None:
        self._work: Work | None = None
        self._failed: list[BaseException] = []
        self._n_calls = 0
        self._called = [Mark() for _ in range(n_threads)]
        self._done = [Mark() for _ in range(n_threads)]
        for number in range(n_threads):
            Thread(target=self._serve, args=(number,), name=f"heirwood-{number + 1}", daemon=True).start()

    def do(self, work: Work) -> None:
        """Call `work` on every thread, and as number 0 on this one; return when all are done.

        What fails on any thread is raised here, once nobody is at work any more.
        """
        self._call(work)
        try:
            work(0)
        finally:
            for done in self._done:
                done.wait_for(self._n_calls)
            self._work = None
        if self._failed:
            raise self._failed.pop()

    def dismiss(self) -> None:
        """Let all threads end."""
        self._call(None)

    def _call(self, work: Work | None) -> None:
        self._work = work
        self._failed.clear()
        self._n_calls += 1
        for called in self._called:
            called.rise()

    def _serve(self, number: int) -> None:
        n_calls = 1
        self._called[number].wait_for(n_calls)
        while self._work is not None:
            self._do_part(number + 1)
            self._done[number].rise()
            n_calls += 1
            self._called[number].wait_for(n_calls)

    def _do_part(self, thread: int) -> None:
        assert self._work is not None
        try:
            self._work(thread)
        except BaseException as error:
            self._failed.append(error)
