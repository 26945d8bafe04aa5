"""What a run tells: one event per generation, a plain dict that is ready for JSON.

fold        cross-validation of the size comes to another fold (listeners only, before the run they are about)
start       what is run: seed, sizes of the table, settings
generation  best, mean, ledger, and the best tree when it changed
clock       how long that took: apart, so that two runs of one seed tell the same story
end         why the run stopped
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Event = dict[str, Any]
Listener = Callable[[Event], bool | None]

LEDGER_COLUMNS = ("rows", "rows_full", "checks", "checks_full", "words", "words_full")


def ledger_dict(sums: np.ndarray) -> dict[str, int]:
    """Name the six columns of the ledger."""
    return dict(zip(LEDGER_COLUMNS, sums.tolist(), strict=True))


def share_saved(spent: int, full: int) -> float:
    """Return the share of a full evaluation's cost that was saved."""
    return 1.0 - spent / full if full else 0.0


def mean(values: np.ndarray) -> float | None:
    """Return the mean, the same to the bit on every machine; None for infinities of both signs.

    Summed one after the other: how NumPy's own sum groups its terms depends on the processor.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(values.cumsum()[-1])
        if math.isfinite(total):
            return total / len(values)
        total = float((values / len(values)).cumsum()[-1])  # in case only the sum was too large
    return None if math.isnan(total) else total


def exact_sum(values: np.ndarray, most: int) -> int:
    """Return the sum of integers, none of them above `most`, however large it is."""
    return int(values.sum()) if most * len(values) < 2**63 else sum(values.tolist())


def tell(listeners: Iterable[Listener], event: Event) -> bool:
    """Tell every listener; return whether any of them asks to stop."""
    answers = [listener(event) for listener in listeners]
    return any(isinstance(answer, (bool, np.bool_)) and bool(answer) for answer in answers)
