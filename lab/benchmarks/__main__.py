"""Measure every figure that is claimed and print it beside its bar.

python -m lab.benchmarks                  all questions (about ten minutes)
python -m lab.benchmarks children loops   some of them
python -m lab.benchmarks --write          also to docs/benchmarks.md
"""

import argparse
import importlib
import os
import platform
from datetime import date
from pathlib import Path

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

import heirwood
from lab.common.machine import processor

QUESTIONS = ("children", "savings", "threads", "peer_gatree", "loops", "ledger", "memory", "starting", "limits")
NOTES = Path(__file__).with_name("notes.md")  # what the figures say, for the page
REPORT = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


def main():
    """Ask the questions and show the answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="*", default=QUESTIONS, metavar="question", help=", ".join(QUESTIONS))
    parser.add_argument("--repeats", type=int, default=5, help="best of how many (default 5)")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    console = Console()
    rows = []
    for name in options.questions:
        module = importlib.import_module(f"lab.benchmarks.{name}")
        with console.status(f"{name}: {module.__doc__.strip()}"):
            rows.extend(module.measure(options.repeats))
    table = Table(title=f"heirwood {heirwood.__version__} on {machine()}")
    for heading in ("what", "must reach", "measured", "met"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(row.what, row.must, row.measured, row.verdict.strip("*"))
    console.print(table)
    if options.write:
        REPORT.write_text(report(rows))
        console.print(f"written to {REPORT.relative_to(REPORT.parents[1])}")


def machine():
    """Describe the machine as a reader would ask for it."""
    cores = os.cpu_count()
    return (
        f"{processor()} ({platform.machine()}, {cores} cores), Python {platform.python_version()}, "
        f"NumPy {np.__version__}, Numba {numba.__version__}"
    )


def report(rows):
    """Return the table as a page."""
    lines = [
        "# Benchmarks",
        "",
        f"Measured on {date.today().isoformat()} with heirwood {heirwood.__version__} on {machine()}.",
        "One thread unless said, best of several repeats; ratios are from one run on one machine.",
        "`make bench` measures them again.",
        "",
        "| what | must reach | measured | met |",
        "|---|---|---|---|",
    ]
    lines += [f"| {row.what} | {row.must} | {row.measured} | {row.verdict} |" for row in rows]
    return "\n".join([*lines, ""]) + NOTES.read_text()


if __name__ == "__main__":
    main()
