"""What does one child cost, from a loaded bank to the hall, ledger on, on one thread?"""

from lab.benchmarks.row import Row
from lab.benchmarks.runs import best_of, load, run
from lab.benchmarks.tables import nominal_table, numeric_table


def measure(repeats):
    """Return the rows on microseconds per child."""
    small = load(*nominal_table())
    generational = best_of(4 * repeats, lambda: run(small, max_leaf_nodes=256))
    paper = best_of(8 * repeats, lambda: run(small, preset=True, max_leaf_nodes=256))
    kernels = paper.kernels / paper.n_children * 1e6
    outside = paper.outside / paper.generations * 1e6
    large = load(*numeric_table(1_000_000))
    million = best_of(repeats, lambda: run(large, population_size=100, generations=50))
    per_child = [timing.whole / timing.n_children * 1e6 for timing in (generational, million)]
    return [
        Row(
            "generational, 3,196 x 36 nominal, 400 x 400: us per child",
            "<= 2.0 (2-core ARM)",
            f"{per_child[0]:.2f}",
            per_child[0] <= 2.0,
        ),
        Row("the paper's preset, same table: us per child in kernels", "<= 1.0", f"{kernels:.2f}", kernels <= 1.0),
        Row("the paper's preset: us per generation outside kernels", "<= 250", f"{outside:.0f}", outside <= 250),
        Row(
            "generational, 1,000,000 x 20 numeric, 255 cuts, 100 x 50: us per child",
            "<= 120",
            f"{per_child[1]:.1f}",
            per_child[1] <= 120,
        ),
    ]
