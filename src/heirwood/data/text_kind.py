"""What a column of texts is: numbers, levels, or numbers with slips among them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from heirwood.caller_stack import warn_user
from heirwood.data.text import Texts, is_number

PLAINLY = 1000  # values of a column, most of them texts, make it one of texts
STRAY = 0.1  # share of a column's values, at most, that are no numbers though the others are: slips, it seems


class TextKind:
    """What the values of a column look like: how many there are, and those that are no finite numbers."""

    def __init__(self) -> None:
        self.n_values = 0
        self.n_strays = 0
        self.first: tuple[str, int] = "", 0  # of the strays: its text and its line
        self.is_numeric = True

    @property
    def is_a_slip(self) -> bool:
        """Whether a few texts stand among numbers."""
        return 0 < self.n_strays <= STRAY * self.n_values

    def look_at(self, texts: Texts, lines: Sequence[int], *, are_classes: bool) -> None:
        """Look at the next rows: their texts, and the lines they are on. Classes such as 01 are no numbers."""
        if self.n_values > PLAINLY and self.n_strays > self.n_values / 2:
            return  # a column of texts, and it takes long to look at them all
        distinct = set(texts)
        strays = {text for text in distinct if text is not None and not is_number(text)}
        self.n_values += len(texts) - (texts.count(None) if None in distinct else 0)
        if strays:
            if self.n_strays == 0:
                place = next(place for place, text in enumerate(texts) if text in strays)
                self.first = str(texts[place]), lines[place]
            self.n_strays += sum(text in strays for text in texts)
            self.is_numeric = False
        elif are_classes and any(text is not None and _is_code(text) for text in distinct):
            self.is_numeric = False


def _is_code(text: str) -> bool:
    """Say whether a text is a code, not a number: no number is written 01."""
    return text.isdigit() and text != str(int(text))


def warn_of_slips(file: str, found: dict[str, TextKind], target: str | None) -> None:
    """Warn of columns that seem to be something else than what they are read as."""
    for name, kind in found.items():
        if kind.is_a_slip:
            text, line = kind.first
            empty = f", leave the field empty (on the command line: --missing {shlex.quote(text)})"
            warn_user(
                f"{file}: {name!r} is read as nominal, for {text!r} on line {line} is no finite number, though "
                f"{kind.n_values - kind.n_strays} of its {kind.n_values} values are; mend the file"
                + ("" if name == target else f" or, where that stands for a missing value{empty}")
            )
        if not name and name != target:
            warn_user(
                f"{file} has a column without a name, which is used like the others; if it numbers the rows, as "
                'the index does that pandas writes, leave it out: ignore=[""], or --ignore ""'
            )
