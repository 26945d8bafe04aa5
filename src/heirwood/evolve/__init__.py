"""Evolution: population, hall of fame, schedules, succession, and the loop."""

from heirwood.evolve.loop import SETTLED, Evolution, Plan, evolve
from heirwood.evolve.replacement import Replacement
from heirwood.evolve.schedule import Schedule
from heirwood.evolve.state import State

__all__ = [
    "SETTLED",
    "Evolution",
    "Plan",
    "Replacement",
    "Schedule",
    "State",
    "evolve",
]
