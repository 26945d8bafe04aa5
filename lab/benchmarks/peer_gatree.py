"""How many more children per second than gatree 0.2.0, the package of that name, in its own environment?"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from lab.benchmarks.row import Row
from lab.benchmarks.runs import best_of, load, run
from lab.benchmarks.tables import numeric_table

ENVIRONMENT = Path(__file__).resolve().parents[2] / ".venv-gatree"
POPULATION, GENERATIONS = 100, 5
PEER = f"""
import sys, time
import numpy as np, pandas as pd
from gatree.methods.gatreeclassifier import GATreeClassifier
data = np.load(sys.argv[1])
X, y = pd.DataFrame(data["values"]), pd.Series(data["codes"])
t = time.perf_counter()
peer = GATreeClassifier(random_state=0)
peer.fit(X, y, population_size={POPULATION}, max_iter={GENERATIONS}, mutation_probability=0.5)
print(time.perf_counter() - t)
"""


def measure(repeats):
    """Return the row on gatree: 1,000 rows x 20 numeric columns, same population and generations."""
    what = f"children per second against gatree 0.2.0, 1,000 x 20, {POPULATION} x {GENERATIONS}"
    table, codes = numeric_table(1_000)
    try:
        python = install()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.npz"
            np.savez(path, values=table.values, codes=codes)
            done = subprocess.run([python, "-c", PEER, str(path)], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return [Row(what, ">= 10,000 x", f"gatree does not install or run here ({type(error).__name__})", None)]
    theirs = POPULATION * (GENERATIONS + 1) / float(done.stdout)  # it evaluates its first trees too
    loaded = load(table, codes)
    same = best_of(repeats + 2, lambda: run(loaded, population_size=POPULATION, generations=GENERATIONS))
    long = best_of(repeats, lambda: run(loaded, population_size=400, generations=400))
    ours = (same.n_children + POPULATION) / same.whole
    sustained = long.n_children / long.whole
    return [
        Row(
            f"{what}: {ours:,.0f} against {theirs:.1f} (in a run of 400 x 400: {sustained:,.0f})",
            ">= 10,000 x",
            f"{ours / theirs:,.0f} x",
            ours / theirs >= 10_000,
        )
    ]


def install():
    """Return the Python of the peer's environment, made on first use."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "gatree==0.2.0"], check=True)
    return python
