"""Names of files."""

from __future__ import annotations

import os


def check_path(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> None:
    """Raise ValueError, in words of ours, for a name that no file can have."""
    name = os.fsdecode(path)
    if "\0" in name:
        raise ValueError(f"The path {name!r:.200} has a NUL character in it, which no file's name can have.")
