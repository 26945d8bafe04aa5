"""Heirwood evolves small, accurate decision trees, with lossless fitness inheritance."""

__version__ = "0.1.0"
