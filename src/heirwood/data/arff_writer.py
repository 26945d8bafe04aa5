"""Writing ARFF files that Weka, and `read_arff`, read back as they were.

What a file must keep: the order of rows, and the declared order of levels and classes, on which Weka's results
depend. Whatever is more than a plain word is quoted, as Weka quotes it.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from heirwood.atomic_write import write_atomically
from heirwood.data.dataset import Dataset
from heirwood.data.schema import UNSEEN, Column, Level
from heirwood.file_names import check_path

_BARE = re.compile(r"[\w.+-]+")  # of these nothing is special, neither to Weka nor to us
_ESCAPES = str.maketrans(
    {"\\": r"\\", "'": r"\'", '"': r"\"", "%": r"\%", "\n": r"\n", "\r": r"\r", "\t": r"\t"},
)


def write_arff(dataset: Dataset, path: str | Path) -> None:
    """Write a data set as an ARFF file, the target last; gzipped if its name ends in ``.gz``.

    Parameters
    ----------
    dataset : Dataset
        Missing values are written as a bare ``?``. Levels that are numbers or booleans are written as text, for
        ARFF has no others. A target of text without declared classes declares those it holds, sorted.
    path : str or Path
        The file; one that is there is replaced, once the new one is whole.

    Raises
    ------
    ValueError
        Before anything is written, where a value is infinite, a level is not known to the schema (code -1), a nominal
        column has no levels, or a column has the name of the target.
    """
    path = Path(path)
    check_path(path)
    columns = [(column, dataset.table.values[:, place]) for place, column in enumerate(dataset.table.schema.columns)]
    if dataset.target is not None:
        columns.append(_target_column(dataset))
    names = [column.name for column, _ in columns]
    if len(set(names)) < len(names):
        raise ValueError(f"{dataset.name}: a column has the name of the target, {names[-1]!r}; rename one.")
    header = [f"@relation {quote(dataset.name)}", "", *(_declare(column) for column, _ in columns), "", "@data"]
    rows = zip(*(_texts(column, values) for column, values in columns), strict=True)
    text = "".join(f"{line}\n" for line in (*header, *(",".join(row) for row in rows)))
    data = text.encode("utf-8")
    write_atomically(path, gzip.compress(data) if path.suffix.lower() == ".gz" else data)


def quote(text: str) -> str:
    """Return a name or a level as ARFF writes it: bare where that is safe, else quoted."""
    return text if _BARE.fullmatch(text) else f"'{text.translate(_ESCAPES)}'"


def _target_column(dataset: Dataset) -> tuple[Column, np.ndarray]:
    """Return the target as a column of the file, with the codes of its classes, or its numbers."""
    assert dataset.target is not None
    assert dataset.target_name is not None
    values = dataset.target.tolist()
    levels = dataset.target_levels
    if levels is None and not isinstance(values[0], str):
        return Column(dataset.target_name, "numeric"), dataset.target.astype(np.float64)
    if levels is None:
        levels = tuple(sorted(set(values)))
    codes: dict[Level, int] = {level: code for code, level in enumerate(levels)}
    return Column(dataset.target_name, "nominal", levels), np.array([codes.get(value, UNSEEN) for value in values])


def _declare(column: Column) -> str:
    if column.kind == "numeric":
        return f"@attribute {quote(column.name)} numeric"
    levels = [str(level) for level in column.levels]
    if not levels:
        raise ValueError(f"Column {column.name!r} has no levels, which ARFF cannot say; leave the column out.")
    return f"@attribute {quote(column.name)} {{{','.join(map(quote, levels))}}}"


def _texts(column: Column, values: np.ndarray) -> Iterable[str]:
    if column.kind == "numeric":
        if np.isinf(values).any():
            raise ValueError(f"Column {column.name!r} holds infinity, which ARFF cannot say; mark it missing.")
        return [_number(value) for value in values.tolist()]
    if (values == UNSEEN).any():
        raise ValueError(f"Column {column.name!r} holds a level that its schema does not know; leave those rows out.")
    words = [*(quote(str(level)) for level in column.levels), "?"]
    places = np.where(np.isnan(values), len(column.levels), values).astype(np.intp)
    return [words[place] for place in places.tolist()]


def _number(value: float) -> str:
    if value != value:
        return "?"
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
