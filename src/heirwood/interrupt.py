"""Ctrl-C and SIGTERM: the first asks the run to end with the best tree so far, the second ends it at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from heirwood.caller_stack import callers

PATIENCE = 0.2  # seconds that a generation may still take after an interrupt; what takes longer is cut short


class Terminated(KeyboardInterrupt):
    """SIGTERM came, in a program that ends by it as it does by Ctrl-C."""


def raise_terminated(signum: int, frame: FrameType | None) -> None:
    """Handle SIGTERM as Python handles Ctrl-C: for programs that are nothing but ours."""
    raise Terminated


class Interrupt:
    """Says whether somebody asked a run to end.

    Attributes
    ----------
    signal : int or None
        The signal that asked first.
    is_of_ours : bool
        Whether the program is nothing but ours, so that a second SIGTERM ends it as a second Ctrl-C does.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self.is_of_ours = False
        self._when = 0.0

    def __call__(self) -> bool:
        """Say whether a signal came."""
        return self.signal is not None

    @property
    def is_overdue(self) -> bool:
        """Whether one came so long ago that what is being done cannot be waited for."""
        return self.signal is not None and time.monotonic() - self._when > PATIENCE

    def note(self, signum: int, frame: FrameType | None) -> None:
        """Handle a signal: note the first, obey the second as if nobody handled it."""
        if self.signal is None:
            self.signal, self._when = signum, time.monotonic()
        elif signum == signal.SIGINT:
            raise KeyboardInterrupt
        elif self.is_of_ours:
            raise Terminated
        else:
            signal.signal(signum, signal.SIG_DFL)
            signal.raise_signal(signum)


@contextmanager
def gentle_interrupt(enabled: bool = True) -> Iterator[Interrupt]:
    """Yield what says whether Ctrl-C was pressed or SIGTERM sent.

    Only the default handlers are replaced, only in the main thread (elsewhere Python does not allow
    it), and only while the context lasts. Within another such context, that one's is yielded.
    """
    interrupt = Interrupt()
    if not enabled or threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    defaults = {signal.SIGINT: (signal.default_int_handler,), signal.SIGTERM: (signal.SIG_DFL, raise_terminated)}
    found = {signum: signal.getsignal(signum) for signum in defaults}
    for handler in found.values():  # of either: in the background nobody hears Ctrl-C, but SIGTERM
        already = getattr(handler, "__self__", None)
        if isinstance(already, Interrupt):
            yield already
            return
    before = {signum: handler for signum, handler in found.items() if handler in defaults[signum]}
    interrupt.is_of_ours = found[signal.SIGTERM] is raise_terminated
    for signum in before:
        signal.signal(signum, interrupt.note)
    try:
        yield interrupt
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


def inside_meta_estimator() -> bool:
    """Say whether a `fit` of ours was called by scikit-learn or joblib, not by the user.

    There a tree of an interrupted run would pass for a finished one, so Ctrl-C must raise.
    """
    modules = (frame.f_globals.get("__name__", "") for frame in callers())
    return any(module.partition(".")[0] in ("sklearn", "joblib") for module in modules)
