"""Results, kept cell by cell: a file of JSON lines that an interrupted grid goes on with.

The first line says what all others have in common: version, seed, parameters, machine. A file that was begun under
other conditions is refused rather than mixed; a last line that was cut off is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from heirwood.atomic_write import write_atomically

Key = tuple[Any, ...]


class MixedResultsError(ValueError):
    """A file of results from another version, machine, seed or parameters."""


class Results:
    """The cells of one grid, in memory and in a file.

    Parameters
    ----------
    path : path or None
        The file, begun if it is not there; None keeps nothing.
    conditions : dict
        What every cell was measured under; must be that of the file.
    key_of : callable
        Returns what tells a cell from all others.
    """

    def __init__(self, path: Path | None, conditions: dict[str, Any], key_of: Callable[[dict[str, Any]], Key]) -> None:
        self.path = path
        self.conditions: dict[str, Any] = json.loads(json.dumps(conditions))  # as a file would give it back
        self._key_of = key_of
        self._cells: dict[Key, dict[str, Any]] = {}
        if path is not None:
            self._open(path)

    def get(self, key: Key) -> dict[str, Any] | None:
        """Return the cell with that key, or None if it was not measured yet."""
        return self._cells.get(key)

    def add(self, cell: dict[str, Any]) -> None:
        """Keep a cell, in the file at once."""
        self._cells[self._key_of(cell)] = cell
        if self.path is not None:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(_line(cell))

    def _open(self, path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        torn = lines.pop() if lines and not _is_whole(lines[-1]) else b""  # a write that was cut off
        if not lines:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, _line(self.conditions).encode())
            return
        entries = [self._parse(line, number) for number, line in enumerate(lines, start=1)]
        self._check_conditions(entries[0])
        self._cells = {self._key_of(cell): cell for cell in entries[1:]}
        if torn:  # cut off in place: what took hours to measure is never written again
            os.truncate(path, path.stat().st_size - len(torn))

    def _parse(self, line: bytes, number: int) -> dict[str, Any]:
        if not _is_whole(line):
            raise ValueError(f"line {number} of {self.path} is damaged; remove it, and its cell is measured again")
        entry: dict[str, Any] = json.loads(line)
        return entry

    def _check_conditions(self, found: dict[str, Any]) -> None:
        names = sorted(found.keys() | self.conditions.keys())
        differing = [name for name in names if found.get(name) != self.conditions.get(name)]
        if differing:
            what = "; ".join(f"{name} was {found.get(name)!r}, is {self.conditions.get(name)!r}" for name in differing)
            raise MixedResultsError(
                f"{self.path} holds results that cannot be mixed with these: {what}; name another folder or remove it"
            )


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def _is_whole(line: bytes) -> bool:
    try:
        return line.endswith(b"\n") and isinstance(json.loads(line), dict)
    except ValueError:
        return False
