"""Table -> Dataset -> TestBank: reading tables, and the questions a tree may ask about them."""

from heirwood.data.arff_reader import read_arff
from heirwood.data.arff_writer import write_arff
from heirwood.data.bank import BankTooLargeError, TestBank, make_bank
from heirwood.data.costs import Costs, read_costs
from heirwood.data.costs_file import read_costs_file
from heirwood.data.csv_reader import read_csv
from heirwood.data.dataset import Dataset
from heirwood.data.generated import balance_scale, monks, multiplexer, tic_tac_toe
from heirwood.data.labels import read_classes, row_weights
from heirwood.data.readers import read_file
from heirwood.data.rows import Rows, read_rows
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.table import read_table
from heirwood.data.target import ClassTarget, combine_weights, round_weights

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
    "balance_scale",
    "combine_weights",
    "make_bank",
    "monks",
    "multiplexer",
    "read_arff",
    "read_classes",
    "read_costs",
    "read_costs_file",
    "read_csv",
    "read_file",
    "read_rows",
    "read_table",
    "round_weights",
    "row_weights",
    "tic_tac_toe",
    "write_arff",
]
