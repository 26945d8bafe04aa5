"""How much do two threads help, are the trees the same, and how much would two processes gain that share nothing?"""

import multiprocessing

from lab.benchmarks.row import Row
from lab.benchmarks.runs import load, run
from lab.benchmarks.tables import numeric_table

SHAPE = {"population_size": 1000, "generations": 400, "majority": True}


def measure(repeats):
    """Return the row on two threads against one; they take turns, and the best of each counts."""
    loaded = load(*numeric_table(100_000))
    whole, phases, halls = {1: [], 2: []}, {1: [], 2: []}, []
    for _ in range(repeats):
        for n_threads in (1, 2):
            timing = run(loaded, n_threads=n_threads, **SHAPE)
            whole[n_threads].append(timing.whole)
            phases[n_threads].append(timing.breed + timing.refresh)
            halls.append(timing.hall)
    assert all(hall == halls[0] for hall in halls), "threads changed a result"
    ratio = min(whole[1]) / min(whole[2])
    in_phases = min(phases[1]) / min(phases[2])
    apart = 2 * min(whole[1]) / min(beside(loaded, max(2, repeats // 2)))
    what = (
        "two threads against one, 100,000 rows, 1,000 x 400, same trees "
        f"(breeding and evaluating alone: {in_phases:.2f}; "
        f"two processes that share nothing, on this machine: {apart:.2f})"
    )
    return [Row(what, ">= 1.7", f"{ratio:.2f}", ratio >= 1.7)]


def beside(loaded, repeats):
    """Return what a whole run takes while another process runs the same one."""
    other = multiprocessing.get_context("fork").Process(target=_run_on, args=(loaded, repeats + 1))
    other.start()
    seconds = [run(loaded, **SHAPE).whole for _ in range(repeats)]
    other.terminate()
    other.join()
    return seconds


def _run_on(loaded, repeats):
    for _ in range(repeats):
        run(loaded, **SHAPE)
