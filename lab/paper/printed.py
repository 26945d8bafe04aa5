"""The savings tables of the paper, as numbers.

D. Kalles and A. Papagelis, "Lossless fitness inheritance in genetic algorithms for decision trees", Soft Computing
14(9), 2010: Table 3 (means) below, Tables 4, 5 and 7 (single runs) in ``printed.csv``, one line for each set and
figure, one column for each size.

Table 6 is lost: what is printed under its name is Table 4 again, all 288 figures of it. What it should have held
survives as Table 3's column for m = 0.01, x = 10^4, and as nothing else.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

#: Trees, and generations, of a run.
SIZES = (100, 200, 300, 400, 500, 600, 700, 800)

#: The table that is lost; in its place stands a copy of the other.
LOST, COPIED = 6, 4


@dataclass(frozen=True)
class Setting:
    """A way to run the paper's sets, known by the number of its table."""

    table: int
    mutation_rate: float
    x: float | tuple[float, float]  # a pair grows over the run

    def __str__(self) -> str:
        return f"m = {self.mutation_rate}, x = {'10^4..10^5' if isinstance(self.x, tuple) else '10^4'}"


SETTINGS = {
    4: Setting(4, 0.5, 10_000.0),
    5: Setting(5, 0.5, (10_000.0, 100_000.0)),
    6: Setting(6, 0.01, 10_000.0),
    7: Setting(7, 0.01, (10_000.0, 100_000.0)),
}

#: Table 3: rows saved in percent, the mean over sizes, for the settings of Tables 4, 5, 6 and 7.
TABLE_3 = {
    "balance-scale": (56.25, 69.01, 66.64, 73.32),
    "zoo": (56.73, 66.36, 66.18, 67.75),
    "credit-a": (35.16, 53.55, 45.77, 59.32),
    "lymph": (56.13, 69.74, 63.57, 69.48),
    "glass": (50.91, 63.56, 59.65, 64.88),
    "soybean": (46.81, 47.37, 60.45, 60.05),
    "vote": (29.42, 37.48, 42.78, 47.28),
    "anneal": (37.13, 52.45, 44.66, 45.15),
    "crime": (39.70, 55.73, 45.73, 51.87),
    "kr-vs-kp": (37.16, 45.69, 42.15, 45.67),
    "breast": (55.40, 68.68, 64.51, 70.65),
    "multiplexor": (54.58, 71.99, 59.78, 69.90),
}


@dataclass(frozen=True)
class PrintedCell:
    """One run with and one without inheritance, as printed."""

    seconds_old: float
    seconds_new: float
    rows_saved: float  # percent


def mean_saved(name: str, table: int) -> float:
    """Return the rows saved in percent that Table 3 gives for a set, under the setting of a table."""
    return TABLE_3[name][list(SETTINGS).index(table)]


def printed_cell(name: str, table: int, size: int) -> PrintedCell | None:
    """Return what is printed for a set, table and size; None for other sizes, and for the lost Table 6."""
    return None if table == LOST else read_tables().get((table, name, size))


def as_printed(name: str, table: int) -> list[PrintedCell]:
    """Return a set's line of a table as it stands in print, by size: for Table 6, that of Table 4."""
    table = COPIED if table == LOST else table
    return [read_tables()[table, name, size] for size in SIZES]


@cache
def read_tables() -> dict[tuple[int, str, int], PrintedCell]:
    """Return Tables 4, 5 and 7 by (table, set, size)."""
    figures: dict[tuple[int, str, int], dict[str, float]] = {}
    with (files("lab.paper") / "printed.csv").open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            for size in SIZES:
                cell = figures.setdefault((int(line["table"]), line["set"], size), {})
                cell[line["figure"]] = float(line[str(size)])
    return {key: PrintedCell(**cell) for key, cell in figures.items()}
