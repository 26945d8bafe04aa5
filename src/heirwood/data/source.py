"""Opening files of data, gzipped or not."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TextIO


def open_text(path: Path) -> TextIO:
    """Open a text file in UTF-8, with or without a byte order mark, unzipping ``.gz``."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return open(path, encoding="utf-8-sig", newline="")


def data_suffix(path: Path) -> str:
    """Return the suffix that tells the format, in lower case and without ``.gz``."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def data_name(path: Path) -> str:
    """Return what to call the data of a file: its name without the suffixes of its format."""
    name = path.name
    for suffix in (".gz", data_suffix(path)):
        if suffix and name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    return name
