"""A fit that is whole or raises: half a run is no measurement."""

from __future__ import annotations

import signal

import numpy as np

from heirwood.data import Table
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.interrupt import Terminated, gentle_interrupt


def fit_whole(model: EvolvedTreeClassifier, table: Table, target: np.ndarray) -> None:
    """Fit a model.

    Raises
    ------
    KeyboardInterrupt
        Where Ctrl-C came: a fit by itself ends gently, with what it has.
    Terminated
        Where SIGTERM did.
    """
    with gentle_interrupt() as interrupt:  # that of `fit` is this one, and says what came
        model.fit(table, target)
    if interrupt.signal == signal.SIGTERM:
        raise Terminated
    if interrupt():
        raise KeyboardInterrupt
