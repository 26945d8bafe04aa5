"""JSON from strangers, with what JSON leaves open closed: no name twice, finite numbers, whole characters."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

MAX_DIGITS = 20  # enough for any 64-bit integer


def parse(text: str) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If the text is not JSON, repeats a name within an object, or holds NaN, an infinity, a number too
        large to be one of ours, or half a character. Nesting beyond Python's stack is a RecursionError.
    """
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"not whole, or not JSON (was it cut short?): {error}") from error
    if "\\ud" in text.lower():
        _check_characters(document)
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for name, value in pairs:
        if name in entries:
            raise ValueError(f"the entry {name[:60]!r} comes twice in one object")
        entries[name] = value
    return entries


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise ValueError(f"an integer of {len(digits):,} digits is not read; at most {MAX_DIGITS} are")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:60]} is too large")
    return number


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that may stand here")


def _check_characters(document: Any) -> None:
    """Refuse half a surrogate pair, which an escape can smuggle in and no file or terminal can take."""
    try:
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("a text holds half of a surrogate pair, which is not a character") from error
