"""What a depth-two search costs, in answers to tests that could be read in the same time."""

import numpy as np

MOST_TOLD = 8  # classes that take their time: of more, most need no look
STEP = 2**14  # answers that could be looked at while a search for a pair does all it does besides


def answers_for_a_pair(n_rows: int, first: np.ndarray, n_classes: int) -> int:
    """Return how many answers could be looked at in about the time that the best pair for some rows takes.

    Parameters
    ----------
    n_rows : int
    first : (n_attributes + 1,) int64
        Which tests are whose.
    n_classes : int
    """
    n_bins = np.minimum(np.diff(first), n_rows)
    n_lanes, n_told = len(n_bins), min(n_classes, MOST_TOLD)
    n_duels = n_told * (n_told - 1) // 2
    summed = int(n_bins.sum()) * n_lanes * int(n_bins.max(initial=0)) // 20  # for every test on top, many at once
    return STEP + n_duels * summed + n_told * n_rows * n_lanes**2 // 4  # and rows go from side to side
