"""How often Python looks for garbage, while what is made is made to stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SELDOM = 50_000, 20, 1000  # objects, and passes over young ones, between two collections

_lock = Lock()
_n_inside = 0  # threads; who leaves last sets what was found
_found = gc.get_threshold()


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Look for garbage less often: modules and machine code are many objects that stay, and looking takes a tenth."""
    global _n_inside, _found
    with _lock:
        if _n_inside == 0:
            _found = gc.get_threshold()
            gc.set_threshold(*SELDOM)
        _n_inside += 1
    try:
        yield
    finally:
        with _lock:
            _n_inside -= 1
            if _n_inside == 0:
                gc.set_threshold(*_found)
