"""Threads that wait for a piece of work, do it together with their caller, and wait again."""

from collections.abc import Callable
from threading import Thread
from typing import NamedTuple

from heirwood.backends.spin_event import SpinEvent

Work = Callable[[int], None]  # what one thread, by its number, does of it


class Task(NamedTuple):
    """A piece of work, and what went wrong with it on other threads than the caller's."""

    work: Work
    failed: list[BaseException]


class ThreadTeam:
    """Some threads, numbered from 1, that work when they are called. Number 0 is the caller.

    They end by `dismiss`, and hold on to no work that is done. Once a call has raised, whatever it was, some may have
    missed it: then a team can only be dismissed.

    Parameters
    ----------
    n_threads : int
    spins : bool
        Whether threads look out for what they wait for before they sleep; only where each has a core.
    """

    def __init__(self, n_threads: int, *, spins: bool) -> None:
        self._task: Task | None = None
        self._is_dismissed = False
        self._n_calls = 0
        self._called = [SpinEvent(spins) for _ in range(n_threads)]
        self._done = [SpinEvent(spins) for _ in range(n_threads)]

    def do(self, work: Work) -> None:
        """Call `work` on every thread, and as number 0 on this one; return when all are done.

        What fails on any thread is raised here once nobody is at work any more, unless that wait is interrupted.
        """
        if self._n_calls == 0:
            self._start()
        task = Task(work, [])
        try:
            self._task = task
            self._n_calls += 1
            for called in self._called:
                called.rise()
            try:
                work(0)
            finally:
                for done in self._done:
                    done.wait_for(self._n_calls)
        finally:
            self._task = None
        if task.failed:
            raise task.failed[0]

    def dismiss(self) -> None:
        """Let all threads end, those at work once they are done."""
        self._is_dismissed = True
        for called in self._called:
            called.rise()

    def _start(self) -> None:
        for number in range(1, len(self._called) + 1):
            Thread(target=self._serve, args=(number,), name=f"heirwood-{number}", daemon=True).start()

    def _serve(self, number: int) -> None:
        n_calls = 1
        self._called[number - 1].wait_for(n_calls)
        while not self._is_dismissed:
            self._take_part(number)
            self._done[number - 1].rise()
            n_calls += 1
            self._called[number - 1].wait_for(n_calls)

    def _take_part(self, number: int) -> None:
        """Do one's part; the task is held no longer than that."""
        task = self._task
        if task is None:  # its caller was interrupted, and does not wait
            return
        try:
            task.work(number)
        except BaseException as error:
            task.failed.append(error)
