"""An hour of hostile cases, on every core: fuzzing, the watchdog, and faults at random moments.

    python tools/soak.py                  an hour
    python tools/soak.py --minutes 5      less

It ends with a table of cases, errors and peak memory by target, and a status of 1 where anything was found. A case that
failed is written to tests/fuzz/kept, and is a test from then on.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # `tests` is a package of the checkout, not of what is installed

from tests.fuzz.harness import TARGETS, keep, target, today  # noqa: E402

CHUNK = 60.0  # seconds of one process, after which a new one takes over: what leaks is seen by its peak
MOST_MEMORY = 4 * 2**30  # bytes of one process
LINE_EVERY = 5  # minutes, in a log
WATCHED = 2_000  # settings of the watchdog
SHARES = {"models": 3, "journals": 3, "files": 3, "parameters": 1, "tables": 1}  # of the chunks: most for the quick


@dataclass
class Tally:
    """What the cases of one target came to."""

    counts: Counter = field(default_factory=Counter)
    kept: list = field(default_factory=list)
    seconds: float = 0.0
    slowest: float = 0.0
    peak: int = 0


def environment():
    """Return the environment of every process: the compiled lane's cache, and more of what is drawn by chance."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return {**ours, "NUMBA_CACHE_DIR": str(ROOT / ".cache" / "numba-compiled"), "HEIRWOOD_SOAK": "1"}


def chunk(name, seed, seconds, cases, tally):
    """Run a process of one target; add what came of it to the tally."""
    began = time.monotonic()
    with tempfile.NamedTemporaryFile() as beat:
        words = [sys.executable, "-m", "tests.fuzz.worker", name, str(seed), str(seconds), str(cases), beat.name]
        done = subprocess.run(words, cwd=ROOT, env=environment(), capture_output=True, text=True, errors="replace")
        number = int(Path(beat.name).read_text() or 0)
    tally.seconds += time.monotonic() - began
    if done.returncode != 0:  # a crash, or a hang that nothing but the end of the process ended
        import numpy as np

        path = keep(name, target(name).make_case(np.random.default_rng([seed, number])))
        tally.counts["crash"] += 1
        tally.counts["fine"] += number
        tally.kept.append([str(path), done.stderr[-4000:]])
        return
    told = json.loads(done.stdout.splitlines()[-1])
    tally.counts.update(told["counts"])
    tally.kept += told["kept"]
    tally.slowest = max(tally.slowest, told["slowest"][0])
    tally.peak = max(tally.peak, told["peak"])


def faults():
    """Run the faults lane with many random moments; return its status and its closing line."""
    words = [sys.executable, "-m", "pytest", "-q", "tests/faults", "-o", "cache_dir=.cache/pytest-soak"]
    words += ["-o", "timeout=3600"]
    done = subprocess.run(words, cwd=ROOT, env=environment(), capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout


def main():
    """Run for the minutes that were asked for; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (60)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes at a time (all cores)")
    parser.add_argument("--watched", type=int, default=WATCHED, help=f"settings of the watchdog ({WATCHED:,})")
    parser.add_argument("--no-faults", action="store_true", help="leave out faults at random moments")
    given = parser.parse_args()
    until = time.monotonic() + given.minutes * 60
    tallies = {name: Tally() for name in TARGETS}
    turns = [name for name, share in SHARES.items() for _ in range(share)]
    numbers = count(today() * 1_000_000)
    failed = False

    def work(first):
        """Take one job at first, then chunks of targets in turn until the time is up."""
        if first is not None:
            first()
        while (left := until - time.monotonic()) > 1.0:
            number = next(numbers)
            name = turns[number % len(turns)]
            try:
                chunk(name, number, min(CHUNK, left), 0, tallies[name])
            except Exception:  # what is known so far is not lost for it
                tallies[name].kept.append(["(nothing: the soak itself failed)", traceback.format_exc()])
            show(tallies, until)

    log = []
    jobs = [lambda: chunk("limits", next(numbers), 10**6, given.watched, tallies["limits"])]
    jobs += [] if given.no_faults else [lambda: log.append(faults())]
    jobs += [None] * (given.workers - len(jobs))
    with ThreadPoolExecutor(max_workers=max(given.workers, len(jobs))) as pool:
        for future in [pool.submit(work, job) for job in jobs]:
            future.result()
    failed = report(tallies, log)
    return 1 if failed else 0


def show(tallies, until):
    """Show how far it is: on one line of a terminal, else on a line now and then."""
    cases = sum(tally.counts.total() for tally in tallies.values())
    found = sum(len(tally.kept) for tally in tallies.values())
    left = max(until - time.monotonic(), 0.0) / 60
    is_live = sys.stderr.isatty()
    if is_live or round(left) % LINE_EVERY == 0:
        begin, end = ("\r", " ") if is_live else ("", "\n")
        print(f"{begin}{cases:,} cases, {found} found, {left:.0f} min left", end=end, file=sys.stderr, flush=True)


def report(tallies, log):
    """Print what was found, and a table; return whether anything is wrong."""
    for name, tally in tallies.items():
        for path, trace in tally.kept:
            print(f"\n{'-' * 20} {name}: kept as {path} {'-' * 20}\n{trace}")
    print(f"\n{'target':<12}{'cases':>10}{'fine':>10}{'refused':>10}{'found':>7}", end="")
    print(f"{'slowest':>10}{'peak':>10}{'a second':>10}")
    for name, tally in tallies.items():
        cases, bad = tally.counts.total(), tally.counts["finding"] + tally.counts["crash"]
        fine = tally.counts["fine"]
        print(
            f"{name:<12}{cases:>10,}{fine:>10,}{cases - fine - bad:>10,}{bad:>7}{tally.slowest:>8.2f} s"
            f"{tally.peak / 2**20:>6.0f} MiB{cases / max(tally.seconds, 1e-9):>10.1f}"
        )
    total = sum(tally.counts.total() for tally in tallies.values())
    print(f"{total:,} cases")
    too_large = [name for name, tally in tallies.items() if tally.peak > MOST_MEMORY]
    for name in too_large:
        print(f"{name}: a process took more than {MOST_MEMORY / 2**30:.0f} GiB")
    for status, text in log:
        print("\nfaults: " + ("ok, " if status == 0 else text + "\n") + text.strip().splitlines()[-1])
    found = any(tally.kept for tally in tallies.values())
    return found or bool(too_large) or any(status for status, _ in log)


if __name__ == "__main__":
    sys.exit(main())
