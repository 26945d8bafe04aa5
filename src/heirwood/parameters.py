"""Parameters by name, as scikit-learn has them: what its `clone` and its searches ask for, without loading it."""

from __future__ import annotations

from inspect import signature
from typing import Any, Self


class Parameters:
    """An object whose parameters are the arguments of its `__init__`, each kept under its own name."""

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """Return every parameter, in alphabetical order, and its default."""
        found = [each for each in signature(cls).parameters.values() if each.kind is not each.VAR_KEYWORD]
        return {each.name: each.default for each in sorted(found, key=lambda each: each.name)}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether the parameters of settings are returned as well, as ``breeding__mutation_rate``.
        """
        found: dict[str, Any] = {}
        for name in self._defaults():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found.update({f"{name}__{inner}": each for inner, each in value.get_params().items()})
            found[name] = value
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; ``breeding__mutation_rate`` is the `mutation_rate` of `breeding`."""
        known = list(self._defaults())
        nested: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            name, is_nested, inner = key.partition("__")
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {known!r}.")
            if is_nested:
                nested.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, inners in nested.items():
            getattr(self, name).set_params(**inners)
        return self

    def __repr__(self) -> str:
        """Return the call that makes it, with what is not as usual."""
        kept = {name: getattr(self, name) for name in self._defaults()}
        given = [
            f"{name}={kept[name]!r}" for name, usual in self._defaults().items() if repr(kept[name]) != repr(usual)
        ]
        return f"{type(self).__name__}({', '.join(given)})"
