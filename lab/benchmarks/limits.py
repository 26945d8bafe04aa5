"""Does a time limit hold at any size, and how much memory does a fit take beyond its table and its tests?"""

import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

from lab.benchmarks.row import Row

SIZES = (  # rows, columns, limit, cuts, and how the size is chosen, where not by payoff
    (2_000_000, 50, 5.0, 255),
    (2_000_000, 50, 5.0, 31),
    (2_000_000, 50, 1.0, 255),
    (200, 10_000, 5.0, 255),
    (200, 10_000, 3.0, 31),
    (4, 100_000, 5.0, 255),
    (200_000, 40, 3.0, 255),
    (2_000_000, 50, 5.0, 255, "cv"),
    (200, 10_000, 5.0, 255, "cv"),
    (200_000, 40, 10.0, 255, "cv"),
)
LARGEST = (2_000_000, 50)
BYTES_A_CELL = 255 / 8 + 2  # the bit rows of 255 cuts, and bins


def measure(repeats):
    """Return a row for each size, each fit in a process of its own, and two on memory without a limit."""
    rows = []
    for size in SIZES:
        found = [in_a_process(*size) for _ in range(min(repeats, 2))]
        best = min(found, key=lambda one: one["seconds"])
        n, columns, limit, cuts, *chosen = size
        least = 0 if limit == 1.0 else 1  # a table of 0.75 GiB is hardly read in a second
        by_folds = ', size_selection="cv"' if chosen else ""
        what = (
            f"limit of {limit:g} s, {n:,} x {columns:,}, {cuts} cuts asked{by_folds}: s (bred: {best['generations']})"
        )
        most = limit + max(0.1 * limit, 0.3)
        met = best["seconds"] <= most and best["generations"] >= least
        rows.append(Row(what, f"<= {most:.1f}", f"{best['seconds']:.2f}", met))
    for size in ("payoff", "cv"):
        beyond = in_a_process(*LARGEST, 0.0, 255, size)["beyond"]
        what = f'peak memory beyond table and tests, 2,000,000 x 50, size="{size}": GiB'
        rows.append(Row(what, "<= 1", f"{beyond:.2f}", beyond <= 1.0))
    return rows


def in_a_process(*size):
    """Return what `fit_one` finds in a process of its own, whose memory is nobody else's."""
    words = [sys.executable, "-m", "lab.benchmarks.limits", *map(str, size)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def fit_one(n, columns, limit, cuts, size_selection="payoff"):
    """Fit within a limit, or two generations without one; return seconds, generations and GiB of memory."""
    from heirwood import Encoding, EvolvedTreeClassifier

    rng = np.random.default_rng(0)
    tree = EvolvedTreeClassifier(random_state=0, generations=2, size=size, encoding=Encoding(max_cuts=cuts))
    tree.fit(rng.random((300, 5)), rng.integers(0, 2, 300))  # compiled, or loaded, is what comes before
    table = rng.random((n, columns))
    codes = (table[:, 0] + table[:, 1] * table[:, 2] + 0.3 * rng.random(n) > 1).astype(int)
    if limit:
        tree.set_params(time_limit=limit, generations=10**9, n_iter_no_change=None)
    began = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree.fit(table, codes)
    seconds = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    beyond = (peak - table.nbytes - table.size * BYTES_A_CELL) / 2**30
    return {"seconds": seconds, "generations": tree.n_generations_, "beyond": beyond}


if __name__ == "__main__":
    n, columns, limit, cuts, *size = sys.argv[1:]
    print(json.dumps(fit_one(int(n), int(columns), float(limit), int(cuts), *size)))
