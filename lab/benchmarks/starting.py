"""How long until the first tree: imports, and the first fit with kernels cached and not?"""

import os
import subprocess
import sys
import tempfile

from lab.benchmarks.row import Row

CLOCK = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
PACKAGE = "import heirwood"
ESTIMATOR = """
import sklearn.base, numba, time
t = time.perf_counter()
from heirwood import EvolvedTreeClassifier
print(time.perf_counter() - t)
"""
FIRST_FIT = """
import time
from heirwood import EvolvedTreeClassifier, balance_scale
data = balance_scale()
t = time.perf_counter()
EvolvedTreeClassifier(population_size=50, generations=20, random_state=0).fit(data.table, data.target)
print(time.perf_counter() - t)
"""
DEFAULTS = """
import statistics, time
from heirwood import EvolvedTreeClassifier
from sklearn.datasets import make_classification
table = make_classification(1_000, 30, n_informative=10, flip_y=0.1, random_state=0)
EvolvedTreeClassifier(population_size=50, generations=5, random_state=0).fit(*table)
took = []
for seed in range(5):
    t = time.perf_counter()
    EvolvedTreeClassifier(random_state=seed).fit(*table)
    took.append(time.perf_counter() - t)
print(statistics.median(took))
"""


def seconds(code, cache=None):
    """Return the seconds that a new process says its code took, and what it wrote to standard error."""
    environment = dict(os.environ)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = cache
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout), done.stderr


def measure(repeats):
    """Return the rows on starting."""
    package = min(seconds(CLOCK.format(PACKAGE))[0] for _ in range(repeats))
    estimator = min(seconds(ESTIMATOR)[0] for _ in range(repeats))
    cold = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as cache:
            once, said = seconds(FIRST_FIT, cache)
            cold.append(once)
            warm = min(seconds(FIRST_FIT, cache)[0] for _ in range(repeats))
    defaults = min(seconds(DEFAULTS)[0] for _ in range(min(repeats, 3)))
    return [
        Row("import heirwood: s", "<= 0.2", f"{package:.3f}", package <= 0.2),
        Row(
            "from heirwood import EvolvedTreeClassifier, beyond sklearn.base and numba: s",
            "<= 0.4",
            f"{estimator:.2f}",
            estimator <= 0.4,
        ),
        Row("first fit after imports, kernels cached: s", "<= 1.0", f"{warm:.2f}", warm <= 1.0),
        Row(
            "first fit after imports, nothing cached, with a line that says so: s",
            "<= 25",
            f"{min(cold):.1f}",
            min(cold) <= 25 and "compiling" in said,
        ),
        Row(
            "1,000 rows x 30 columns, default search, kernels loaded, the median of five seeds: s",
            "about 1",
            f"{defaults:.2f}",
            defaults <= 1.25,
        ),
    ]
