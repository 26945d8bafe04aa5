"""WorkShares of one generation's children, taken by threads until none is left.

Kernels run without the GIL, so plain threads of Python do. A share reads parents and writes its own children,
and what a child becomes depends on its key alone: who takes which share cannot change a result.
"""

import weakref
from collections.abc import Callable
from itertools import accumulate, pairwise

from heirwood.backends.cpu_count import usable_cores
from heirwood.backends.thread_team import ThreadTeam

# Shares of each thread, by size: large ones first, as every share costs a few microseconds under the GIL; small ones
# last, so that a thread that woke late, or had costly children, leaves little for the others to wait for.
SIZES = (3, 2, 1)


def shares_of(n: int, n_threads: int) -> list[slice]:
    """Return shares of 0 .. n - 1, none of them empty, the larger ones first."""
    ends = list(accumulate(size for size in SIZES for _ in range(n_threads)))
    cuts = [0, *(n * end // ends[-1] for end in ends)]
    return [slice(start, stop) for start, stop in pairwise(cuts) if start < stop]


class WorkShares:
    """Threads that do a piece of work together: the caller's own, and a team that lives as long as this.

    Parameters
    ----------
    n_threads : int
        With one, no other thread is ever started.
    """

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self._team: ThreadTeam | None = None
        self._dismiss: weakref.finalize | None = None

    def do(self, work: Callable[[slice, int], None], n: int) -> None:
        """Call `work` with every share of 0 .. n - 1 and the number of the thread; return when all are done."""
        if self.n_threads == 1:
            work(slice(0, n), 0)
            return
        # Its next() is one step of the interpreter: no two threads get the same.
        waiting = iter(shares_of(n, self.n_threads))

        def take_shares(thread: int) -> None:
            for share in waiting:
                work(share, thread)

        try:
            self._called_up().do(take_shares)
        except BaseException:
            self._give_up()
            raise

    def _called_up(self) -> ThreadTeam:
        """Return the team; it ends with this object, or when it is given up."""
        if self._team is None:
            self._team = ThreadTeam(self.n_threads - 1, spins=self.n_threads <= usable_cores())
            self._dismiss = weakref.finalize(self, self._team.dismiss)
        return self._team

    def _give_up(self) -> None:
        """Dismiss a team of which some may not have heard the last call; the next call gets another."""
        self._team = None
        if self._dismiss is not None:
            self._dismiss()
