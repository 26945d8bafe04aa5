"""What does the ledger cost? The package, and a copy of it without the ledger, run in turn."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import heirwood
from lab.benchmarks.row import Row

CODE = """
from lab.benchmarks.runs import load, run
from lab.benchmarks.tables import nominal_table
loaded = load(*nominal_table())
print(min(run(loaded, majority={majority}).whole for _ in range(8)))
"""


def measure(repeats):
    """Return the rows on the ledger, for labels by majority and in genes."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        kept, dropped = Path(folder) / "kept", Path(folder) / "dropped"
        copy_package(kept)
        copy_package(dropped)
        drop_ledger(dropped)
        for majority in (True, False):
            code = CODE.format(majority=majority)
            pairs = [(seconds(code, kept), seconds(code, dropped)) for _ in range(repeats)]
            cost = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs) - 1
            name = "by majority" if majority else "in genes"
            rows.append(Row(f"cost of the ledger, labels {name}", "<= 5 %", f"{100 * cost:.1f} %", cost <= 0.05))
    return rows


def copy_package(folder):
    """Copy the package to a folder of its own."""
    source = Path(heirwood.__file__).parent
    for path in source.rglob("*.py"):
        copy = folder / "heirwood" / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text())


def drop_ledger(folder):
    """Take every line out that writes the ledger, adds it up, or counts words for it."""
    for file, pattern, at_least in (
        ("settle.py", r"^( +)(ledger\[|words \+= slice_words).*$", 6),
        ("inheritance.py", r"^( +)scratch\.spent\[.*$", 1),
    ):
        path = folder / "heirwood" / "core" / file
        text, n = re.subn(pattern, r"\1pass", path.read_text(), flags=re.MULTILINE)
        assert n >= at_least, f"core/{file} does not write the ledger any more"
        path.write_text(text)


def seconds(code, package):
    """Return what a new process measured with one of the two packages."""
    path = os.pathsep.join([str(package), str(Path(__file__).parents[2])])
    environment = dict(os.environ, PYTHONPATH=path, NUMBA_CACHE_DIR=str(package / "kernels"))
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)
