"""Selections: payoff -> the places of parents. Over the whole population at once, one a file."""

from collections.abc import Callable

import numpy as np

from heirwood.selection.roulette import roulette
from heirwood.selection.tournament import tournament

SELECTIONS: dict[str, Callable[..., np.ndarray]] = {"tournament": tournament, "roulette": roulette}

__all__ = ["SELECTIONS"]
