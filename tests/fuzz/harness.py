"""The fuzzer: cases made from a seed, run one after the other, each ending well, or with an error of the right kind.

A target makes a case, of plain JSON and bytes, and runs it. What a case may raise is what the documentation promises;
all else is a finding: it is written to ``tests/fuzz/kept``, printed, and run as a test from then on.
"""

import base64
import faulthandler
import hashlib
import importlib
import json
import os
import signal
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.busy import HUNG, own_seconds

KEPT = Path(__file__).parent / "kept"
TARGETS = ("models", "journals", "files", "parameters", "tables", "limits")
TOO_LONG = 10.0  # seconds of its own for one case, unless its target has another bound,
STUCK = 12  # times as many by the clock on the wall: a busy machine may have no core for it
LEAST = 50  # cases, however many seconds the first of them took to compile


class HangError(BaseException):
    """A case took too long."""


@dataclass
class Outcome:
    """What some cases came to.

    Attributes
    ----------
    counts : Counter
        How often cases ended well ("fine"), and with each kind of error that is allowed.
    findings : list of (case, traceback)
    slowest : (seconds, case)
    """

    counts: Counter = field(default_factory=Counter)
    findings: list = field(default_factory=list)
    slowest: tuple = (0.0, None)


def target(name):
    """Return the module of a target: `make_case(rng)`, `run_case(case, folder)` and ALLOWED kinds of errors."""
    return importlib.import_module(f"tests.fuzz.{name}")


def today():
    """Return the seed of the day, unless one is set."""
    return int(os.environ.get("HEIRWOOD_FUZZ_SEED", time.time() // 86_400))


def fuzz(name, seed, folder, *, seconds, cases=None, beat=None):
    """Run cases of a target for some seconds, but at least `LEAST`, or a number of them; return the outcome.

    Parameters
    ----------
    name : str
    seed : int
        Case i is made from (seed, i) alone.
    folder : Path
        For files of cases.
    beat : callable, optional
        Is told the number of each case before it runs.
    """
    module = target(name)
    outcome = Outcome()
    module.make_case(np.random.default_rng(seed))  # what all cases are made from does not count
    until = time.monotonic() + seconds
    number, most = 0, np.inf if cases is None else cases
    with _watched() as is_alive:
        while number < most and (number < LEAST or time.monotonic() < until):
            is_alive()
            if beat is not None:
                beat(number)
            case = module.make_case(np.random.default_rng([seed, number]))
            began = time.monotonic()
            try:
                kind = run(module, case, folder)
            except (Exception, HangError):
                outcome.findings.append((case, traceback.format_exc()))
                kind = "finding"
            outcome.counts[kind] += 1
            outcome.slowest = max(outcome.slowest, (time.monotonic() - began, number), key=lambda pair: pair[0])
            number += 1
    return outcome


@contextmanager
def _watched():
    """End the process where no case has begun for `HUNG` seconds; what is yielded says that one begins."""
    armed = 0.0

    def is_alive():
        nonlocal armed
        if time.monotonic() - armed > 1.0:  # a millisecond each time
            faulthandler.dump_traceback_later(HUNG, exit=True)
            armed = time.monotonic()

    try:
        yield is_alive
    finally:
        faulthandler.cancel_dump_traceback_later()


def run(module, case, folder):
    """Run one case; return "fine" or the name of the error it may end with; raise any other."""
    with warnings.catch_warnings(), _in_time(getattr(module, "TOO_LONG", TOO_LONG)):
        warnings.simplefilter("ignore")
        try:
            module.run_case(case, folder)
        except module.ALLOWED as error:
            return type(error).__name__
    return "fine"


@contextmanager
def _in_time(seconds):
    began, stuck = own_seconds(), time.monotonic() + STUCK * seconds

    def ring(signum, frame):
        is_waiting = own_seconds() - began < seconds and time.monotonic() < stuck
        if is_waiting or _is_compiling(frame):
            signal.setitimer(signal.ITIMER_REAL, 1.0)
        else:
            raise HangError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)  # of pytest-timeout, where it runs
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)


def _is_compiling(frame):
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(("numba.", "llvmlite.")):
            return True
        frame = frame.f_back
    return False


def keep(name, case):
    """Write a case to the folder of those that are tests; return its path."""
    text = json.dumps({"target": name, "case": case}, indent=1, sort_keys=True, default=_bytes_as_text)
    path = KEPT / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    KEPT.mkdir(exist_ok=True)
    path.write_text(text + "\n")
    return path


def kept(path):
    """Return the target and the case of a file that `keep` wrote."""
    document = json.loads(path.read_text(), object_hook=_text_as_bytes)
    return document["target"], document["case"]


def _bytes_as_text(data):
    return {"base85": base64.b85encode(data).decode("ascii")}


def _text_as_bytes(found):
    return base64.b85decode(found["base85"]) if found.keys() == {"base85"} else found
