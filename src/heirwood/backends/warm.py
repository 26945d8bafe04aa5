"""Compile (or load from the cache) every kernel of a run, once per process, before the clock starts.

Where nothing is compiled yet and there is a second core, a process of its own compiles half of the kernels while this
one compiles the others: Numba compiles one at a time, but they meet in the cache. Should it fail, nothing is lost but
time.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import parent_process

import numpy as np

from heirwood.backends.cores import usable_cores
from heirwood.backends.cpu import CpuBackend
from heirwood.backends.optimum import Optimum
from heirwood.backends.problem import Problem, operator_odds
from heirwood.core._jit import announce_if_cold, is_cold
from heirwood.core.draws import child_keys
from heirwood.core.route import route
from heirwood.core.rules import Rules
from heirwood.core.tournament import draw_winners
from heirwood.core.waiting import look_for
from heirwood.data.bank import make_bank
from heirwood.data.room import make_room
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.target import ClassTarget
from heirwood.garbage import seldom_collecting

HELPER = "from heirwood.backends.warm import help_out; help_out()"
LONGEST_WAIT = 300  # seconds


@cache
def warm_up(informed: bool = False) -> None:
    """Run every kernel once on a table of four rows; those of informed operators only where they are needed."""
    announce_if_cold("improve" if informed else "", alone=not _may_help())
    with seldom_collecting():
        with _helped(informed and is_cold("improve")):
            backend = _backend(informed)
            if informed:
                backend.compile_splitting()
                _look_ahead(backend)
                backend.compile_fitting()
                _read_found(backend)
            _compare(backend)
        if informed:
            _search(backend)
        _evaluate(backend)


def help_out() -> None:
    """Compile what another process will need after what it is compiling itself."""
    with seldom_collecting():
        _evaluate(_backend(informed=False))
        _search(_backend(informed=True))


def _backend(informed: bool) -> CpuBackend:
    """Return a backend on four rows."""
    table = Table(Schema((Column("x", "numeric"),)), np.asfortranarray(np.arange(4.0)[:, None]))
    bank = make_room(make_bank(table, max_cuts=1, room=2), table) if informed else make_bank(table)
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
    backend.prints(handles)
    draw_winners(np.zeros(1), np.uint64(0), 1, np.zeros(1, np.int64))
    look_for(np.zeros(1, np.int64), 0, 0)
    values, whole = np.asfortranarray(np.arange(4.0)[:, None]), np.zeros(1, np.int32)
    route(values, np.array([3], np.int8), whole, np.zeros(1), np.zeros(1, bool), whole, np.zeros(4, np.int64))


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


def _begin_search(backend: CpuBackend) -> Optimum:
    return backend.optimum(np.arange(backend.problem.bank.n_tests), 1, 2)


def _may_help() -> bool:
    """Say whether a helper would have a core, and whether this process may start one."""
    return usable_cores() > 1 and parent_process() is None and bool(sys.executable)


def _start_helper() -> subprocess.Popen | None:
    """Start a process that compiles beside this one, if it may; this one may itself be a worker of some pool."""
    if not _may_help():
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-c", HELPER],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HEIRWOOD_QUIET": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except OSError:
        return None


@contextmanager
def _helped(is_wanted: bool) -> Iterator[None]:
    """Have a helper beside what is done here, and wait for it; after too long, or an interrupt, it is ended."""
    helper = _start_helper() if is_wanted else None
    try:
        yield
        if helper is not None:
            with suppress(subprocess.TimeoutExpired):
                helper.wait(LONGEST_WAIT)
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()
