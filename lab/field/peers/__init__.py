"""The peers, one file each: what to install, how to ask, how to fit.

A peer's file is imported twice: by the project, which reads what to install and which settings to ask for, and inside
the peer's own environment, which fits. So it imports the peer inside functions only.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

#: In the order they are run: the quick ones first.
PEERS = (
    "licketysplit",
    "cart_path",
    "cart_leaves",
    "cart_full",
    "forest",
    "fastsmalltree",
    "pycontree",
    "pystreed",
    "gatree",
    "evtree",
)
OURS = "heirwood"
LEARNERS = (OURS, *PEERS)
#: CART as its guide tunes it, for the contests on sizes.
TUNED_CART = ("cart_sizes", "cart_pruned")


def peer_named(name: str) -> ModuleType:
    """Return a peer's module."""
    return importlib.import_module(f"lab.field.peers.{name}")


def file_of(name: str) -> Path:
    """Return a peer's file."""
    return Path(__file__).with_name(f"{name}.py")
