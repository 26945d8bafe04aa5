"""Columns of text on their way to float64: numbers are parsed, levels are coded.

Files are read in batches of rows. Each column has a `Numbers` or a `Levels`, which takes its part of every
batch (None is a missing value) and at the end gives the `Column` and its float64 array.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from heirwood.data.schema import UNSEEN, Column, Level

Texts = Sequence[str | None]


class TextColumn(Protocol):
    """What `Numbers` and `Levels` have in common."""

    @property
    def n_texts(self) -> int:
        """How many texts are kept in memory."""

    def add(self, texts: Texts, lines: Sequence[int]) -> None:
        """Take the next rows: their texts, and the lines they are on, for messages."""

    def finish(self) -> tuple[Column, np.ndarray]:
        """Return the column and its (n_rows,) float64 values."""


class Numbers:
    """A numeric column.

    Parameters
    ----------
    name : str
        Its name.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._found = array("d")  # grows in place; many small arrays would be more than twice as large

    def add(self, texts: Texts, lines: Sequence[int]) -> None:
        """Parse the next rows; raise ValueError, with its line, for a text that is no finite number."""
        try:
            if None in texts:
                part = [math.nan if text is None else float(text) for text in texts]
            else:
                part = list(map(float, texts))  # type: ignore[arg-type]
        except ValueError:
            part = []
        values = np.array(part, dtype=np.float64)
        # float() also takes "inf", "nan" and "1_000"; the last only shows in the text.
        if len(values) != len(texts) or not np.isfinite(values).all() or any("_" in text for text in texts if text):
            self._find_error(texts, lines)
        self._found.frombytes(values.tobytes())

    n_texts = 0

    def finish(self) -> tuple[Column, np.ndarray]:
        """Return the column and its numbers."""
        return Column(self._name, "numeric"), np.asarray(self._found)

    def _find_error(self, texts: Texts, lines: Sequence[int]) -> None:
        for text, line in zip(texts, lines, strict=True):
            if text is not None and not is_number(text):
                raise ValueError(f"Line {line}: {text!r} in the numeric column {self._name!r} is not a finite number.")


class Levels:
    """A nominal column.

    Parameters
    ----------
    name : str
        Its name.
    levels : tuple or None
        Its levels in their declared order. None: those that are found, sorted.
    strict : bool
        Whether a text that is not among `levels` is an error. Otherwise its code is -1.
    """

    def __init__(self, name: str, levels: tuple[Level, ...] | None = None, *, strict: bool = True) -> None:
        self._name = name
        self._levels = levels
        self._codes: _Codes = _Codes(levels) if levels is not None else _NewCodes()
        self._strict = strict
        self._found = array("d")

    def add(self, texts: Texts, lines: Sequence[int]) -> None:
        """Code the next rows; raise ValueError, with its line, for a level that is not declared."""
        part = np.array(list(map(self._codes.__getitem__, texts)), dtype=np.float64)
        if self._strict and (part == UNSEEN).any():
            place = int((part == UNSEEN).argmax())
            raise ValueError(
                f"Line {lines[place]}: {texts[place]!r} is not a declared level of {self._name!r}; "
                f"expected one of {self._levels}."
            )
        self._found.frombytes(part.tobytes())

    @property
    def n_texts(self) -> int:
        """How many texts it knows."""
        return len(self._codes)

    def finish(self) -> tuple[Column, np.ndarray]:
        """Return the column and its codes."""
        codes = np.asarray(self._found)
        if self._levels is not None:
            return Column(self._name, "nominal", self._levels), codes
        # Codes were given in the order of appearance; the last entry translates a missing value to itself.
        found = [text for text in self._codes if text is not None]
        order = sorted(range(len(found)), key=found.__getitem__)
        translation = np.full(len(found) + 1, np.nan)
        translation[order] = np.arange(len(found))
        places = np.where(np.isnan(codes), len(found), codes).astype(np.intp)
        return Column(self._name, "nominal", tuple(map(found.__getitem__, order)), declared=False), translation[places]


class _Codes(dict[str | None, float]):
    """Codes of declared levels by their texts; -1 for others."""

    def __init__(self, levels: tuple[Level, ...] = ()) -> None:
        self._numbers = {}
        super().__init__({None: math.nan})
        for code, level in enumerate(levels):
            self[str(level)] = float(code)
            if isinstance(level, bool):
                self[str(level).lower()] = float(code)  # true and false, as most files write them
            elif not isinstance(level, str):
                self._numbers[float(level)] = float(code)

    def __missing__(self, text: str) -> float:
        code = self._numbers.get(float(text), UNSEEN) if self._numbers and is_number(text) else UNSEEN
        self[text] = code
        return code


class _NewCodes(_Codes):
    """Codes in the order of appearance."""

    def __missing__(self, text: str) -> float:
        code = float(len(self) - 1)  # None is there from the start
        self[text] = code
        return code


def is_number(text: str) -> bool:
    """Say whether a text is a finite number in plain notation."""
    try:
        return "_" not in text and math.isfinite(float(text))
    except ValueError:
        return False
