"""Threads that wait for work: all of it is done when the call returns, and nothing is left behind."""

import gc
import threading
import time
import weakref

import pytest

from heirwood.backends import spin_event as mark_module
from heirwood.backends import work_shares as shares_module
from heirwood.backends.spin_event import MOST_SLEEPS, SpinEvent
from heirwood.backends.thread_team import ThreadTeam
from heirwood.backends.work_shares import WorkShares
from tests.busy import HUNG


@pytest.fixture(params=["spins", "asleep"])
def spins(request, monkeypatch):
    """Threads that look out for work, as where each has a core, and threads that sleep at once."""
    looks = request.param == "spins"
    monkeypatch.setattr(shares_module, "usable_cores", lambda: 64 if looks else 1)
    return looks


@pytest.fixture
def crew(spins):
    crew = ThreadTeam(2, spins=spins)
    yield crew
    crew.dismiss()


class Work:
    """Work that can be seen to be gone."""

    def __init__(self, do=lambda share, thread: None):
        self.do = do

    def __call__(self, share, thread):
        self.do(share, thread)


def threads_of_ours():
    return {thread for thread in threading.enumerate() if thread.name.startswith("heirwood-")}


def is_soon(condition):
    """Wait, a minute at most, until something is so."""
    until = time.monotonic() + 60.0
    while not condition() and time.monotonic() < until:
        gc.collect()
        time.sleep(0.001)
    return condition()


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


def test_shares_are_all_done_once(spins):
    shares = WorkShares(3)
    done = [0] * 1000
    for _ in range(20):

        def count(share, thread):
            for place in range(share.start, share.stop):
                done[place] += 1

        shares.do(count, len(done))
    assert done == [20] * 1000


def test_what_fails_on_another_thread_is_raised_and_the_next_call_is_done(spins):
    shares = WorkShares(2)
    everyone = threading.Barrier(2)

    def fail_elsewhere(share, thread):
        if share.start <= 250:  # one of the two largest shares, of 250: each thread takes one
            everyone.wait(HUNG)
        if thread == 1:
            raise ValueError("no such row")

    with pytest.raises(ValueError, match="no such row"):
        shares.do(fail_elsewhere, 1000)
    done = []
    shares.do(lambda share, thread: done.extend(range(share.start, share.stop)), 1000)
    assert sorted(done) == list(range(1000))


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


def test_threads_end_with_whoever_had_them_and_hold_on_to_no_work(spins):
    before = threads_of_ours()
    shares, work = WorkShares(2), Work()
    gone = weakref.ref(work)
    shares.do(work, 100)
    assert len(threads_of_ours() - before) == 1
    del work
    assert is_soon(lambda: gone() is None)

    del shares
    assert is_soon(lambda: threads_of_ours() <= before)


def fail_everywhere(share, thread):
    raise ValueError("no such row")


def interrupt_the_wait(monkeypatch, release):
    """Have the wait for other threads interrupted, as by Ctrl-C; they finish after that."""

    def wait_for(mark, value, wait_for=SpinEvent.wait_for):
        if threading.current_thread() is threading.main_thread():
            release.set()
            raise KeyboardInterrupt
        wait_for(mark, value)

    monkeypatch.setattr(SpinEvent, "wait_for", wait_for)


def interrupt_the_call(monkeypatch, release):
    """Have the call interrupted before anyone else has heard of it."""

    def rise(mark, rise=SpinEvent.rise):
        if threading.current_thread() is threading.main_thread():
            monkeypatch.undo()
            release.set()
            raise KeyboardInterrupt
        rise(mark)

    monkeypatch.setattr(SpinEvent, "rise", rise)


@pytest.mark.parametrize("interrupt", [interrupt_the_wait, interrupt_the_call])
def test_an_interrupted_call_leaves_nothing_behind_and_the_next_one_is_done(spins, interrupt, monkeypatch):
    before = threads_of_ours()
    release = threading.Event()
    shares, work = WorkShares(3), Work(lambda share, thread: thread and release.wait(HUNG))
    gone = weakref.ref(work)
    shares.do(lambda share, thread: None, 10)
    with monkeypatch.context() as patched:
        interrupt(patched, release)
        with pytest.raises(KeyboardInterrupt):
            shares.do(work, 100)
    del work
    assert is_soon(lambda: gone() is None)
    assert is_soon(lambda: threads_of_ours() <= before)

    done = []
    shares.do(lambda share, thread: done.extend(range(share.start, share.stop)), 100)
    assert sorted(done) == list(range(100))


def test_nothing_is_left_where_every_thread_fails(spins):
    before = threads_of_ours()
    shares, work = WorkShares(3), Work(fail_everywhere)
    gone = weakref.ref(work)
    with pytest.raises(ValueError, match="no such row"):
        shares.do(work, 100)
    del work
    assert is_soon(lambda: gone() is None)
    assert is_soon(lambda: threads_of_ours() <= before)


def test_threads_end_where_not_all_could_be_started(spins, monkeypatch):
    before, start = threads_of_ours(), threading.Thread.start

    def start_two(thread):
        if len(threads_of_ours() - before) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    shares = WorkShares(5)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start_two)
        with pytest.raises(RuntimeError, match="can't start"):
            shares.do(Work(), 100)
    assert is_soon(lambda: threads_of_ours() <= before)


def test_who_looks_in_vain_looks_less_and_less_and_who_does_not_looks_on(monkeypatch):
    looked = []
    monkeypatch.setattr(mark_module, "spin_until", lambda at, value, looks: looked.append(value) or at[0] >= value)
    mark = SpinEvent(spins=True)

    assert not any(mark._spin_until(value) for value in range(1, 301))
    first = looked.copy()
    assert first == [1, 3, 7, 15, 31, 63, 127, 127 + MOST_SLEEPS + 1, 127 + 2 * (MOST_SLEEPS + 1)]

    mark._n_sleeps, mark._at[0] = 0, 1000
    assert all(mark._spin_until(value) for value in range(301, 311))
    assert looked[len(first) :] == list(range(301, 311))
