"""The one decorator for compiled code, and the guard of its disk cache.

Numba watches only the file a kernel is defined in. When a helper in another file changes, it
would serve the old machine code of every caller. So the cache folder carries a digest of *all*
kernel sources: edit any of them and every kernel is compiled again, into a new folder. Nothing
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


def _digest() -> str:
    """Return a digest of every kernel source and of what else changes the machine code."""
    digest = hashlib.sha256(f"{numba.__version__} bounds={config.BOUNDSCHECK}".encode())
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
_OPTIONS = {"cache": True, "nogil": True, "_nrt": False}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on its first call, cached on disk and without the GIL."""
    with _cache_here():
        return numba.njit(**_OPTIONS)(function)


def small_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that dissolves into its callers: a call would cost more than its work.

    An array is seven machine words; a call with an arena and a target pushes a hundred.
    """
    with _cache_here():
        return numba.njit(forceinline=True, **_OPTIONS)(function)


def parallel_kernel(function: Callable[..., Any]) -> Any:
    """Compile a thin `prange` shell; the work belongs in serial kernels."""
    with _cache_here():
        return numba.njit(cache=True, nogil=True, parallel=True)(function)


def is_cold(parallel: bool = False) -> bool:
    """Say whether the first calls of kernels, or of the parallel ones, will have to compile."""
    pattern = "*_parallel*.nbc" if parallel else "*.nbc"
    return not INTERPRETED and not any(CACHE_FOLDER.rglob(pattern))


def announce_if_cold(parallel: bool = False) -> None:
    """Tell a waiting user, on standard error, why the first run takes longer."""
    if is_cold(parallel) and not os.environ.get("HEIRWOOD_QUIET"):
        which = "kernels for several threads" if parallel else "kernels"
        print(f"heirwood: compiling its {which}, once for this machine (about 20 seconds) ...", file=sys.stderr)
