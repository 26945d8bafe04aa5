"""Results, one JSON line a cell, a file a contest; what is there is not run again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "field"
Key = tuple[str, str, str, int]


def key_of(cell: dict[str, Any]) -> Key:
    """Return what tells a cell of one contest from all others: learner, set, case, seed."""
    return cell["learner"], cell["set"], json.dumps(cell["case"], sort_keys=True), cell["seed"]


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

    def __contains__(self, key: Key) -> bool:
        return key in self._cells

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._cells.values())

    def add(self, cell: dict[str, Any]) -> None:
        """Keep a cell, on disk at once, so that a run can be stopped and several can share the file."""
        self._cells[key_of(cell)] = cell
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(cell, separators=(",", ":"), allow_nan=False) + "\n"
        with self.path.open("ab") as file:
            os.write(file.fileno(), line.encode())  # one write: lines of two runs do not mix

    def _read(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(
                    f"line {number} of {self.path} is damaged; remove it, and its cell is run again"
                ) from error
