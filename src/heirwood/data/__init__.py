"""Table -> Dataset -> TestBank: reading tables, and the questions a tree may ask about them.

What reads and writes files, and the small generated tables, is in modules of its own: few fits need it.
"""

from heirwood.data.costs import Costs, read_costs
from heirwood.data.dataset import Dataset
from heirwood.data.labels import read_classes, row_weights
from heirwood.data.rows import Rows, read_rows
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.table import read_table
from heirwood.data.target import ClassTarget, combine_weights, round_weights
from heirwood.data.test_bank import BankTooLargeError, TestBank, make_bank

__all__ = [
    "BankTooLargeError",
    "ClassTarget",
    "Column",
    "Costs",
    "Dataset",
    "Rows",
    "Schema",
    "Table",
    "TestBank",
    "combine_weights",
    "make_bank",
    "read_classes",
    "read_costs",
    "read_rows",
    "read_table",
    "round_weights",
    "row_weights",
]
