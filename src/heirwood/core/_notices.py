"""What a waiting user is told on standard error, unless HEIRWOOD_QUIET is set."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def say(message: str) -> None:
    """Write a line to standard error, unless HEIRWOOD_QUIET is set; where that cannot be done, go on without."""
    if os.environ.get("HEIRWOOD_QUIET") or sys.stderr is None:
        return
    with suppress(OSError, ValueError):  # a full disk, a reader that is gone, a closed stream
        print(f"heirwood: {message}", file=sys.stderr, flush=True)


class _Waiting:
    """What is being compiled, for whoever waits; each is told once in a process."""

    what, seconds = "a kernel", 5
    told: set[str] = set()  # noqa: RUF012


@contextmanager
def expecting(what: str, seconds: int) -> Iterator[None]:
    """Say what is compiled, and about how long that takes, should anything have to be."""
    before = _Waiting.what, _Waiting.seconds
    _Waiting.what, _Waiting.seconds = what, seconds
    try:
        yield
    finally:
        _Waiting.what, _Waiting.seconds = before


def tell_of_compiling() -> None:
    """Tell a waiting user why this takes longer than it will the next time."""
    if _Waiting.what not in _Waiting.told:
        _Waiting.told.add(_Waiting.what)
        say(f"compiling {_Waiting.what}, once for this machine (about {_Waiting.seconds} seconds) ...")
