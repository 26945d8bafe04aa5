"""A process of `make soak`: some seconds, or cases, of one target; what came of them is the last line, as JSON.

    python -m tests.fuzz.worker files 7 60 0 /tmp/beat

Arguments: the target, a seed, seconds, the most cases (0 for any number) and a file that always holds the number of the
case under way, so that one which ends the process is known.
"""

import json
import os
import resource
import sys
import tempfile
from pathlib import Path

from tests.fuzz.harness import fuzz, keep

MEMORY = "/dev/shm"  # a disk would be most of the time of many cases


def main(name, seed, seconds, cases, beat):
    number = os.open(beat, os.O_RDWR | os.O_CREAT)
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
        outcome = fuzz(
            name,
            int(seed),
            Path(folder),
            seconds=float(seconds),
            cases=int(cases) or None,
            beat=lambda case: os.pwrite(number, b"%-20d" % case, 0),
        )
    kept = [[str(keep(name, case)), trace] for case, trace in outcome.findings[:20]]
    told = {
        "counts": outcome.counts,
        "kept": kept,
        "slowest": outcome.slowest,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
