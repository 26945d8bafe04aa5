"""Threads that wait for work: all of it is done when the call returns, and nothing is left behind."""

import gc
import threading
import time
import weakref

import pytest

from heirwood.backends import crew as crew_module
from heirwood.backends.crew import Crew
from heirwood.backends.shares import Shares


@pytest.fixture(params=["looking", "asleep"])
def looks(request, monkeypatch):
    """Threads that look out for work, and threads that always fall asleep first."""
    if request.param == "asleep":
        monkeypatch.setattr(crew_module, "LOOKS", 0)


@pytest.fixture
def crew(looks):
    crew = Crew(2)
    yield crew
    crew.dismiss()


def threads_of_ours():
    return [thread for thread in threading.enumerate() if thread.name.startswith("heirwood-")]


def all_gone():
    """Wait, at most ten seconds, until no thread of ours is alive."""
    until = time.monotonic() + 10.0
    while threads_of_ours() and time.monotonic() < until:
        time.sleep(0.001)
    return not threads_of_ours()


def test_every_thread_does_its_part_of_every_call(crew):
    for call in range(300):
        parts = []

        def note(thread, parts=parts, call=call):
            if call % 100 == thread:
                time.sleep(0.005)  # longer than anyone looks: the others have to be rung
            parts.append(thread)

        crew.do(note)
        assert sorted(parts) == [0, 1, 2]
        if call % 100 == 99:
            time.sleep(0.005)


def test_shares_are_all_done_once(looks):
    shares = Shares(3)
    done = [0] * 1000
    for _ in range(20):

        def count(share, thread):
            for place in range(share.start, share.stop):
                done[place] += 1

        shares.do(count, len(done))
    assert done == [20] * 1000


def test_what_fails_on_another_thread_is_raised_and_the_crew_works_on(crew):
    def fail_on_the_last(thread):
        if thread == 2:
            raise ValueError("no such row")

    with pytest.raises(ValueError, match="no such row"):
        crew.do(fail_on_the_last)
    parts = []
    crew.do(parts.append)
    assert sorted(parts) == [0, 1, 2]


def test_what_fails_here_is_raised_when_nobody_is_at_work_any_more(crew):
    finished = []

    def fail_at_once(thread):
        if thread == 0:
            raise KeyboardInterrupt
        time.sleep(0.02)
        finished.append(thread)

    with pytest.raises(KeyboardInterrupt):
        crew.do(fail_at_once)
    assert sorted(finished) == [1, 2]


def test_threads_end_with_whoever_had_them_and_hold_on_to_no_work(looks):
    assert all_gone()
    shares = Shares(2)

    class Work:
        def __call__(self, share, thread):
            pass

    work = Work()
    gone = weakref.ref(work)
    shares.do(work, 100)
    assert len(threads_of_ours()) == 1
    del work
    gc.collect()
    assert gone() is None

    del shares
    assert all_gone()
