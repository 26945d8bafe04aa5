"""Compile (or load from the cache) every kernel of a run, once per process, before the clock starts.

Where nothing is compiled yet and there is a second core, a process of its own compiles half of the kernels while this
one compiles the others: Numba compiles one at a time, but they meet in the cache. Should it fail, nothing is lost but
time.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from pathlib import Path

import numpy as np

from heirwood.backends.cpu import CpuBackend
from heirwood.backends.cpu_count import usable_cores
from heirwood.backends.optimal_search import OptimalSearch
from heirwood.backends.problem import Problem, operator_odds
from heirwood.core import informed_breeding
from heirwood.core._jit import CACHE, is_cold
from heirwood.core._notices import expecting
from heirwood.core.binned_columns import read_bins
from heirwood.core.draws import child_keys
from heirwood.core.route import route
from heirwood.core.rules import Rules
from heirwood.core.spin_wait import spin_until
from heirwood.core.tournament import draw_winners
from heirwood.data.cut_slots import make_cut_slots
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import make_bank
from heirwood.gc_pause import seldom_collecting
from heirwood.stopped_error import StoppedError

INFORMED = informed_breeding.__name__.rpartition(".")[2]  # the module of the largest kernels, as the cache names it
HELPER = "from heirwood.backends.compile_kernels import help_out; help_out()"
LONGEST_WAIT = 300  # seconds
LOOK_EVERY = 0.1  # seconds, whether an interrupt came


_warm: set[bool] = set()  # whether for informed operators, where all is compiled


def warm_up(informed: bool = False, interrupted: Callable[[], bool] = lambda: False) -> bool:
    """Run every kernel once on a table of four rows; those of informed operators only where they are needed.

    Parameters
    ----------
    informed : bool
    interrupted : callable
        Says whether to give up between two kernels.

    Returns
    -------
    bool
        Whether all is compiled.
    """
    if informed not in _warm:
        with seldom_collecting(), expecting(*_what_is_expected(informed)), suppress(StoppedError):
            _compile(informed, interrupted)
            _warm.add(informed)
    return informed in _warm


def _compile(informed: bool, interrupted: Callable[[], bool]) -> None:
    def check() -> None:
        if interrupted():
            raise StoppedError

    check()
    with _helped(informed and is_cold(INFORMED), interrupted):
        backend = _backend(informed)
        first: list[Callable[[CpuBackend], None]] = [_compare]
        if informed:
            first = [CpuBackend.compile_splitting, _look_ahead, CpuBackend.compile_fitting, _read_found, _compare]
        for step in first:
            check()
            step(backend)
    for step in [_search, _evaluate] if informed else [_evaluate]:
        check()
        step(backend)


def _what_is_expected(informed: bool) -> tuple[str, int]:
    """Return what may have to be compiled, and about how many seconds that takes, twice as many without a helper."""
    if is_cold(INFORMED if informed else ""):
        return "its kernels", (25 if _may_help() else 50) if informed else 12
    return "some of its kernels", 10  # the others are cached


def help_out() -> None:
    """Compile what another process will need after what it is compiling itself."""
    with seldom_collecting():
        _evaluate(_backend(informed=False))
        _search(_backend(informed=True))


def _backend(informed: bool) -> CpuBackend:
    """Return a backend on four rows."""
    table = Table(Schema((Column("x", "numeric"),)), np.asfortranarray(np.arange(4.0)[:, None]))
    bank = make_cut_slots(make_bank(table, max_cuts=1, room=2), table) if informed else make_bank(table)
    target = ClassTarget(np.array([0, 0, 1, 1]), np.ones(4, np.int64), 2)
    inner, leaf = operator_odds({"optimal_stump": 1.0} if informed else {"node_change": 1.0, "leaf_grow": 1.0})
    rules = Rules(bank.first, bank.tickets, 2, 4, 3, 1, 1.0, 1.0, 1, inner, leaf, True)
    return CpuBackend(Problem(bank, target, rules, True, True, 8))


def _evaluate(backend: CpuBackend) -> None:
    """Run the kernels that breed and evaluate."""
    handles = backend.start(child_keys(0, 0, 2))
    backend.refresh(backend.breed(handles, handles, child_keys(0, 1, 2)))


def _compare(backend: CpuBackend) -> None:
    """Run the kernels that tell trees apart, draw those that go on, and answer for new rows.

    The first trees need those of `_evaluate`, which a helper has compiled before all else.
    """
    handles = backend.start(child_keys(0, 0, 2))
    backend.keep(handles)
    backend.tree_hashes(handles)
    draw_winners(np.zeros(1), np.uint64(0), 1, np.zeros(1, np.int64))
    spin_until(np.zeros(1, np.int64), 0, 0)
    whole = np.zeros(1, np.int32)
    route(np.zeros((2, 4)), np.array([3], np.int8), whole, np.zeros(1), np.zeros(1, bool), whole, np.zeros(4, np.int64))
    bits = backend.problem.bank.bits
    read_bins(bits[:1], True, bits[0], np.zeros(4, np.uint16))
    if backend.problem.bank.exact is not None:
        backend.problem.bank.exact.ensure_ranked(0)


def _look_ahead(backend: CpuBackend) -> None:
    """Run the kernel that looks ahead."""
    lookahead = backend.lookahead()
    lookahead.arrive(())
    lookahead.scores()


def _search(backend: CpuBackend) -> None:
    """Run the kernel that searches for the best tree."""
    _begin_search(backend).go_on(2**20, 0)


def _read_found(backend: CpuBackend) -> None:
    """Run the kernel that reads what was found; here, nothing yet."""
    _begin_search(backend).genes()


def _begin_search(backend: CpuBackend) -> OptimalSearch:
    return backend.optimum(np.arange(backend.problem.bank.n_tests), 1, 2)


def _may_help() -> bool:
    """Say whether a helper would have a core, whether this process may start one, and whether they could meet."""
    is_possible = usable_cores() > 1 and parent_process() is None and bool(sys.executable)
    return is_possible and CACHE.writable_folder() is not None


def _start_helper() -> subprocess.Popen | None:
    """Start a process that compiles beside this one, if it may; this one may itself be a worker of some pool."""
    if not _may_help():
        return None
    folder = CACHE.writable_folder()
    assert folder is not None  # where they meet
    where = {"NUMBA_CACHE_DIR": str(folder.parent), "PYTHONPATH": _search_path()}
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-c", HELPER],  # without -P it would look for modules in the current folder first
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **where, "HEIRWOOD_QUIET": "1"},
            start_new_session=True,  # Ctrl-C in a terminal is for this process, which ends the helper if need be
        )
    except OSError:
        return None


def _search_path() -> str:
    """Return where a helper looks for modules: where this process does, but for the folder it happens to be in.

    That folder may be shared, and somebody may have left a `numpy.py` there. Should it be where `heirwood` itself comes
    from, it is searched last.
    """
    folders = [folder for folder in sys.path if os.path.isabs(folder)]
    return os.pathsep.join([*folders, str(Path(__file__).absolute().parents[2])])


@contextmanager
def _helped(is_wanted: bool, interrupted: Callable[[], bool]) -> Iterator[None]:
    """Have a helper beside what is done here, and wait for it; after too long, or an interrupt, it is ended."""
    helper = _start_helper() if is_wanted else None
    try:
        yield
        ends = time.monotonic() + LONGEST_WAIT
        while helper is not None and helper.poll() is None and not interrupted() and time.monotonic() < ends:
            with suppress(subprocess.TimeoutExpired):
                helper.wait(LOOK_EVERY)
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()
