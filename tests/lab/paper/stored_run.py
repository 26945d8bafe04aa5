"""The cells of one run of the paper's preset, sizes 100 to 800, seed 1: rows saved and leaves of the best tree.

Made anew, after ``python -m lab.paper calibration --schemes nodes-tenth-tournament3``, by

    python -m tests.lab.paper.stored_run results/calibration.jsonl
"""

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "stored_run.csv"
SCHEME, SEED = "nodes-tenth-tournament3", 1


@dataclass(frozen=True)
class StoredCell:
    """One cell."""

    set: str
    table: int
    size: int
    rows_saved: float  # percent
    leaves: int


def read_stored():
    with FILE.open(encoding="utf-8", newline="") as file:
        return [
            StoredCell(row["set"], int(row["table"]), int(row["size"]), float(row["rows_saved"]), int(row["leaves"]))
            for row in csv.DictReader(file)
        ]


def write_stored(results):
    trials = [json.loads(line) for line in Path(results).read_text(encoding="utf-8").splitlines()[1:]]
    chosen = [trial for trial in trials if (trial["scheme"], trial["seed"]) == (SCHEME, SEED)]
    columns = list(StoredCell.__dataclass_fields__)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([trial[column] for column in columns] for trial in chosen)


if __name__ == "__main__":
    write_stored(sys.argv[1])
