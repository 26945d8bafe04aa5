"""Reading a journal from an offset on, and telling its events again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heirwood.events import Event, Listener
from heirwood.file_budgets import LINE, OBJECTS
from heirwood.file_names import check_path
from heirwood.journal.event_check import check_event
from heirwood.journal.writer import to_line
from heirwood.strict_json import count_values, parse


class Reading:
    """One pass over a journal, which may be a pipe: the events of its whole lines, as they are read.

    Parameters
    ----------
    path : str or path
    offset : int
        The byte to begin with.

    Attributes
    ----------
    end : int
        The offset after the last whole line so far.
    n_values : int
        How many values of JSON there were so far.
    n_torn : int
        Once all events are read, how many bytes follow the last whole line: 0, unless a run is writing, or was stopped
        while it wrote.
    """

    def __init__(self, path: str | Path, offset: int = 0) -> None:
        check_path(path)
        self._path, self._offset = path, offset
        self.end = offset
        self.n_values = self.n_torn = 0

    def __iter__(self) -> Iterator[Event]:
        most = LINE.most
        with open(self._path, "rb") as file:
            if self._offset > 0:  # a pipe cannot be sought in, but read from its beginning
                file.seek(self._offset)
            number = 1
            while (line := file.readline(most + 1)).endswith(b"\n"):
                yield self._event(line, number)
                number += 1
        LINE.check(len(line), self._where(number))
        self.n_torn = len(line)

    def _event(self, line: bytes, number: int) -> Event:
        try:
            text = line.decode("utf-8")
            event = check_event(parse(text))
        except ValueError as error:
            raise ValueError(f"{self._where(number)} is no event: {error}; is it a journal?") from None
        self.end += len(line)
        self.n_values += count_values(text)
        return event

    def _where(self, number: int) -> str:
        return f"line {number} after byte {self._offset} of {self._path}"


def read(path: str | Path, offset: int = 0) -> tuple[list[Event], int]:
    """Read the whole lines after a byte offset; return the events and the offset to go on from.

    A last line that is still being written, or was never finished, is left for the next call.

    Raises
    ------
    ValueError
        With the line, where one is no event as a run tells it, or there is more of it than `heirwood.file_budgets`
        allows.
    """
    reading = Reading(path, offset)
    events = []
    for event in reading:
        events.append(event)
        OBJECTS.check(reading.n_values, str(path))
    return events, reading.end


def replay(path: str | Path, *listeners: Listener) -> Iterator[Event]:
    """Tell the events of a journal again, in order and exactly as they were told; yield each.

    Events come as they are read: where a line is no event, those before it have been told.
    """
    for event in Reading(path):
        for listener in listeners:
            listener(event)
        yield event


def story(path: str | Path) -> list[str]:
    """Return the lines that depend on the seed alone: everything but the clock and the end."""
    return [to_line(event) for event in replay(path) if event["event"] not in ("clock", "end")]


def torn_tail(path: str | Path) -> int:
    """Return how many bytes follow the last whole line of a file, whatever its lines hold (`Reading.n_torn`)."""
    check_path(path)
    length = 0
    with open(path, "rb") as file:
        while part := file.read(2**20):
            place = part.rfind(b"\n")
            length = length + len(part) if place < 0 else len(part) - place - 1
    return length
