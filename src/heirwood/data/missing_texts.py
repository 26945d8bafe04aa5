"""Texts that stand for a missing value."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from heirwood.data.text import Texts, is_number

USUAL = ("", "?", "NA", "N/A", "n/a", "null", "NULL", "None", "NaN", "nan")


def check_texts(texts: Collection[str]) -> None:
    """Refuse a text in the place of a list: it would be taken apart."""
    if isinstance(texts, str):
        raise ValueError(f"Expected a list of texts for missing values, got the text {texts!r}; put it in brackets.")


class Absent:
    """Which fields of a file hold no value: those with some text, exactly; and with some number, however written.

    Parameters
    ----------
    texts : collection of str
        ``-999`` also stands for ``-999.0``: whoever saves a table may write its numbers otherwise.
    """

    def __init__(self, texts: Collection[str]) -> None:
        check_texts(texts)
        self._texts = frozenset(texts)
        self._numbers = frozenset(float(text) for text in texts if is_number(text))

    def blanked(self, texts: Sequence[str]) -> Texts:
        """Return texts with None in the place of those that stand for a missing value."""
        if self._numbers:
            return [None if self._is_one(text) else text for text in texts]
        if self._texts.isdisjoint(texts):
            return texts
        return [None if text in self._texts else text for text in texts]

    def _is_one(self, text: str) -> bool:
        return text in self._texts or (is_number(text) and float(text) in self._numbers)
