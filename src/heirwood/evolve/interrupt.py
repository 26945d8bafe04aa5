"""Ctrl-C: the first asks the run to end with the best tree so far, the second raises."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from heirwood.frames import callers


@contextmanager
def gentle_interrupt(enabled: bool = True) -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether Ctrl-C was pressed.

    Only Python's own handler is replaced, only in the main thread (elsewhere Python does not allow
    it), and only while the context lasts.
    """
    ours = (
        enabled
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not ours:
        yield lambda: False
        return
    pressed = False

    def note(signum: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def inside_meta_estimator() -> bool:
    """Say whether a `fit` of ours was called by scikit-learn or joblib, not by the user.

    There a tree of an interrupted run would pass for a finished one, so Ctrl-C must raise.
    """
    modules = (frame.f_globals.get("__name__", "") for frame in callers())
    return any(module.partition(".")[0] in ("sklearn", "joblib") for module in modules)
