"""How often Python looks for garbage, while what is made is made to stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000, 20, 1000  # objects, and passes over young ones, between two collections


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Look for garbage less often: modules and machine code are many objects that stay, and looking takes time.

    Where that is so already, by another thread or the user's choice, nothing is changed, so there is nothing to put
    back: whoever comes and goes first, no thread leaves what another one set.
    """
    before = gc.get_threshold()
    is_often = 0 < before[0] < SELDOM[0]
    try:
        if is_often:
            gc.set_threshold(*SELDOM)
        yield
    finally:
        if is_often:
            gc.set_threshold(*before)
