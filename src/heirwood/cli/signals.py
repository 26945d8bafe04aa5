"""Ctrl-C and SIGTERM on the command line: how each ends a command, and the line that is said.

    Python starts, modules are loaded    the process ends at once: there is nothing to undo, and an exception that
                                         is raised within an import can be lost, or come out as another one
    a command is at work                 KeyboardInterrupt is raised, or Terminated: files are whole, screens in order
    a tree is evolved                    the run is asked to end (heirwood.interrupt)

This comes before all else that is ours, so little is imported at once.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from heirwood.terminal_text import one_line

if TYPE_CHECKING:
    from types import FrameType

SIGNALLED = 128  # and the number of the signal: 130 for Ctrl-C, 143 for SIGTERM, as shells have it
START = "before anything was read or written"
_ours: set[signal.Signals] = set()  # what ends the process at once while modules are loaded


class Standing:
    """How things stand, for whoever ends the command now.

    Attributes
    ----------
    lost : str
        What is not there, and why: follows "interrupted".
    kept : str
        What there is, and where; "" where there is nothing, which is an error.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self, lost: str = START) -> None:
        """Note that nothing is kept yet."""
        self.lost, self.kept = lost, ""

    def line(self, signum: int) -> str:
        """Return what to say where a signal ends the command."""
        said = "terminated" if signum == signal.SIGTERM else "interrupted"
        words = f"{said}; {self.kept}" if self.kept else f"error: {said} {self.lost}"
        return one_line(f"heirwood: {words.rstrip()}")


standing = Standing()  # one, as a process has one handler for each signal


def end_at_once() -> None:
    """Let a signal end the process at once, unless somebody handles or ignores it; the process must be all ours."""
    for signum in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(signum) in (signal.default_int_handler, signal.SIG_DFL):
            _ours.add(signum)
            signal.signal(signum, _end)


def raise_instead() -> None:
    """Let these signals raise from now on."""
    from heirwood.interrupt import raise_terminated

    for signum in _ours:
        signal.signal(signum, raise_terminated if signum == signal.SIGTERM else signal.default_int_handler)


def leave_to_system() -> None:
    """Let these signals end the process without a word: all is done and told."""
    for signum in _ours:
        signal.signal(signum, signal.SIG_DFL)


def load(*modules: str) -> None:
    """Import what a command needs, which takes a second or two; a signal ends the process at once meanwhile."""
    for signum in _ours:
        signal.signal(signum, _end)
    try:
        for module in modules:
            import_module(module)
    finally:
        raise_instead()


def signal_of(error: BaseException) -> int:
    """Return the number of the signal that raised an exception."""
    from heirwood.interrupt import Terminated

    return signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT


def _end(signum: int, frame: FrameType | None) -> None:
    """Handle a signal: say how things stand, and end, with nothing left for Python to do."""
    line = f"{standing.line(signum)}\n"
    with suppress(OSError):  # not through sys.stderr, which may be at work itself
        os.write(2, line.encode(getattr(sys.stderr, "encoding", None) or "utf-8", "backslashreplace"))
    os._exit(SIGNALLED + signum)
