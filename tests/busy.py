"""What keeps tests of time honest on a busy machine: a clock that stands still while others have the core, and tries.

A test fails where the code is slow, hung or late, not where the machine is. So a bound on seconds is held against
`own_seconds`, and against the best of several tries with longer and longer pauses between; a fault is there every time.
"""

import time
from pathlib import Path

from heirwood.backends.depth2_search import seconds_compiling

HUNG = 600  # seconds after which a program is taken for hung: it may compile, beside others that do
TRIES = 6
PAUSE = 0.25  # seconds before the second try, and twice as many before each one after it


def own_seconds():
    """Return seconds that stand still while kernels are compiled, and while this thread waits for a core."""
    try:
        waited = int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:  # not Linux
        waited = 0.0
    return time.monotonic() - waited - seconds_compiling()


def tries(n=TRIES, pause=PAUSE):
    """Yield the numbers of some tries, to be left by `break` once one is well; the machine has a rest between them."""
    for number in range(n):
        if number:
            time.sleep(pause * 2 ** (number - 1))
        yield number


def wait_until(is_so, process=None):
    """Wait until something is so, as long as a process that is to bring it about goes on."""
    until = time.monotonic() + HUNG
    while not is_so():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < until, "hung"
        time.sleep(0.02)


def wait_for_run(journal, process):
    """Wait until the run of a process is under way, by its journal."""
    wait_until(lambda: journal.exists() and journal.stat().st_size > 2000, process)


def fewest_seconds(within, work):
    """Return the fewest own seconds that some work takes, over tries until one is within a bound."""
    fewest = float("inf")
    for _ in tries():
        began = own_seconds()
        work()
        fewest = min(fewest, own_seconds() - began)
        if fewest < within:
            break
    return fewest
