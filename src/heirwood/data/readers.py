"""Reading a file of data by its suffix."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from heirwood.data.arff_reader import read_arff
from heirwood.data.csv_reader import read_csv
from heirwood.data.dataset import Dataset
from heirwood.data.missing_texts import USUAL, check_texts
from heirwood.data.open_file import data_suffix
from heirwood.data.schema import Schema

READERS = {".csv": read_csv, ".arff": read_arff}


def read_file(
    path: str | Path,
    *,
    target: str | bool | None = None,
    schema: Schema | None = None,
    ignore: Collection[str] = (),
    missing: Collection[str] = (),
) -> Dataset:
    """Read a CSV or ARFF file, gzipped or not, by the suffix of its name.

    Parameters
    ----------
    path : str or Path
        A file whose name ends in ``.csv``, ``.csv.gz``, ``.arff`` or ``.arff.gz``.
    target : str, None or False, default=None
        The column to predict; None takes the last one, False none at all.
    schema : Schema, optional
        Read the columns that this schema names, by its kinds and levels, as prediction does.
    ignore : collection of str, default=()
        Columns that are left out.
    missing : collection of str, default=()
        Texts that stand for a missing value in a CSV file, besides the usual ones (which those given to `read_csv`
        take the place of); an ARFF file says it itself.

    Returns
    -------
    Dataset
    """
    check_texts(missing)
    reader = READERS.get(data_suffix(Path(path)))
    if reader is None:
        raise ValueError(
            f"{Path(path).name} has no suffix that tells its format; expected one of {sorted(READERS)}, with "
            "or without .gz."
        )
    if reader is read_csv:
        texts = tuple(dict.fromkeys((*USUAL, *missing)))
        return read_csv(path, target=target, schema=schema, ignore=ignore, missing=texts)
    return reader(path, target=target, schema=schema).without(ignore)
