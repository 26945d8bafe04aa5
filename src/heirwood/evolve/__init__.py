"""Evolution: population, hall of fame, schedules, succession, and the loop."""

from heirwood.evolve.loop import SETTLED, Evolution, Plan, evolve
from heirwood.evolve.schedule import Schedule
from heirwood.evolve.state import State
from heirwood.evolve.succession import Succession

__all__ = [
    "SETTLED",
    "Evolution",
    "Plan",
    "Schedule",
    "State",
    "Succession",
    "evolve",
]
