"""Work of others that cannot be interrupted: a thread does it, which is left alone where nobody waits any more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from heirwood.stopped_error import StoppedError

LOOK = 0.02  # seconds between two looks at whether anybody still waits


def call_until(must_end: Callable[[], bool], work: Callable[[], Any]) -> Any:
    """Return what a call returns; raise StoppedError where it must end before.

    Then the thread goes on until it is done, for nothing; it keeps no program from ending.
    """
    answer: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(work())
        except BaseException as error:  # it is raised where it is waited for
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOK)
        if thread.is_alive() and must_end():
            raise StoppedError
    if failure:
        raise failure[0]
    return answer[0]
