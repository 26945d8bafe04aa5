"""Heirwood evolves small, accurate decision trees, with lossless fitness inheritance.

Names load on first use, so that ``import heirwood`` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from heirwood.gc_pause import seldom_collecting

__version__ = "0.1.0"

_HOMES = {
    "BankTooLargeError": "heirwood.data",
    "ModelFileError": "heirwood.export.model_file",
    "EvolvedTreeClassifier": "heirwood.estimator",
    "Breeding": "heirwood.settings",
    "Encoding": "heirwood.settings",
    "Engine": "heirwood.settings",
    "Monitoring": "heirwood.settings",
    "Payoff": "heirwood.settings",
    "Search": "heirwood.settings",
    "Selection": "heirwood.settings",
    "Succession": "heirwood.settings",
    "TreeView": "heirwood.tree_view",
    "balance_scale": "heirwood.data.generated",
    "export_tree": "heirwood.export.formats",
    "monks": "heirwood.data.generated",
    "multiplexer": "heirwood.data.generated",
    "read_arff": "heirwood.data.arff_reader",
    "read_csv": "heirwood.data.csv_reader",
    "read_file": "heirwood.data.readers",
    "replay": "heirwood.journal",
}

if TYPE_CHECKING:
    from heirwood.data import BankTooLargeError
    from heirwood.data.arff_reader import read_arff
    from heirwood.data.csv_reader import read_csv
    from heirwood.data.generated import balance_scale, monks, multiplexer
    from heirwood.data.readers import read_file
    from heirwood.estimator import EvolvedTreeClassifier
    from heirwood.export.formats import export_tree
    from heirwood.export.model_file import ModelFileError
    from heirwood.journal import replay
    from heirwood.settings import Breeding, Encoding, Engine, Monitoring, Payoff, Search, Selection, Succession
    from heirwood.tree_view import TreeView

__all__ = [
    "BankTooLargeError",
    "Breeding",
    "Encoding",
    "Engine",
    "EvolvedTreeClassifier",
    "ModelFileError",
    "Monitoring",
    "Payoff",
    "Search",
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
    with seldom_collecting():
        value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
