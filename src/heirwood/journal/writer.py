"""Writing a journal: every event is one line of JSON, on disk before the run goes on.

A journal never costs a run: one that cannot be written any more is named in a warning, and the run goes on without it.
Whatever happens, the file holds whole lines: what a full disk or a kill left of the last one is cut off.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from io import FileIO
from pathlib import Path
from typing import Any

from heirwood.caller_stack import warn_user
from heirwood.events import Event
from heirwood.file_names import check_path

BEGINNING = b'{"event":"start"'  # of every journal
AT_ONCE = 2**16  # bytes


class JournalWarning(UserWarning):
    """A journal could not be written, or what was left of its last line was cut off."""


class JournalWriter:
    """A listener that writes every event as one line, at once, so that a crash loses nothing.

    Parameters
    ----------
    path : str or path
        The file; it is begun anew, or continued with ``append=True``. A file to continue must be a journal; where its
        last line is not whole, that line is cut off, and a warning says so.

    Raises
    ------
    OSError
        If the file cannot be opened; nothing was computed yet, so a run that was to write it ends.
    """

    def __init__(self, path: str | Path, *, append: bool = False) -> None:
        check_path(path)
        self.path = Path(path)
        self._file: FileIO | None = None
        is_continued = append and self.path.exists()
        self._file = _opened(self.path, "r+" if is_continued and self.path.is_file() else "w")
        self._is_regular = _is_regular(self._file)
        try:
            self._end = self._continue() if is_continued and self._is_regular else 0
        except BaseException:  # warnings may be errors
            self.close()
            raise

    def __call__(self, event: Event) -> None:
        """Write one event."""
        if self._file is None:
            return
        line = to_line(event).encode("utf-8", "replace")  # half a surrogate pair cannot be written
        try:
            self._write(line)
        except OSError as error:
            self._give_up(error)
        except BaseException:  # an interrupt in the middle of a line
            self._cut()
            raise

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        rest = memoryview(line)
        while rest:  # a full disk takes a part of it first
            rest = rest[self._file.write(rest) or 0 :]
        self._end += len(line)

    def _give_up(self, error: OSError) -> None:
        self._cut()
        self.close()  # first: warnings may be errors
        self._warn(
            f"cannot be written any more: {error.strerror or error}. It ends with what it has, and the run goes on "
            "without it."
        )

    def _warn(self, what: str) -> None:
        warn_user(JournalWarning(f"The journal {str(self.path)!r} {what}"))

    def _cut(self) -> None:
        """Cut off what there is of a line that is not whole."""
        if self._file is None or not self._is_regular:
            return
        try:
            self._file.truncate(self._end)
            self._file.seek(self._end)
        except OSError:  # the next one to continue the file does it
            pass

    def _continue(self) -> int:
        """Go to the end of the last whole line of the file, and cut off what follows; return where that is."""
        assert self._file is not None
        beginning = self._file.read(len(BEGINNING)) or b""
        size = self._file.seek(0, os.SEEK_END)
        end = self._last_line_end(size)
        if not beginning.startswith(BEGINNING) and (end or not BEGINNING.startswith(beginning)):
            raise ValueError(
                f"The journal {str(self.path)!r} is to be continued, but it does not begin like one; "
                "give another name, or remove the file."
            )
        if end < size:
            self._file.truncate(end)
            self._warn(
                f"ended within a line, as a full disk or a kill leaves it; these {size - end:,} bytes are cut off, "
                "and the journal is continued."
            )
        return self._file.seek(end)

    def _last_line_end(self, size: int) -> int:
        assert self._file is not None
        end = size
        while end > 0:
            start = max(0, end - AT_ONCE)
            self._file.seek(start)
            place = (self._file.read(end - start) or b"").rfind(b"\n")
            if place >= 0:
                return start + place + 1
            end = start
        return 0

    def close(self) -> None:
        """Close the file; later events are dropped."""
        if self._file is not None:
            file, self._file = self._file, None
            try:
                file.close()
            except OSError as error:  # some file systems only now say that they are full
                self._warn(f"may not be whole: {error.strerror or error}.")

    def __enter__(self) -> JournalWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(path: Path, mode: str) -> FileIO:
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {str(path.parent)!r} to write it to", str(path))
    return FileIO(str(path), mode)  # as a text, which is how an error names it


def _is_regular(file: FileIO) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


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
