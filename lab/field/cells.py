"""Results, one JSON line a cell, a file a contest; what is there is not run again."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "field"
Key = tuple[str, str, str, int]


def key_of(cell: dict[str, Any]) -> Key:
    """Return what tells a cell of one contest from all others: learner, set, case, seed."""
    return cell["learner"], cell["set"], json.dumps(cell["case"], sort_keys=True), cell["seed"]


def is_short(cell: dict[str, Any]) -> bool:
    """Say whether a fit ran out its time limit on a machine too busy to give it that much of a core."""
    limit = cell.get("time_limit")
    if "failed" in cell or not limit or cell["cpu"] >= 0.95 * limit:
        return False
    return bool(0.98 * limit <= cell["wall"] <= 1.25 * limit)  # far beyond it: a peer that knows no limit


#: Which cells that are there are run again.
AGAIN: dict[str, Callable[[dict[str, Any]], bool]] = {
    "none": lambda cell: False,
    "all": lambda cell: True,
    "short": is_short,
    "failed": lambda cell: "failed" in cell,
}


def case_words(case: dict[str, Any]) -> str:
    """Return a case in words."""
    values = (value if isinstance(value, str) else f"{value:.4g}" for value in case.values())
    return ", ".join(f"{name} {value}" for name, value in zip(case, values, strict=True))


class Cells:
    """The cells of one contest; a later line replaces an earlier one of the same key.

    Parameters
    ----------
    contest : str
    folder : path, optional
    """

    def __init__(self, contest: str, folder: Path = FOLDER) -> None:
        self.path = folder / f"{contest}.jsonl"
        self._cells = {key_of(cell): cell for cell in self._read()}

    def wants(self, cell: dict[str, Any], again: str = "none") -> bool:
        """Say whether a cell is to be run: it is not there, or it is one that is run again."""
        found = self._cells.get(key_of(cell))
        return found is None or AGAIN[again](found)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._cells.values())

    def add(self, cell: dict[str, Any]) -> None:
        """Keep a cell, on disk at once, so that a run can be stopped and several can share the file."""
        self._cells[key_of(cell)] = cell
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = (json.dumps(cell, separators=(",", ":"), allow_nan=False) + "\n").encode()
        with self.path.open("ab") as file:
            if os.write(file.fileno(), line) < len(line):  # one write: lines of two runs do not mix
                raise OSError(errno.ENOSPC, "a cell could not be written whole", str(self.path))

    def _read(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        *lines, torn = self.path.read_bytes().split(b"\n")
        if torn:  # a write that was cut off; what is appended would go on from there
            os.truncate(self.path, self.path.stat().st_size - len(torn))
        for number, line in enumerate(lines, start=1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(
                    f"line {number} of {self.path} is damaged; remove it, and its cell is run again"
                ) from error
