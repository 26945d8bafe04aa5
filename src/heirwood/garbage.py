"""How often Python looks for garbage, while what is made is made to stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000, 20, 1000  # objects, and passes over young ones, between two collections


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Look for garbage less often: modules and machine code are many objects that stay, and looking takes a tenth."""
    before = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
