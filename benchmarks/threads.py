"""How much do two threads help, and are the trees the same?"""

from benchmarks.row import Row
from benchmarks.runs import best_of, load, run
from benchmarks.tables import numeric_table


def measure(repeats):
    """Return the row on two threads against one."""
    loaded = load(*numeric_table(100_000))
    shape = {"population": 400, "generations": 200, "majority": True}
    one = best_of(repeats, lambda: run(loaded, **shape))
    two = best_of(repeats, lambda: run(loaded, n_threads=2, **shape))
    assert one.hall == two.hall, "threads changed a result"
    ratio = one.whole / two.whole
    kernels = (one.breed + one.refresh) / (two.breed + two.refresh)
    return [
        Row(
            f"two threads against one, 100,000 rows, same trees (kernels alone: {kernels:.2f})",
            ">= 1.7",
            f"{ratio:.2f}",
            ratio >= 1.7,
        )
    ]
