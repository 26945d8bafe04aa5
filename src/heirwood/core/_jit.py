"""The one decorator for compiled code, and what the folder of its disk cache is called.

Numba watches only the file a kernel is defined in. When a helper in another file changes, it
would serve the old machine code of every caller. So the cache folder carries a digest of *all*
kernel sources, and of settings: change any of them and every kernel is compiled again, into a new folder
(`_kernel_cache.py`).
"""

import hashlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import config

from heirwood.core._kernel_cache import KernelCache
from heirwood.core._overload_cache import OverloadCache

INTERPRETED = bool(config.DISABLE_JIT)

_HERE = Path(__file__).parent

# Settings of Numba's that change the machine code, and that its own cache does not look at.
_SETTINGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "USING_SVML")


def _digest() -> str:
    """Return a digest of every kernel source and of what else changes the machine code."""
    settings = [f"{name}={getattr(config, name)}" for name in _SETTINGS]
    versions = [numba.__version__, llvmlite.__version__, str(sys.implementation.cache_tag)]
    digest = hashlib.sha256(" ".join([*versions, *settings]).encode())
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.relative_to(_HERE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _stamp(function: Any) -> str:
    """Return a digest of the file of a kernel outside this package, a test's, say; of ours nothing, see `_digest`."""
    if function.__module__.startswith(f"{__package__}."):
        return ""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    digest = hashlib.sha256(f"{function.__code__.co_firstlineno} {cells!r}".encode())
    digest.update(Path(inspect.getfile(function)).read_bytes())
    return digest.hexdigest()


CACHE = KernelCache(f"kernels-{_digest()}")


# Kernels allocate nothing, so they need no reference counting; with it, every view of an array
# costs two atomic operations (a child on a small table: 3.6 us with, 1.1 us without).
# Nor is any of them called as a C function.
_OPTIONS = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    dispatcher = numba.njit(**options, **_OPTIONS)(function)
    if not INTERPRETED:
        dispatcher._cache = OverloadCache(CACHE, function, _stamp)
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on its first call, cached on disk and without the GIL."""
    return _compiled(function)


def inner_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that only kernels call: without the code that takes its arguments out of Python's objects.

    That is as long as the kernel itself where it is handed a table. To call one from Python ends the process.
    """
    return _compiled(function, no_cpython_wrapper=True)


def small_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that dissolves into its callers: a call would cost more than its work.

    Like an inner kernel it has no entry for Python: to call one from there ends the process.
    """
    return _compiled(function, forceinline=True, no_cpython_wrapper=True)


def part_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel as lines of its caller: one that has a single caller needs no machine code of its own.

    Numba compiles, optimises and stores every kernel that is called, then optimises it again inside
    each caller. A part spares that (the cold start went from 17 s to 11 s); with several callers it
    would be typed again for each, which costs more than it spares.
    """
    return _compiled(function, inline="always")


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
    return not INTERPRETED and not CACHE.has(module)
