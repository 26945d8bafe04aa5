"""Giving up work that somebody no longer waits for."""


class StoppedError(Exception):
    """What was being prepared was given up: the time is up, or an interrupt came. Never leaves `fit`."""
