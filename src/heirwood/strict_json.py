"""JSON from strangers, with what JSON leaves open closed: no name twice, finite numbers, whole characters."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from heirwood.file_budgets import OBJECTS

MAX_DIGITS = 20  # enough for any 64-bit integer


def parse(text: str) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If the text is not JSON, repeats a name within an object, or holds NaN, an infinity, a number too
        large to be one of ours, half a character, more values than `limits.OBJECTS` allows, or lists within lists
        beyond Python's stack.
    """
    OBJECTS.check(count_values(text), "it")  # before they are made: an object of two bytes takes sixty of memory
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
    except RecursionError:
        raise ValueError("entries are nested too deeply") from None
    if "\\ud" in text or "\\uD" in text:
        _check_characters(document)
    return document


def count_values(text: str) -> int:
    """Return how many values a JSON text has at most, counted by the memory that they take once they are read.

    A number counts once, a text twice, a list three times, an object five times, and each name in it twice: then none
    takes more than some 70 bytes for each time it counts, and most take half of that.
    """
    n_texts = text.count('"') // 2
    return 1 + text.count(",") + n_texts + 2 * text.count("[") + 4 * text.count("{") + text.count(":")


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
    except RecursionError:
        raise ValueError("entries are nested too deeply") from None
    except UnicodeEncodeError as error:
        raise ValueError("a text holds half of a surrogate pair, which is not a character") from error
