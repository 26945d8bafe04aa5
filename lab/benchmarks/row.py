"""One line of the table: what was asked, what must be reached, what was measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A figure beside its bar; `met` is None where nothing could be measured."""

    what: str
    must: str
    measured: str
    met: bool | None

    @property
    def verdict(self):
        """The last column."""
        return {True: "yes", False: "**no**", None: "not measured"}[self.met]
