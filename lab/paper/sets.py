"""The paper's twelve sets by the paper's names, and where to get them.

Two are generated. The others come from a folder of ARFF files or, where no folder is named, from OpenML; one of them
is lost, and one is not on OpenML. What is read is compared with what is expected, to the row: a set that has other
rows than the paper's would answer another question.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heirwood.data import Column, Dataset, Schema, Table
from heirwood.data.arff_reader import read_arff
from heirwood.data.generated import balance_scale
from lab.paper.sets_openml import OPENML, NotFetchedError, fetch_set

FOLDER_VARIABLE = "HEIRWOOD_DATA"


class SetMissingError(ValueError):
    """A set that cannot be had; the message says why, and what to do."""


@dataclass(frozen=True)
class PaperSet:
    """One set of the paper, and what stands for it here."""

    name: str
    rows: int
    columns: int
    classes: dict[str, int] = field(repr=False)  # rows of each
    file: str | None = None
    make: Callable[[], Dataset] | None = field(default=None, repr=False)
    stand_in: bool = False  # not the paper's own rows, which nobody has
    note: str = ""


def sample_of_multiplexer() -> Dataset:
    """Return 100 rows of the multiplexer with 3 address bits, drawn with replacement; always the same ones."""
    draw = random.Random(20090306)
    rows = [[draw.randint(0, 1) for _ in range(11)] for _ in range(100)]
    answers = [row[3 + 4 * row[0] + 2 * row[1] + row[2]] for row in rows]
    names = [f"a{bit}" for bit in range(3)] + [f"d{bit}" for bit in range(8)]
    schema = Schema(tuple(Column(name, "nominal", ("0", "1")) for name in names))
    table = Table(schema, np.array(rows, dtype=np.float64, order="F"))
    return Dataset(table, np.array([str(answer) for answer in answers]), "class", ("0", "1"), "multiplexer11-n100")


_ALL = [
    PaperSet("balance-scale", 625, 4, {"L": 288, "B": 49, "R": 288}, make=balance_scale, note="generated"),
    PaperSet(
        "zoo", 101, 17,
        {"mammal": 41, "bird": 20, "reptile": 5, "fish": 13, "amphibian": 4, "insect": 8, "invertebrate": 10},
        file="zoo.arff", note="with the animal's name as a column, as in the paper",
    ),
    PaperSet("credit-a", 690, 15, {"+": 307, "-": 383}, file="credit-a.arff"),
    PaperSet(
        "lymph", 148, 18, {"normal": 2, "metastases": 81, "malign_lymph": 61, "fibrosis": 4}, file="lymph.arff",
    ),
    PaperSet(
        "glass", 214, 9,
        {"build wind float": 70, "build wind non-float": 76, "vehic wind float": 17, "containers": 13, "tableware": 9,
         "headlamps": 29},
        file="glass-disc10.arff", note="discretised into ten bins of equal width, as in the paper",
    ),
    PaperSet(
        "soybean", 39, 35, {"D1": 10, "D2": 10, "D3": 10, "D4": 9}, file="soybean-small-first39.arff", stand_in=True,
        note="the first 39 of soybean-small's 47 rows; which 39 the paper had is not known",
    ),
    PaperSet("vote", 435, 16, {"democrat": 267, "republican": 168}, file="vote.arff"),
    PaperSet(
        "anneal", 898, 38, {"1": 8, "2": 99, "3": 684, "5": 67, "U": 40}, file="anneal-discO.arff",
        note="discretised, the number of bins by leave-one-out, as in the paper",
    ),
    PaperSet("crime", 0, 0, {}, note="lost: no public set has its 555 to 559 rows"),
    PaperSet("kr-vs-kp", 3196, 36, {"won": 1669, "nowin": 1527}, file="kr-vs-kp.arff"),
    PaperSet(
        "breast", 286, 9, {"no-recurrence-events": 201, "recurrence-events": 85}, file="breast-cancer.arff",
        note="breast-cancer",
    ),
    PaperSet(
        "multiplexor", 100, 11, {"0": 45, "1": 55}, make=sample_of_multiplexer, stand_in=True,
        note="generated: 100 rows of the 11-bit multiplexer; the paper's own sample is lost",
    ),
]  # fmt: skip

#: The twelve sets in the paper's order.
SETS = {each.name: each for each in _ALL}


def load_set(name: str, folder: str | Path | None = None) -> Dataset:
    """Return one of the paper's sets, checked against what is expected of it.

    Parameters
    ----------
    name : str
        A key of `SETS`.
    folder : path, optional
        Where the ARFF files are; otherwise the folder named by HEIRWOOD_DATA; otherwise, OpenML is asked. Generated
        sets need none of them.

    Raises
    ------
    SetMissingError
        Where the set is lost, its file is not in the folder, or OpenML does not give it or gives something else.
    ValueError
        Where the name is not known, or the file holds something else than expected.
    """
    if name not in SETS:
        raise ValueError(f"the paper has no set {name!r}; it has {', '.join(SETS)}")
    wanted = SETS[name]
    folder = folder or os.environ.get(FOLDER_VARIABLE)
    if wanted.make is not None:
        dataset = wanted.make()
    elif wanted.file is None:
        raise SetMissingError(f"{name} is {wanted.note}")
    elif folder:
        dataset = read_arff(_find(wanted.name, wanted.file, Path(folder)))
    else:
        return _from_openml(wanted)
    _check(wanted, dataset)
    return dataset


def _find(name: str, file: str, folder: Path) -> Path:
    for path in (folder / file, folder / f"{file}.gz"):
        if path.is_file():
            return path
    raise SetMissingError(f"{name} needs {file}, which is not in {folder}; put it there")


def _from_openml(wanted: PaperSet) -> Dataset:
    """Return a set from OpenML; whatever is wrong with it, nobody here can mend it, so it counts as missing."""
    try:
        if wanted.name not in OPENML:
            raise NotFetchedError("OpenML has no copy of it")
        dataset = fetch_set(OPENML[wanted.name], tuple(wanted.classes))
        _check(wanted, dataset)
    except ValueError as error:
        raise SetMissingError(
            f"{wanted.name} needs {wanted.file}; name the folder that holds it, with --data or {FOLDER_VARIABLE} "
            f"({error})"
        ) from error
    return dataset


def _check(wanted: PaperSet, dataset: Dataset) -> None:
    found = (len(dataset.table), len(dataset.table.schema))
    if found != (wanted.rows, wanted.columns):
        raise ValueError(
            f"{dataset.name} has {found[0]} rows and {found[1]} columns; the paper's {wanted.name} has {wanted.rows} "
            f"and {wanted.columns}; get the right file"
        )
    classes = {} if dataset.target is None else dict(Counter(str(value) for value in dataset.target.tolist()))
    if classes != wanted.classes:
        raise ValueError(
            f"{dataset.name} has the classes {classes}; expected of the paper's {wanted.name}: {wanted.classes}; "
            "get the right file"
        )
