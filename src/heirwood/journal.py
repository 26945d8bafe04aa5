"""The journal: a run's events as JSON lines, written as they come, read from an offset, replayed."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from heirwood.events import Event, Listener

VERSION = 1


class JournalWriter:
    """A listener that writes every event as one line, flushed at once, so that a crash loses nothing.

    Parameters
    ----------
    path : str or path
        The file; it is begun anew, or continued with ``append=True``.
    """

    def __init__(self, path: str | Path, *, append: bool = False) -> None:
        self.path = Path(path)
        self._file: TextIO | None = self.path.open("a" if append else "w", encoding="utf-8", newline="\n")

    def __call__(self, event: Event) -> None:
        """Write one event."""
        if self._file is not None:
            self._file.write(to_line(event))
            self._file.flush()

    def close(self) -> None:
        """Close the file; later events are dropped."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> "JournalWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def to_line(event: Event) -> str:
    """Return an event as one line of JSON; an infinite payoff, which JSON lacks, as the text "inf" or "-inf"."""
    try:
        text = json.dumps(event, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(event), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def read(path: str | Path, offset: int = 0) -> tuple[list[Event], int]:
    """Read the whole lines after a byte offset; return the events and the offset to go on from.

    A last line that is still being written is left for the next call.
    """
    with Path(path).open("rb") as file:
        file.seek(offset)
        data = file.read()
    end = data.rfind(b"\n") + 1
    events = []
    for number, line in enumerate(data[:end].splitlines(), start=1):
        try:
            event: Any = json.loads(line)
        except ValueError as error:
            raise ValueError(
                f"line {number} after byte {offset} of {path} is not JSON ({error}); is it a journal?"
            ) from None
        if not isinstance(event, dict) or "event" not in event:
            raise ValueError(f"line {number} after byte {offset} of {path} is no event; is it a journal?")
        events.append(_with_infinities(event))
    return events, offset + end


def _with_infinities(event: Event) -> Event:
    """Return an event with the payoffs that were written as text."""
    for part in ("best", "mean"):
        if isinstance(event.get(part), dict) and event[part].get("payoff") in ("inf", "-inf"):
            event[part]["payoff"] = float(event[part]["payoff"])
    return event


def replay(path: str | Path, *listeners: Listener) -> Iterator[Event]:
    """Tell the events of a journal again, in order and exactly as they were told; yield each."""
    events, _ = read(path)
    for event in events:
        for listener in listeners:
            listener(event)
        yield event


def story(path: str | Path) -> list[str]:
    """Return the lines that depend on the seed alone: everything but the clock and the end."""
    events, _ = read(path)
    return [to_line(event) for event in events if event["event"] not in ("clock", "end")]
