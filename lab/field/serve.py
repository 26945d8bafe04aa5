"""Run inside a peer's environment: fit what the task asks for and answer one JSON line a fit.

    python -P serve.py PEER.py FOLDER

FOLDER holds task.json and table.npz, and gets answers.jsonl. This file imports nothing of the project and needs
nothing but NumPy, because the peer's environment has nothing else. Import of the peer and its first compilation are
over before the first line, ``{"ready": ...}``, so they are in nobody's time.
"""

import importlib.util
import json
import platform
import resource
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


class Problem:
    """The rows to train on, as a peer sees them: numbers only, classes 0, 1, ... without gaps.

    Attributes
    ----------
    X : (n_rows, n_columns) float64 array
    y : (n_rows,) int64 array
    name : str
        Of the set.
    rows : (n_rows,) int64 array
        Which rows of the set these are.
    seed : int or None
    time_limit : float
        Seconds, for a peer that can be told.
    """

    def __init__(self, name, X, y, rows, time_limit, seed, seconds_of):
        self.name, self.X, self.y, self.rows = name, X, y, rows
        self.time_limit, self.seed = time_limit, seed
        self.borrowed = np.zeros(2)  # wall and CPU seconds of what an earlier fit has already paid for
        self._seconds_of = seconds_of

    def once(self, what, make):
        """Return ``make()``, made once for these rows; every fit that uses it is charged its seconds."""
        key = (what, self.rows.tobytes())
        if key in self._seconds_of:
            made, seconds = self._seconds_of[key]
            self.borrowed += seconds
            return made
        before = clocks()
        made = make()
        self._seconds_of.clear()  # tables are large, and fits on the same rows follow each other
        self._seconds_of[key] = made, clocks() - before
        return made


def clocks():
    """Return wall and CPU seconds, to be subtracted."""
    return np.array([time.perf_counter(), time.process_time()])


def load(path):
    """Import a peer's file under a name that hides no package of the same name; it may import what others share."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))  # behind what the environment has
    spec = importlib.util.spec_from_file_location(f"field_peer_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(peer, problem, settings, classes, everything):
    """Fit once; return what the answer's line says."""
    before = clocks()
    fitted = peer.fit(problem, **settings)
    wall, cpu = clocks() - before + problem.borrowed
    labels = named(fitted.pop("predict")(everything), classes)
    for unasked in ("shares", "shares_by_size"):
        fitted.pop(unasked, None)
    if "hall" in fitted:  # trees of other sizes that the same fit found
        fitted["hall"] = [[leaves, named(codes, classes)] for leaves, codes in fitted["hall"](everything)]
    return {
        "labels": labels,
        "wall": round(wall, 4),
        "cpu": round(cpu, 4),
        "borrowed": problem.borrowed.round(4).tolist(),
        **fitted,
    }


def answer_by_chance(peer, problem, settings, classes, everything, judged, path):
    """Fit once; write the probabilities of the rows that are judged; return what the answer's line says."""
    before = clocks()
    fitted = peer.fit(problem, **settings)
    wall, cpu = clocks() - before + problem.borrowed
    np.save(path, np.asarray(fitted["shares"](everything), np.float64)[judged])
    others = {}
    if "shares_by_size" in fitted:  # those of trees of other sizes that the same fit found
        found = [(leaves, shares[judged]) for leaves, shares in fitted["shares_by_size"](everything)]
        others["sizes"] = [leaves for leaves, _ in found]
        np.save(path.with_name(f"{path.stem}-by-size.npy"), [shares for _, shares in found])
    return {
        **others,
        "classes": classes.tolist(),
        "leaves": fitted["leaves"],
        "wall": round(wall, 4),
        "cpu": round(cpu, 4),
    }


def named(codes, classes):
    """Return the classes that a peer's codes stand for."""
    return classes[np.asarray(codes, dtype=np.int64)].tolist()


def failure(error):
    """Return the answer's line of a fit that came to nothing."""
    return {"failed": f"{type(error).__name__}: {error}".strip()[-300:]}


def main():
    """Read the task, answer it."""
    peer_file, folder = Path(sys.argv[1]), Path(sys.argv[2])
    task = json.loads((folder / "task.json").read_text())
    table = np.load(folder / "table.npz")
    X, y = table["X"], table["y"]
    warnings.simplefilter("ignore")  # "time limit reached" is in the answer
    peer = load(peer_file)
    with (folder / "answers.jsonl").open("w") as file:

        def say(line):
            file.write(json.dumps(line) + "\n")
            file.flush()

        if hasattr(peer, "prepare"):
            peer.prepare(task["set"])
        peer.warm_up()
        versions = {name: version(name) for name in peer.PACKAGES} | {"python": platform.python_version()}
        versions |= peer.versions() if hasattr(peer, "versions") else {}
        if task["memory"]:
            resource.setrlimit(resource.RLIMIT_AS, (task["memory"], task["memory"]))
        say({"ready": versions})
        seconds_of = {}
        for number, fit in enumerate(task["fits"]):
            rows = table[fit["rows"]] if fit["rows"] else np.arange(len(y))
            classes, codes = np.unique(y[rows], return_inverse=True)
            limits = fit["time_limit"], fit["seed"]
            problem = Problem(task["set"], np.ascontiguousarray(X[rows]), codes, rows, *limits, seconds_of)
            try:
                if fit.get("judged"):
                    judged, path = table[fit["judged"]], folder / f"shares{number}.npy"
                    line = answer_by_chance(peer, problem, fit["settings"], classes, X, judged, path)
                else:
                    line = answer(peer, problem, fit["settings"], classes, X)
            except Exception as error:  # whatever a peer raises is its answer
                line = failure(error)
            say(line)


if __name__ == "__main__":
    main()
