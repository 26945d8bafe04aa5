"""How much memory does a run take beyond its bank?"""

import tracemalloc

from lab.benchmarks.row import Row
from lab.benchmarks.runs import load, run
from lab.benchmarks.tables import numeric_table


def measure(repeats):
    """Return the row on memory: 800 trees of up to 256 leaves, 1,000,000 rows, by the paper's operators."""
    table, codes = numeric_table(1_000_000)
    loaded = load(table, codes)
    del table
    run(loaded, population_size=10, generations=1)
    tracemalloc.start()
    run(loaded, population_size=800, generations=3, max_leaf_nodes=256)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return [Row("memory beyond the bank, 800 trees, 1,000,000 rows: MiB", "<= 64", f"{peak:.1f}", peak <= 64)]
