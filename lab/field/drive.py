"""Drive a peer in its own environment: hand over the task, watch the clock, collect the answers."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

SERVE = Path(__file__).with_name("serve.py")
MEMORY = 12 * 2**30  # bytes of address space
START_LIMIT = 900.0  # seconds for import and first compilation
PATIENCE = 2.0  # times the time limit, after which a fit is ended from outside
ENDED = "ended from outside after"
LEAST_WAIT = 10.0  # seconds, however short the time limit
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "LOKY_MAX_CPU_COUNT"), "1"
)


@dataclass(frozen=True, eq=False)
class Fit:
    """One fit that is asked for: settings, rows (None for all), seconds, seed, and rows that are judged."""

    settings: dict[str, Any]
    time_limit: float
    rows: np.ndarray | None = field(default=None, repr=False)
    seed: int | None = None
    judged: np.ndarray | None = field(default=None, repr=False)  # rows whose probabilities are asked for, not labels


def ask(
    python: Path, peer_file: Path, name: str, X: np.ndarray, y: np.ndarray, fits: Sequence[Fit], *, memory: int = MEMORY
) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Yield an answer to each fit, in order, with the versions that gave it; a peer that dies is started again.

    Parameters
    ----------
    python : path
        Of the peer's environment.
    peer_file : path
        The peer's file in `lab/field/peers`.
    name : str
        Of the set.
    X, y : arrays
        All rows, as numbers; the classes 0, 1, ...
    fits : sequence of Fit
    memory : int
        Bytes of address space the peer may use after it was imported; 0 for no limit.
    """
    done = 0
    while done < len(fits):
        with tempfile.TemporaryDirectory(prefix="field-") as folder:
            _write_task(Path(folder), name, X, y, fits[done:], memory)
            for answer, versions in _answers(python, peer_file, Path(folder), fits[done:]):
                done += 1
                yield answer, versions


def _write_task(folder: Path, name: str, X: np.ndarray, y: np.ndarray, fits: Sequence[Fit], memory: int) -> None:
    tables = {"X": X, "y": y}
    told = []
    keys: dict[bytes, str] = {}
    for fit in fits:
        key = ""
        if fit.rows is not None:
            key = keys.setdefault(fit.rows.tobytes(), f"rows{len(keys)}")
            tables[key] = fit.rows
        judged = ""
        if fit.judged is not None:
            judged = keys.setdefault(fit.judged.tobytes(), f"rows{len(keys)}")
            tables[judged] = fit.judged
        told.append(
            {"settings": fit.settings, "time_limit": fit.time_limit, "rows": key, "seed": fit.seed, "judged": judged}
        )
    np.savez(folder / "table.npz", **tables)
    (folder / "task.json").write_text(json.dumps({"set": name, "memory": memory, "fits": told}))


def _answers(
    python: Path, peer_file: Path, folder: Path, fits: Sequence[Fit]
) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Yield answers until all are there, or one that says how the peer died; then the rest needs a new start."""
    errors = (folder / "stderr").open("wb")
    process = subprocess.Popen(
        [str(python), "-P", str(SERVE), str(peer_file), str(folder)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
        env=os.environ | ONE_THREAD, cwd=folder,
    )  # fmt: skip
    lines = _Lines(folder / "answers.jsonl")
    try:
        ready = lines.wait(process, START_LIMIT)
        if ready is None:
            yield {"failed": _last_words(process, folder, START_LIMIT, "starting")}, {}
            return
        for number, fit in enumerate(fits):
            limit = max(PATIENCE * fit.time_limit, LEAST_WAIT)
            answer = lines.wait(process, limit)
            if answer is None:
                yield {"failed": _last_words(process, folder, limit, "fitting")}, ready["ready"]
                return
            if fit.judged is not None and "failed" not in answer:
                answer["shares"] = np.load(folder / f"shares{number}.npy")
                if "sizes" in answer:
                    by_size = np.load(folder / f"shares{number}-by-size.npy")
                    answer["shares_by_size"] = list(zip(answer["sizes"], by_size, strict=True))
            yield answer, ready["ready"]
    finally:
        process.kill()
        process.wait()
        errors.close()


class _Lines:
    """The lines of a file that another process is writing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def wait(self, process: subprocess.Popen[bytes], seconds: float) -> dict[str, Any] | None:
        """Return the next line; None if the process ended or the time was up without one."""
        end = time.monotonic() + seconds
        while True:
            ended = process.poll() is not None  # before reading: what it wrote last still counts
            line = self._next()
            if line is not None:
                return line
            if ended or time.monotonic() > end:
                return None
            time.sleep(0.02)

    def _next(self) -> dict[str, Any] | None:
        if not self._path.exists():
            return None
        with self._path.open("rb") as file:
            file.seek(self._offset)
            line = file.readline()
        if not line.endswith(b"\n"):
            return None
        self._offset += len(line)
        return dict(json.loads(line))


def _last_words(process: subprocess.Popen[bytes], folder: Path, limit: float, doing: str) -> str:
    code = process.poll()
    if code is None:
        return f"{ENDED} {limit:g} s of {doing}"
    said = (folder / "stderr").read_text(errors="replace").strip().splitlines()
    return f"died while {doing} (exit {code}){': ' + said[-1][-200:] if said else ''}"
