"""How far a grid is, on standard error: a bar on a terminal, a plain line now and then elsewhere.

37/352 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ zoo, 200, m = 0.5, x = 10^4: 61.2% saved; 12 s, 14:05 left
"""

from __future__ import annotations

import sys
import time
from typing import Any

from heirwood.events import Event
from lab.paper.printed import SETTINGS

LINE_EVERY = 5.0  # seconds


class GridProgress:
    """A listener of `run_grid`; use it as a context manager."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._due = 0.0

    def __enter__(self) -> GridProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}"))
            self._bar = Progress(*columns, console=Console(stderr=True))
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self, event: Event) -> None:
        """Show an event, if it is time to."""
        if event["event"] == "grid":
            kept = f"{event['done']} of {event['cells']} cells are there already" if event["done"] else ""
            self._show(event, kept or f"{event['cells']} cells", now=True)
        elif event["event"] == "cell":
            words = f"{self.what(event['cell'])}; {duration(event['seconds'])}, {duration(event['seconds_left'])} left"
            self._show(event, words, now=event["done"] == event["cells"])

    def what(self, cell: dict[str, Any]) -> str:
        """Return what to say of a cell."""
        return f"{cell['set']}, {cell['size']}, {SETTINGS[cell['table']]}: {cell['rows_saved']:.1f}% saved"

    def _show(self, event: Event, words: str, *, now: bool) -> None:
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task(words, total=event["cells"])
            self._bar.update(self._task, completed=event["done"], description=words)
        elif now or time.monotonic() >= self._due:
            self._due = time.monotonic() + LINE_EVERY
            print(f"{event['done']}/{event['cells']} {words}", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Return a time in words: 12 s, 3:05, 1:00:00."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"
