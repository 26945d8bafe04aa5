"""How much of a file is read: budgets, so that a small hostile file cannot take all memory.

Each has a default that honest files seldom come near, and an environment variable that sets another one. What this
process has in memory is not from strangers: it is checked with budgets lifted, so that a model can always be saved.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_are_lifted: ContextVar[bool] = ContextVar("budgets are lifted", default=False)


@contextmanager
def lifted() -> Iterator[None]:
    """Check no budget within: what is read was made here, and is in memory already."""
    token = _are_lifted.set(True)
    try:
        yield
    finally:
        _are_lifted.reset(token)


@dataclass(frozen=True)
class Budget:
    """The most of something that is read from one file; of classes, also from what `fit` is given.

    Parameters
    ----------
    variable : str
        The environment variable that sets it.
    default : int
        What it is where the variable is not set.
    what : str
        What is counted, in the plural.
    """

    variable: str
    default: int
    what: str

    @property
    def most(self) -> int:
        """The budget now: the variable may have been set since."""
        text = os.environ.get(self.variable, "")
        if not text.strip():
            return self.default
        try:
            most = int(text)
        except ValueError:
            most = 0
        if most < 1:
            raise ValueError(
                f"The environment variable {self.variable} is {text[:60]!r}; expected a whole number of at least 1, "
                f"or nothing for {self.default:,}."
            )
        return most

    def check(self, count: int, where: str, *, at_least: int = 0) -> None:
        """Raise ValueError where a file has more; what is expected of it anyway, `at_least`, is never too much."""
        if _are_lifted.get():
            return
        most = max(self.most, at_least)
        if count > most:
            raise ValueError(
                f"{where} has more than {most:,} {self.what}, the most that is read; if you trust it, set the "
                f"environment variable {self.variable} to a larger number"
            )


OBJECTS = Budget("HEIRWOOD_MAX_OBJECTS", 40_000_000, "values in JSON")  # of 70 bytes, at most
DEPTH = Budget("HEIRWOOD_MAX_DEPTH", 5_000, "questions on one path")
MODEL_BYTES = Budget("HEIRWOOD_MAX_MODEL_BYTES", 256 * 2**20, "bytes")
LINE = Budget("HEIRWOOD_MAX_LINE", 16 * 2**20, "characters in one line")
UNZIPPED = Budget("HEIRWOOD_MAX_UNZIPPED", 256 * 2**20, "bytes when it is unzipped")
CELLS = Budget("HEIRWOOD_MAX_CELLS", 2**26, "cells when it is unzipped")  # of 8 bytes
COLUMNS = Budget("HEIRWOOD_MAX_COLUMNS", 200_000, "columns")  # of 600 bytes, however few the rows
LEVELS = Budget("HEIRWOOD_MAX_LEVELS", 5_000_000, "different texts in its columns")  # of 270 bytes
CLASSES = Budget("HEIRWOOD_MAX_CLASSES", 2_000, "classes")  # of which every one is compared with every other
FILLED_IN = Budget("HEIRWOOD_MAX_FILLED_IN", 2**27, "cells that its sparse rows leave out")
BUDGETS = (OBJECTS, DEPTH, MODEL_BYTES, LINE, UNZIPPED, CELLS, COLUMNS, LEVELS, CLASSES, FILLED_IN)

# What a file may always hold, whatever the budgets, for each of its bytes: honest tables are zipped to a tenth or so.
EXPANSION = 50  # bytes when it is unzipped
CELLS_A_BYTE = 10  # in a file that is not zipped there is at most one
