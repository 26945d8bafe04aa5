"""Text from strangers on its way to a terminal: what would move the cursor, colour or hide something is spelt out."""

from __future__ import annotations

import os
from typing import Any

LONGEST = 60  # characters of a value in a message


def one_line(text: str) -> str:
    """Return `text` with line breaks and control characters spelt out, so that it stays on its line."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\u200d" else _spelt(c) for c in text)


def plain_lines(text: str) -> str:
    """Return a text of some lines with control characters spelt out; its lines stay."""
    return "\n".join(map(one_line, text.split("\n")))


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return the name of a file as it is shown: it may hold anything but a slash and a NUL."""
    return one_line(os.fspath(path))


def brief(value: Any) -> str:
    """Return a value as a message shows it, whatever it is; in short, where it is long."""
    try:
        text = repr(value)
    except Exception:  # it is nested too deeply, has more digits than Python writes, or is of the user's own
        return f"a value of the type {type(value).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _spelt(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
