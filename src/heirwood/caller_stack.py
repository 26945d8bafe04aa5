"""Whose code is running: ours and scikit-learn's wrapper around our `fit`, or the user's that called it."""

import sys
import warnings
from collections.abc import Iterator
from types import FrameType

_OURS = ("heirwood.", "sklearn.callback")


def callers() -> Iterator[FrameType]:
    """Yield the frames that led here, the nearest one first, from the first that is not ours on."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(_OURS):
        frame = frame.f_back
    while frame is not None:
        yield frame
        frame = frame.f_back


def warn_user(message: str | Warning) -> None:
    """Warn, with the line of the user's that called us: how many frames lie between goes by scikit-learn's version."""
    user = next(callers(), None)
    level, frame = 1, sys._getframe()
    while user is not None and frame is not user and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)
