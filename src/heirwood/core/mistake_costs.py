"""What a leaf is worth where mistakes cost differently: the cost that its label avoids.

gains[c, k] is what a row of class c saves when it is taken for k instead of for what would cost most. So sums of it
are hits: they are never negative, add up over leaves, and more of them is better. A run without costs never comes here.
"""

import numpy as np

from heirwood.core._jit import inner_kernel


@inner_kernel
def cheapest(weights, gains):
    """Return the label that avoids most cost, given the weight of each class, and what it avoids.

    Ties go to the lowest class. There may be more weights than classes; the rest is not looked at.

    Parameters
    ----------
    weights : (at least n_classes,) int64
    gains : (n_classes, n_classes) int64
    """
    label = np.int64(0)
    most = np.int64(-1)
    for k in range(gains.shape[0]):
        avoided = np.int64(0)
        for c in range(gains.shape[0]):
            avoided += weights[c] * gains[c, k]
        if avoided > most:
            label = np.int64(k)
            most = avoided
    return label, most


@inner_kernel
def cheapest_sides(left, whole, gains):
    """Return the cost that the two leaves of a test avoid, given the weights on its left and of all its rows."""
    most_left = np.int64(0)
    most_right = np.int64(0)
    for k in range(gains.shape[0]):
        here = np.int64(0)
        there = np.int64(0)
        for c in range(gains.shape[0]):
            here += left[c] * gains[c, k]
            there += (whole[c] - left[c]) * gains[c, k]
        most_left = max(most_left, here)
        most_right = max(most_right, there)
    return most_left + most_right
