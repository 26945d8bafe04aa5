"""Writing a file whole or not at all; what is no regular file is written to or refused, never replaced."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

# Names that stand for a file that is open already. Not all of /dev: /dev/shm is a folder like any other.
OPEN_FILE = re.compile(r"/dev/(?:stdin|stdout|stderr|fd/\d+)|/proc/[^/]+(?:/task/[^/]+)?/fd/\d+")


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that whoever reads meanwhile, or after a crash, finds the old content or the new one, whole.

    Parameters
    ----------
    path : path-like
        A link is followed. A regular file that is there is replaced; it keeps its mode and, where the system
        allows it, its owner. A pipe or a character device is written to as it is.
    content : bytes

    Raises
    ------
    OSError
        If the system does not let us, or if the name stands for a folder, a socket or a block device; what was there
        is as it was.
    """
    about = _about(path)
    if is_written_in_place(path, about):
        _write_in_place(path, content)
        return
    if about is not None and not stat.S_ISREG(about.st_mode):
        kind = "a folder" if stat.S_ISDIR(about.st_mode) else "no regular file"
        code = errno.EISDIR if stat.S_ISDIR(about.st_mode) else errno.EINVAL
        raise OSError(code, f"is {kind}, and is not replaced; give the name of a file", os.fspath(path))
    _replace(Path(os.path.realpath(path)), content, about)


def is_written_in_place(path: str | os.PathLike[str], about: os.stat_result | None) -> bool:
    """Say whether a name stands for what is written to as it is: a pipe, a terminal, /dev/null, an open file."""
    if about is None:
        return False
    if stat.S_ISFIFO(about.st_mode) or stat.S_ISCHR(about.st_mode):
        return True
    return stat.S_ISREG(about.st_mode) and OPEN_FILE.fullmatch(os.path.abspath(path)) is not None


def _about(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _write_in_place(path: str | os.PathLike[str], content: bytes) -> None:
    try:
        with open(path, "ab") as file:
            file.write(content)
    except OSError as error:
        error.filename = os.fspath(path)
        raise


def _replace(path: Path, content: bytes, before: os.stat_result | None) -> None:
    """Write a file under another name beside it, then rename it."""
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {str(path.parent)!r} to write it to", str(path))
    beside = path.with_name(f".heirwood-{secrets.token_hex(6)}.tmp")  # short: a name may be as long as names can be
    # Not `tempfile`: its files are private to their owner, and would stay so under the new name.
    mode = 0o666 if before is None else 0o600  # of a file that is there the mode is taken over before the content
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            if before is not None:
                _take_over(file.fileno(), before)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # nobody knows the other name; a full disk names none
        raise
    _sync_folder(path.parent)


def _take_over(file: int, before: os.stat_result) -> None:
    """Give a new file the owner and the mode of the one that it is to replace."""
    if not hasattr(os, "fchown"):
        return
    now = os.fstat(file)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            os.fchown(file, before.st_uid, before.st_gid)
    os.fchmod(file, stat.S_IMODE(before.st_mode))


def _sync_folder(folder: Path) -> None:
    """Have the new name on disk as well, where a system can do that."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
