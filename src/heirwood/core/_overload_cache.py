"""What Numba asks for machine code before it compiles, in the place of its own cache."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from heirwood.core._kernel_cache import SUFFIX, KernelCache
from heirwood.core._notices import tell_of_compiling


class OverloadCache:
    """What a dispatcher of Numba's asks for machine code before it compiles, in the place of Numba's own cache.

    Numba's own watches a kernel's own file only, by its path and time; it believes what it reads, and what goes
    wrong ends the call.

    Parameters
    ----------
    cache : KernelCache
    function : function
        The kernel as Python.
    stamp : callable
        Returns a text that stands for the source of kernels outside this package.
    """

    def __init__(self, cache: KernelCache, function: Any, stamp: Callable[[Any], str]) -> None:
        self._cache = cache
        self._function = function
        self._stamp = stamp
        self.cache_path = ""

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled kernel for some types of arguments, or None."""
        target_context.refresh()
        key = self._key(signature, target_context.codegen())
        data = self._cache.load(self._file(key), key)
        if data is not None:
            with suppress(Exception):  # of another build of Numba, perhaps: then it is compiled
                return CompileResult._rebuild(target_context, *data)
        tell_of_compiling()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a kernel that was compiled."""
        if any(not lifted.can_cache for lifted in result.lifted) or result.library.has_dynamic_globals:
            return
        key = self._key(signature, result.codegen)
        self._cache.save(self._file(key), key, dumps((key, result._reduce())))

    def enable(self) -> None:
        """Do nothing: it is always on."""

    def disable(self) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing: nothing is deleted."""

    def _key(self, signature: Any, codegen: Any) -> Any:
        """Return all that machine code depends on besides the digest of the folder."""
        function = self._function
        return function.__module__, function.__qualname__, self._stamp(function), signature, codegen.magic_tuple()

    def _file(self, key: Any) -> str:
        module, function = key[0].rpartition(".")[2], key[1].replace("<", "").replace(">", "")
        return f"{module}.{function}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}{SUFFIX}"
