"""The real J48: Weka, called as a program on ARFF files that we write.

The paper's "J48" is Weka's pruned tree with binary splits (``J48 -B``), its "J48 (p)" reduced-error pruning
(``J48 -B -R``), whatever its text says; so read, and with 5 folds and seed 1, Weka 3.6.14 gives the printed figures.
Accuracy is over all rows of the cross-validation; size is that of the tree on the full table. On rows that are named,
both are of the tree that was grown on some and tested on others.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from heirwood.data import Dataset
from heirwood.data.arff_writer import write_arff
from lab.paper.accuracy_printed import J48, J48_P
from lab.paper.folds import N_FOLDS

JAR_VARIABLE = "HEIRWOOD_WEKA"
#: Where packages put the jar; Debian's `weka` the first.
JARS = (Path("/usr/share/java/weka.jar"), Path("/usr/share/java/weka/weka.jar"))
OPTIONS = {J48: ("-B",), J48_P: ("-B", "-R")}
SEED = 1
TIMEOUT = 300.0  # seconds; the paper's largest set takes one

# Short runs: a quick start is worth more than a good compiler.
_JAVA_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:TieredStopAtLevel=1",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
)

_FIGURES = {
    "hits": r"^Correctly Classified Instances\s+(\d+)\s",
    "rows": r"^Total Number of Instances\s+(\d+)\s*$",
    "nodes": r"^Size of the tree\s*:\s*(\d+)\s*$",
    "leaves": r"^Number of Leaves\s*:\s*(\d+)\s*$",
    "seconds": r"^Time taken to build model:\s*([\d.]+) seconds",
}
_OF_TREE = ("nodes", "leaves", "seconds")
#: What a test of Weka's is called, and how its figures begin.
_CROSS_VALIDATION = ("cross-validation", r"^=== Stratified cross-validation ===\s*$")
_TEST_ROWS = ("test of its own", r"^=== Error on test data ===\s*$")


class WekaMissingError(ValueError):
    """Java or Weka is not there; the message says what to install."""


class WekaError(ValueError):
    """Weka was called and did not give what is expected of it."""


@dataclass(frozen=True)
class J48Run:
    """What Weka says of one J48 and its test."""

    hits: int  # over all rows of the test
    rows: int
    nodes: int  # of the tree on the table that it was given
    leaves: int
    seconds: float  # to build that tree

    @property
    def accuracy(self) -> float:
        """The share of rows that were right in their test."""
        return self.hits / self.rows


@dataclass(frozen=True)
class Weka:
    """A Java and a jar that work together, and the version the jar says it has."""

    java: str
    jar: Path
    version: str

    def j48(self, dataset: Dataset, learner: str) -> J48Run:
        """Cross-validate "J48" or "J48 (p)" on a table: 5 folds, seed 1.

        Raises
        ------
        WekaError
            Where Weka fails, or says something that cannot be read.
        """
        with tempfile.TemporaryDirectory(prefix="heirwood-") as folder:
            path = Path(folder) / "table.arff"
            write_arff(dataset, path)
            return self._run(dataset.name, learner, _CROSS_VALIDATION, "-t", path, "-x", N_FOLDS, "-s", SEED)

    def j48_on(self, dataset: Dataset, train: np.ndarray, test: np.ndarray, learner: str) -> J48Run:
        """Grow "J48" or "J48 (p)" on some rows of a table, and test it on others.

        Raises
        ------
        WekaError
            As `j48` does.
        """
        with tempfile.TemporaryDirectory(prefix="heirwood-") as folder:
            paths = [Path(folder) / name for name in ("train.arff", "test.arff")]
            assert dataset.target is not None
            levels = dataset.target_levels or tuple(sorted(set(dataset.target.tolist())))  # one header for both
            for path, rows in zip(paths, (train, test), strict=True):
                part = replace(
                    dataset, table=dataset.table.take(rows), target=dataset.target[rows], target_levels=levels
                )
                write_arff(part, path)
            return self._run(dataset.name, learner, _TEST_ROWS, "-t", paths[0], "-T", paths[1])

    def _run(self, name: str, learner: str, test: tuple[str, str], *arguments: str | int | Path) -> J48Run:
        words = (*(str(each) for each in arguments), *OPTIONS[learner])
        output = _call(self.java, self.jar, "weka.classifiers.trees.J48", *words)
        try:
            return parse_j48(output, test)
        except ValueError as error:
            raise WekaError(f"{learner} of Weka {self.version} on {name}: {error}") from None


def find_weka(jar: str | Path | None = None) -> Weka:
    """Return the Weka to call.

    Parameters
    ----------
    jar : path, optional
        ``weka.jar``; otherwise the one that HEIRWOOD_WEKA names, or that a package of the system has installed.

    Raises
    ------
    WekaMissingError
        Where Java or Weka is not there, or the jar is none of Weka's.
    """
    found = _find_jar(jar)
    java = _find_java()
    if found is None or java is None:
        missing = " and ".join(name for name, there in (("Java", java), ("Weka", found)) if there is None)
        raise WekaMissingError(
            f"{missing} cannot be found; install the package weka (Debian, Ubuntu: apt install weka), or Java and Weka "
            f"from its own site, and name its jar with --weka or {JAR_VARIABLE}"
        )
    try:
        lines = _call(java, found, "weka.core.Version").splitlines()
    except WekaError as error:
        raise WekaMissingError(f"{found} is no Weka that runs here: {error}") from None
    version = lines[0].strip() if lines else ""
    if not re.fullmatch(r"\d+(\.\d+)+\S*", version):
        raise WekaMissingError(f"{found} gives {version!r} as its version; expected one such as 3.6.14")
    return Weka(java, found, version)


def parse_j48(output: str, test: tuple[str, str] = _CROSS_VALIDATION) -> J48Run:
    """Read the figures out of what J48 prints.

    Parameters
    ----------
    output : str
    test : (str, str)
        What the test is called, and the pattern that its figures come after.

    Raises
    ------
    ValueError
        With the first figure that is not there.
    """
    name_of_test, heading = test
    about_tree, *rest = re.split(heading, output, flags=re.MULTILINE)
    if len(rest) != 1:
        raise ValueError(f"expected one {name_of_test} in Weka's output, found {len(rest)}")
    figures: dict[str, str] = {}
    for name, pattern in _FIGURES.items():
        found = re.search(pattern, about_tree if name in _OF_TREE else rest[0], re.MULTILINE)
        if found is None:
            raise ValueError(f"Weka's output gives no {name}; is it that of J48?")
        figures[name] = found[1]
    return J48Run(seconds=float(figures.pop("seconds")), **{name: int(value) for name, value in figures.items()})


def _find_jar(given: str | Path | None) -> Path | None:
    named = given or os.environ.get(JAR_VARIABLE)
    if not named:
        return next((path for path in JARS if path.is_file()), None)
    if not Path(named).is_file():
        where = "--weka" if given else JAR_VARIABLE
        raise WekaMissingError(f"there is no file {str(named)!r}, which {where} names; name a weka.jar")
    return Path(named)


def _find_java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return (shutil.which("java", path=str(Path(home) / "bin")) if home else None) or shutil.which("java")


def _call(java: str, jar: Path, main: str, *arguments: str) -> str:
    command = [java, *_JAVA_OPTIONS, "-cp", str(jar), main, *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        raise WekaError(f"{main} did not end within {TIMEOUT:.0f} s") from None
    except OSError as error:
        raise WekaError(f"{java} cannot be run: {error.strerror}") from None
    # Weka says what went wrong on standard error, and may still end with 0.
    if done.returncode or not done.stdout.strip():
        said = next((line.strip() for line in done.stderr.splitlines() if line.strip()), "it says nothing")
        raise WekaError(f"{main} ended with {done.returncode}: {said}")
    return done.stdout
