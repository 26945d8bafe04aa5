"""How wide text is, about: boxes must be sized before anyone knows the reader's font.

The widths are those of common sans-serif faces, rounded up: a box a little too wide looks calm, one too
narrow looks broken.
"""

from __future__ import annotations

import unicodedata

_NARROW = frozenset("ijlIft.,:;'|!()[]{}`/\\ -\"")
_WIDE = frozenset("mwMW@%<>=+~≤")
_BOLD = 1.13  # wider than regular by


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of `text` in pixels when set at `size` pixels; an estimate, on the wide side."""
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def shortened(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return `text`, cut with an ellipsis where it is wider than `room` pixels."""
    if text_width(text, size, bold=bold) <= room:
        return text
    room = room / (size * (_BOLD if bold else 1.0)) - _em("…")
    kept = []
    for character in text:
        room -= _em(character)
        if room < 0:
            break
        kept.append(character)
    # A joiner or a mark left hanging at the cut would reach for the ellipsis.
    while kept and (kept[-1] == "\u200d" or kept[-1].isspace()):
        kept.pop()
    return "".join(kept) + "…"


def _em(character: str) -> float:
    """Return the width of one character in units of the font size."""
    if character in _NARROW:
        return 0.38
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.25 if ord(character) > 0xFFFF else 1.0  # emoji are set wider than they say
    if character in _WIDE:
        return 0.92
    return 0.7 if character.isupper() else 0.61
