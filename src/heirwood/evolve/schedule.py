"""Schedules: payoff parameters that are constant or grow linearly over a run."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Schedule:
    """Payoff parameters by generation.

    Attributes
    ----------
    parameters : dict
        Numbers, or pairs (start, end) that move linearly from generation `first` to `last`, and
        stay at their end after it.
    first, last : int
    """

    parameters: dict[str, Any]
    first: int
    last: int

    @property
    def moves(self) -> bool:
        """Whether any parameter changes over the run."""
        return any(isinstance(value, (tuple, list)) and value[0] != value[1] for value in self.parameters.values())

    def at(self, generation: int) -> dict[str, Any]:
        """Return the parameters of one generation."""
        length = max(self.last - self.first, 1)
        share = min(max((generation - self.first) / length, 0.0), 1.0)
        return {name: _value(value, share) for name, value in self.parameters.items()}


def _value(value: Any, share: float) -> Any:
    if isinstance(value, (tuple, list)):
        start, end = value
        return start + (end - start) * share
    return value
