"""The sets of the comparison: scikit-learn's bundled ones, generated ones, and those of a folder of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn import datasets

from heirwood.core.draws import draws
from heirwood.data import Column, Dataset, Schema, Table
from heirwood.data.csv_reader import read_csv
from heirwood.data.generated import monks, multiplexer, tic_tac_toe
from lab.field.generated_sets import GENERATED
from lab.paper import sets as paper_sets
from lab.paper.folds import make_folds

FOLDER_VARIABLE = "HEIRWOOD_DATA"
MOST_ROWS = 50_000

#: Sets of the folder, from few rows to many.
FILES = (
    "soybean-small", "zoo", "lymph", "glass", "breast-cancer", "vote", "balance-scale", "credit-a", "anneal",
    "german-credit", "kr-vs-kp", "compas", "mushroom", "nursery", "magic", "letter", "avila", "bank-marketing", "adult",
)  # fmt: skip


class SetMissingError(ValueError):
    """A set whose file is not there."""


def _bundled(name: str) -> Dataset:
    loaded = getattr(datasets, f"load_{name}")()
    columns = tuple(Column(str(column), "numeric") for column in loaded.feature_names)
    table = Table(Schema(columns), np.asfortranarray(loaded.data, dtype=np.float64))
    target = np.asarray(loaded.target_names).astype(str)[loaded.target]
    return Dataset(table, target, "class", tuple(dict.fromkeys(target.tolist())), name)


MADE: dict[str, Callable[[], Dataset]] = {
    "iris": lambda: _bundled("iris"),
    "wine": lambda: _bundled("wine"),
    "breast_cancer": lambda: _bundled("breast_cancer"),
    "digits": lambda: _bundled("digits"),
    "monks-1": lambda: monks(1),
    "monks-2": lambda: monks(2),
    "monks-3": lambda: monks(3),
    "multiplexer6": lambda: multiplexer(2),
    "multiplexer11": lambda: multiplexer(3),
    "tic-tac-toe": tic_tac_toe,
}

SETS = (*MADE, *FILES)

#: Too large to be run whole: so many of its rows, drawn.
COVTYPE, COVTYPE_ROWS = "covtype", 300_000
KEY = np.uint64(20261118)

#: The paper's sets, in the variants it used, as in the reproduction; one of the twelve is lost.
PAPER = tuple(f"paper/{name}" for name in paper_sets.SETS if name != "crime")
PAPER_SEED = 1  # of the reproduction's folds; other deals have those after it


def load_set(name: str) -> Dataset:
    """Return one of `SETS`, of `GENERATED`, of `PAPER`, or covtype.

    Raises
    ------
    SetMissingError
        Where it is a file, and the folder that HEIRWOOD_DATA names is not set or does not hold it.
    """
    if name in PAPER:
        return _of_paper(name)
    if name in MADE:
        return MADE[name]()
    if name in GENERATED:
        return GENERATED[name]()
    if name not in (*FILES, COVTYPE):
        raise ValueError(f"there is no set {name!r} in the comparison; there are {', '.join((*SETS, *PAPER))}")
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise SetMissingError(f"{name} is a file; name the folder that holds {name}.csv by {FOLDER_VARIABLE}")
    for path in (Path(folder) / f"{name}.csv", Path(folder) / f"{name}.csv.gz"):
        if path.is_file():
            return _drawn_rows(read_csv(path), COVTYPE_ROWS) if name == COVTYPE else read_csv(path)
    raise SetMissingError(f"{name}.csv is not in the folder that {FOLDER_VARIABLE} names; put it there")


def load_sets(contest: str, names: Iterable[str], tell: Callable[[str], None]) -> Iterator[tuple[str, Dataset]]:
    """Yield sets with their names; tell which files a contest has to do without."""
    for name in names:
        try:
            yield name, load_set(name)
        except SetMissingError as error:
            tell(f"{contest}: {error}")


def _drawn_rows(dataset: Dataset, n_rows: int) -> Dataset:
    """Return so many rows of a set, in its order."""
    assert dataset.target is not None
    n = len(dataset.target)
    rows = np.sort(np.argsort(draws(KEY, n), kind="stable")[:n_rows])
    table = Table(dataset.table.schema, np.asfortranarray(dataset.table.values[rows]))
    return replace(dataset, table=table, target=dataset.target[rows])


def _of_paper(name: str) -> Dataset:
    try:
        return paper_sets.load_set(name.removeprefix("paper/"))
    except paper_sets.SetMissingError as error:
        raise SetMissingError(str(error)) from error


def paper_folds(name: str, n_rows: int, deal: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the rows to train on and to test on of five folds; deal 0 is the reproduction's."""
    return [(fold.train, fold.test) for fold in make_folds(n_rows, PAPER_SEED + deal, name.removeprefix("paper/"))]
