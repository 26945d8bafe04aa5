"""Heirwood evolves small, accurate decision trees, with lossless fitness inheritance.

Names load on first use, so that ``import heirwood`` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "BankTooLargeError": "heirwood.data",
    "ModelFileError": "heirwood.export.model_file",
    "EvolvedTreeClassifier": "heirwood.estimator",
    "Breeding": "heirwood.settings",
    "Encoding": "heirwood.settings",
    "Engine": "heirwood.settings",
    "Payoff": "heirwood.settings",
    "Selection": "heirwood.settings",
    "Succession": "heirwood.settings",
    "TreeView": "heirwood.view",
    "balance_scale": "heirwood.data",
    "export_tree": "heirwood.export",
    "monks": "heirwood.data",
    "multiplexer": "heirwood.data",
    "read_arff": "heirwood.data",
    "read_csv": "heirwood.data",
    "read_file": "heirwood.data",
    "replay": "heirwood.journal",
}

if TYPE_CHECKING:
    from heirwood.data import BankTooLargeError, balance_scale, monks, multiplexer, read_arff, read_csv, read_file
    from heirwood.estimator import EvolvedTreeClassifier
    from heirwood.export import export_tree
    from heirwood.export.model_file import ModelFileError
    from heirwood.journal import replay
    from heirwood.settings import Breeding, Encoding, Engine, Payoff, Selection, Succession
    from heirwood.view import TreeView

__all__ = [
    "BankTooLargeError",
    "Breeding",
    "Encoding",
    "Engine",
    "EvolvedTreeClassifier",
    "ModelFileError",
    "Payoff",
    "Selection",
    "Succession",
    "TreeView",
    "balance_scale",
    "export_tree",
    "monks",
    "multiplexer",
    "read_arff",
    "read_csv",
    "read_file",
    "replay",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'heirwood' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
