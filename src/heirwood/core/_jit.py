"""The one decorator for compiled code, and the guard of its disk cache.

Numba watches only the file a kernel is defined in. When a helper in another file changes, it
would serve the old machine code of every caller. So the cache folder carries a digest of *all*
kernel sources, and of settings: change any of them and every kernel is compiled again, into a new folder. Nothing
is ever deleted, because several processes may share the cache.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core import config

INTERPRETED = bool(config.DISABLE_JIT)

_HERE = Path(__file__).parent

# Settings of Numba's that change the machine code, and that its own cache does not look at.
_SETTINGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "USING_SVML")


def _digest() -> str:
    """Return a digest of every kernel source and of what else changes the machine code."""
    settings = [f"{name}={getattr(config, name)}" for name in _SETTINGS]
    digest = hashlib.sha256(" ".join([numba.__version__, *settings]).encode())
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.relative_to(_HERE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _cache_folder() -> Path:
    """Return the folder for machine code: NUMBA_CACHE_DIR, the user's cache, or a temporary one."""
    if config.CACHE_DIR:
        roots = [Path(config.CACHE_DIR)]
    else:
        user = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        roots = [Path(user) / "heirwood"]
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    roots.append(Path(tempfile.gettempdir()) / f"heirwood-{owner}")
    name = f"kernels-{_digest()}"
    for root in roots:
        if _writable(root / name):
            return root / name
    return roots[-1] / name


CACHE_FOLDER = _cache_folder()


@contextmanager
def _cache_here():
    """Let Numba place a kernel's cache in our folder, and nobody else's."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        yield
    finally:
        config.CACHE_DIR = before


# Kernels allocate nothing, so they need no reference counting; with it, every view of an array
# costs two atomic operations (a child on a small table: 3.6 us with, 1.1 us without).
# Nor is any of them called as a C function.
_OPTIONS = {"cache": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on its first call, cached on disk and without the GIL."""
    with _cache_here():
        return numba.njit(**_OPTIONS)(function)


def inner_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that only kernels call: without the code that takes its arguments out of Python's objects.

    That is as long as the kernel itself where it is handed a table. To call one from Python ends the process.
    """
    with _cache_here():
        return numba.njit(no_cpython_wrapper=True, **_OPTIONS)(function)


def small_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that dissolves into its callers: a call would cost more than its work.

    Like an inner kernel it has no entry for Python: to call one from there ends the process.
    """
    with _cache_here():
        return numba.njit(forceinline=True, no_cpython_wrapper=True, **_OPTIONS)(function)


def part_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel as lines of its caller: one that has a single caller needs no machine code of its own.

    Numba compiles, optimises and stores every kernel that is called, then optimises it again inside
    each caller. A part spares that (the cold start went from 17 s to 11 s); with several callers it
    would be typed again for each, which costs more than it spares.
    """
    with _cache_here():
        return numba.njit(inline="always", **_OPTIONS)(function)


class Typed:
    """A kernel that is called again and again with arguments of the same types.

    A kernel looks at the types of its arguments at every call, which takes 4 to 5 us where some are bundles of arrays:
    for two kernels, a fifth of the time in kernels of a small generation. Here they are looked at once, and the machine
    code for them is called from then on. **Nobody checks later arguments**: whoever calls must see to it that types and
    layouts stay the same.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        #: Calls the kernel; from the second time on, its machine code itself.
        self.call: Callable[..., Any] = kernel if INTERPRETED else self._call_first

    def _call_first(self, *arguments: Any) -> Any:
        types = tuple(numba.typeof(argument) for argument in arguments)
        known = self._kernel.overloads.get(types)  # to compile waits for whoever is compiling something else
        self.call = self._kernel.compile(types) if known is None else known.entry_point
        return self.call(*arguments)


def is_cold(module: str = "") -> bool:
    """Say whether the first calls of kernels, or of those of one module, will have to compile."""
    return not INTERPRETED and not any(CACHE_FOLDER.rglob(f"{module}*.nbc"))


def announce_if_cold(module: str = "", alone: bool = False) -> None:
    """Tell a waiting user, on standard error, why the first run takes longer; twice as long where nobody helps."""
    if is_cold(module) and not os.environ.get("HEIRWOOD_QUIET"):
        what, seconds = {"search.find_low": ("one more kernel", 5), "": ("its kernels", 12)}.get(
            module, ("its kernels", 50 if alone else 25)
        )
        print(f"heirwood: compiling {what}, once for this machine (about {seconds} seconds) ...", file=sys.stderr)
