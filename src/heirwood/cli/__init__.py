"""The command line: ``heirwood fit``, ``predict``, ``score``, ``show``, ``replay`` and ``demo``.

One command a file. Nothing heavy is imported before a command needs it, so ``heirwood --help`` is quick; and nothing at
all before signals are heard, so ``main`` loads on first use.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heirwood.cli.group import main

__all__ = ["main"]


def __getattr__(name: str) -> Any:
    if name != "main":
        raise AttributeError(f"module 'heirwood.cli' has no attribute {name!r}")
    from heirwood.cli.group import main

    globals()["main"] = main
    return main
