"""Opening files of data, gzipped or not, line by line, within budgets."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from heirwood.data.text import TextColumn
from heirwood.file_budgets import CELLS, CELLS_A_BYTE, EXPANSION, LEVELS, LINE, UNZIPPED
from heirwood.file_names import check_path


@contextmanager
def open_lines(path: Path) -> Iterator[Iterator[str]]:
    """Open a text file in UTF-8, with or without a byte order mark, unzipping ``.gz``; give its lines.

    Lines keep their ends. What cannot be text is a ValueError that names the file: damaged gzip files, other
    encodings, and more than the budgets of `heirwood.file_budgets` allow.
    """
    check_path(path)
    with open(path, "rb") as file, io.TextIOWrapper(_unzipped(path, file), encoding="utf-8-sig", newline="") as text:
        yield _lines(path, text)


def _unzipped(path: Path, file: IO[bytes]) -> IO[bytes]:
    return io.BufferedReader(_Unzipped(path, file)) if path.suffix.lower() == ".gz" else file


def _lines(path: Path, text: io.TextIOWrapper) -> Iterator[str]:
    most = LINE.most
    number = 0
    try:
        while line := text.readline(most + 1):
            number += 1
            if len(line) > most:
                LINE.check(len(line), f"Line {number} of {path.name}")
            yield line
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not in UTF-8 ({error}); save it in that encoding.") from error


class _Unzipped(io.RawIOBase):
    """What a gzip file holds, within a budget."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = gzip.GzipFile(fileobj=file)
        self._count = 0
        self._always = EXPANSION * path.stat().st_size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            part = self._file.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"{self._path.name} is a damaged gzip file, or none ({error}); unzip it by hand, or get it again."
            ) from error
        self._count += len(part)
        UNZIPPED.check(self._count, self._path.name, at_least=self._always)
        buffer[: len(part)] = part
        return len(part)


def check_cells(count: int, path: Path) -> None:
    """Raise ValueError where a table has more cells than its file may stand for; in one not zipped it never has."""
    CELLS.check(count, path.name, at_least=CELLS_A_BYTE * path.stat().st_size)


def check_texts_kept(columns: Iterable[TextColumn], path: Path) -> None:
    """Raise ValueError where the columns of a file have more levels together than its readers keep."""
    LEVELS.check(sum(column.n_texts for column in columns), path.name)


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
