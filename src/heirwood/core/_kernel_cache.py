"""The disk cache of machine code: where it lies, whom it belongs to, and files that are checked before they are used.

    root / kernels-<digest> / <module>.<function>-<hash of the key>.kernel
    file   magic line | SHA-256 of the rest | pickle of (key, machine code and types)

The digest is one of contents (all kernel sources, Numba, its settings), so checkouts with the same sources share a
folder, and a changed source has another. A file is a pickle, which is code: only files that belong to the user (or to
root) and that nobody else may write to are read. The hash tells a truncated or flipped file from a whole one, so that
broken machine code is compiled again, not run. A folder that cannot be used is passed over: the next one is taken, in
the end none, and everything works uncached. Nothing is deleted, because several processes may share the cache.

A root that NUMBA_CACHE_DIR names keeps its mode, and may be open to a team: what is believed is the folder in it, which
must be closed to all but its owner. Others can then move that folder away, but not put in its place one that passes for
the user's. Below the temporary folder, and below any that everybody may write to, the root must be closed as well.
"""

import atexit
import hashlib
import os
import pickle
import secrets
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import config

from heirwood.core._notices import say

MAGIC = b"heirwood kernel 1\n"
SUFFIX = ".kernel"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_HASH_BYTES = hashlib.sha256().digest_size
# Links are not followed, and pipes not waited for.
_TO_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class KernelCache:
    """The folders of one process: those that are read, and the one that new machine code is written to.

    Parameters
    ----------
    name : str
        Of the folder: it stands for all sources and settings that the machine code depends on.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._unusable: dict[Path, str] = {}  # folders that could not be written to, and why
        self._fresh: Path | None = None  # a private root that is gone when this process ends
        self._is_told = False

    def load(self, file: str, key: Any) -> Any:
        """Return what was saved under a name and a key, or None."""
        for root in self._roots():
            with suppress(OSError, ValueError):  # not there, not whole, or not to be reached
                return _read(root / self._name, file, key)
        return None

    def save(self, file: str, key: Any, data: bytes) -> None:
        """Keep a pickle of (key, machine code) where that is possible; else say so, once, and go on without."""
        while (folder := self.writable_folder()) is not None:
            try:
                _write(folder / file, data)
                return
            except OSError as error:
                self._unusable[folder] = error.strerror or str(error)
        self._tell()

    def has(self, prefix: str = "") -> bool:
        """Say whether some file whose name begins so is there to be read."""
        return any(file.startswith(prefix) for root in self._roots() for file in _files(root / self._name))

    def writable_folder(self) -> Path | None:
        """Return the folder that machine code is written to, made if need be; None if there is none."""
        for root in self._roots():
            folder = root / self._name
            if folder not in self._unusable:
                reason = _unfit_to_write(folder, is_chosen=root == _chosen_root())
                if reason is None:
                    self._tell(folder)
                    return folder
                self._unusable[folder] = reason
        return self._fresh_folder()

    def _roots(self) -> list[Path]:
        """Return the folders that the cache may lie in, the best first."""
        roots = [_chosen_root() if config.CACHE_DIR else _users_root(), _temporary_root(), self._fresh]
        return [root for root in roots if root is not None]

    def _fresh_folder(self) -> Path | None:
        """Return a folder in a new root that nobody knows, for this process and its helper."""
        if self._fresh is not None:
            return None  # it was tried
        try:
            self._fresh = Path(tempfile.mkdtemp(prefix="heirwood-"))
        except OSError:
            return None
        atexit.register(_remove, self._fresh, os.getpid())
        return self.writable_folder()

    def _tell(self, instead: Path | None = None) -> None:
        """Say once that the first folder cannot be used, and which one is used instead."""
        if self._is_told or not self._unusable:
            return
        self._is_told = True
        folder, reason = next(iter(self._unusable.items()))
        is_kept = instead is not None and instead.parent != self._fresh
        then = f"they go to {instead}" if is_kept else "the next process compiles them again"
        say(f"compiled kernels cannot be kept in {folder} ({reason}); {then}. NUMBA_CACHE_DIR names another folder.")


def _chosen_root() -> Path | None:
    """Return the root that NUMBA_CACHE_DIR names, if there is one."""
    with suppress(OSError):  # it may depend on a current folder that is gone
        return Path(config.CACHE_DIR).absolute() if config.CACHE_DIR else None
    return None


def _users_root() -> Path | None:
    root = Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")) / "heirwood"
    return root if root.is_absolute() else None  # a user without a home has a tilde


def _temporary_root() -> Path | None:
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    temporary = _temporary_folder()
    return None if temporary is None else temporary / f"heirwood-{owner}"


def _temporary_folder() -> Path | None:
    with suppress(OSError):  # there may be none
        return Path(tempfile.gettempdir()).absolute()
    return None


def _files(folder: Path) -> list[str]:
    """Return the names of kernels in a folder; none where it cannot be reached, or is not to be trusted."""
    with suppress(OSError):
        if _is_private(folder):
            return [file for file in os.listdir(folder) if file.endswith(SUFFIX)]
    return []


def _read(folder: Path, file: str, key: Any) -> Any:
    """Return what a file holds; OSError or ValueError where it is not there, not whole, or not to be trusted."""
    if not _is_private(folder):
        raise PermissionError(f"{folder} is open to others")
    with open(os.open(folder / file, _TO_READ), "rb") as opened:
        about = os.fstat(opened.fileno())
        if not stat.S_ISREG(about.st_mode) or not _is_own(about):
            raise PermissionError(f"{folder / file} is open to others")
        content = opened.read()
    start = len(MAGIC) + _HASH_BYTES
    body = memoryview(content)[start:]
    if content[:start] != MAGIC + hashlib.sha256(body).digest():
        raise ValueError("the file is not whole")
    try:
        found, data = pickle.loads(body)
    except Exception as error:  # whatever a pickle of another installation says
        raise ValueError("the file cannot be read") from error
    if found != key:
        raise ValueError("the file is about something else")
    return data


def _write(path: Path, data: bytes) -> None:
    """Write a file under another name, and rename it: whoever reads sees all of it, or nothing."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as opened:
            opened.write(MAGIC + hashlib.sha256(data).digest() + data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _unfit_to_write(folder: Path, is_chosen: bool) -> str | None:
    """Say why a folder, made if need be, is not fit to be written to; None if it is."""
    try:
        _make(folder.parent)
        if not is_chosen:
            _close_to_others(folder.parent)
        if _is_sheltered(folder.parent):  # nothing is made where strangers may have laid a trap
            _make(folder)
            _close_to_others(folder)
        if not _is_private(folder):
            return "others may write to it, or it belongs to somebody else"
    except OSError as error:
        return error.strerror or str(error)
    return None if os.access(folder, os.W_OK | os.X_OK) else "no permission to write to it"


def _make(folder: Path) -> None:
    """Make a folder and those above it, closed to others whatever the umask says."""
    missing = [each for each in (folder, *folder.parents) if not os.path.lexists(each)]
    for each in reversed(missing):
        with suppress(FileExistsError):  # another process was quicker
            each.mkdir(0o755)


def _close_to_others(folder: Path) -> None:
    """Take from others the right to write to a folder of ours, which a generous umask gave them; follow no link."""
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or not about.st_mode & OTHERS_WRITE or not _owns(about):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(opened, stat.S_IMODE(about.st_mode) & ~OTHERS_WRITE)
    finally:
        os.close(opened)


def _is_private(folder: Path) -> bool:
    """Say whether nobody else may write to a folder, nor to those above it as far as they matter.

    The folder itself must be no link, and belong to the user or to root. See `_is_sheltered` for those above it.
    """
    about = folder.lstat()
    return stat.S_ISDIR(about.st_mode) and _is_own(about) and _is_sheltered(folder)


def _is_sheltered(path: Path) -> bool:
    """Say whether a path has no folder that somebody else may have made, or may write to, below one that is shared.

    As it is written and as it is when all links are followed: a link below a shared folder is refused, because anybody
    may have made it.
    """
    # Unlike `Path.resolve`, this makes nothing of a link that leads to itself.
    ways = (path, Path(os.path.realpath(path)))
    return all(_is_own(folder.lstat()) for way in ways for folder in _below_shared(way))


def _below_shared(path: Path) -> list[Path]:
    """Return a path and the folders above it, down from the temporary folder or else from one open to everybody.

    Modes from the temporary folder upwards do not matter: it counts as shared whatever they are.
    """
    above = list(reversed(path.parents))
    for is_shared in (_is_temporary, _is_everybodys):
        for depth, folder in enumerate(above, 1):
            if is_shared(folder):
                return [*above[depth:], path]
    return []


def _is_temporary(folder: Path) -> bool:
    temporary = _temporary_folder()
    return temporary is not None and folder in (temporary, Path(os.path.realpath(temporary)))


def _is_everybodys(folder: Path) -> bool:
    return hasattr(os, "getuid") and bool(folder.stat().st_mode & stat.S_IWOTH)


def _is_own(about: os.stat_result) -> bool:
    """Say whether something belongs to the user or to root, and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        return True  # Windows: folders for temporary files are the user's own
    return about.st_uid in (os.getuid(), 0) and not about.st_mode & OTHERS_WRITE


def _owns(about: os.stat_result) -> bool:
    return hasattr(os, "getuid") and about.st_uid == os.getuid()


def _remove(root: Path, maker: int) -> None:
    if os.getpid() == maker:  # not in its forks
        shutil.rmtree(root, ignore_errors=True)
