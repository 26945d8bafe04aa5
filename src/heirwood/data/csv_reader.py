"""CSV files: a header, then rows; the class in the last column unless told otherwise.

A file is read twice: the first time to see which columns are numeric, the second time to read them. So the
texts of a large file are never all in memory, only the numbers they stand for.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from heirwood.data.dataset import Dataset, choose_target, split_target
from heirwood.data.schema import Schema, first_repeated
from heirwood.data.source import data_name, open_text
from heirwood.data.text import Levels, Numbers, TextColumn, Texts, is_number

MISSING = ("", "?", "NA", "nan", "NaN")
BATCH = 8192  # rows

Batch = tuple[list[int], list[Texts]]  # the lines of some rows, and their columns


def read_csv(
    path: str | Path,
    *,
    target: str | bool | None = None,
    schema: Schema | None = None,
    missing: Collection[str] = MISSING,
) -> Dataset:
    """Read a CSV file, gzipped or not.

    Parameters
    ----------
    path : str or Path
        A file in UTF-8 whose first line names the columns. Fields may be quoted; blank lines are skipped.
    target : str, None or False, default=None
        The column to predict; None takes the last one, False none at all.
    schema : Schema, optional
        Read the columns that this schema names, by its kinds and levels, as prediction does. They may stand
        in any order; other columns are left out, and levels that are not known become -1. Without it, a
        column whose values are all finite numbers is numeric, and every other is nominal, its levels sorted.
    missing : collection of str, default=("", "?", "NA", "nan", "NaN")
        The texts that stand for a missing value.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If the file is empty, a name is repeated, a row has too few or too many fields, the target is missing
        in a row, or a column of the schema is not there or does not fit.
    """
    path = Path(path)
    names = _read_header(path)
    chosen = choose_target(names, target, schema)
    wanted = [name for name in names if schema is None or name in schema.names or name == chosen]
    absent = [name for name in schema.names if name not in wanted or name == chosen] if schema else []
    if absent:
        raise ValueError(f"{path.name} has no column {absent[0]!r} to ask about; it has {names}.")

    columns: dict[str, TextColumn] = {}
    numeric = _numeric_columns(path, names, frozenset(missing))
    declared = {column.name: column for column in schema.columns} if schema else {}
    for name in wanted:
        known = declared.get(name)
        if known is not None and known.kind == "nominal":
            columns[name] = Levels(name, known.levels, strict=False)
        else:
            columns[name] = Numbers(name) if known is not None or name in numeric else Levels(name)
    for lines, batch in _batches(path, len(names), frozenset(missing)):
        for name, texts in zip(names, batch, strict=True):
            if name in columns:
                columns[name].add(texts, lines)

    order = [*schema.names, *([chosen] if chosen else [])] if schema else wanted
    done = [columns[name].finish() for name in order]
    return split_target(
        [column for column, _ in done],
        [array for _, array in done],
        chosen,
        declared=False,
        name=data_name(path),
    )


def _numeric_columns(path: Path, names: list[str], missing: frozenset[str]) -> set[str]:
    """Return the names of the columns whose values are all finite numbers (or all missing)."""
    numeric = set(names)
    n_rows = 0
    for lines, batch in _batches(path, len(names), missing):
        n_rows += len(lines)
        for name, texts in zip(names, batch, strict=True):
            if name in numeric and not all(text is None or is_number(text) for text in set(texts)):
                numeric.remove(name)
    if not n_rows:
        raise ValueError(f"{path.name} has a header and no rows; expected at least one row of data.")
    return numeric


def _read_header(path: Path) -> list[str]:
    with open_text(path) as file:
        names = next(_rows(file, path), (0, None))[1]
    if names is None:
        raise ValueError(f"{path.name} is empty; expected a line with the names of the columns.")
    repeated = first_repeated(names)
    if repeated is not None:
        raise ValueError(f"The header of {path.name} has the column {repeated!r} twice; rename one.")
    return names


def _rows(file: Iterable[str], path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) for every row that is not blank, the header first."""
    reader = csv.reader(file, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise ValueError(f"Line {reader.line_num} of {path.name} is not CSV: {error}.") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not in UTF-8 ({error}); save it in that encoding.") from error


def _batches(path: Path, n_columns: int, missing: frozenset[str]) -> Iterator[Batch]:
    """Yield the rows after the header, column by column, some thousand rows at a time."""
    with open_text(path) as file:
        rows = _rows(file, path)
        next(rows)
        lines: list[int] = []
        batch: list[list[str]] = []
        for line, row in rows:
            if len(row) != n_columns:
                raise ValueError(
                    f"Line {line} of {path.name} has {len(row)} fields, and the header has {n_columns}; "
                    "every row needs one field for each column."
                )
            lines.append(line)
            batch.append(row)
            if len(batch) == BATCH:
                yield lines, _columns(batch, missing)
                lines, batch = [], []
        if batch:
            yield lines, _columns(batch, missing)


def _columns(batch: list[list[str]], missing: frozenset[str]) -> list[Texts]:
    columns: list[Texts] = []
    for texts in zip(*batch, strict=True):
        if missing.isdisjoint(texts):
            columns.append(texts)
        else:
            columns.append([None if text in missing else text for text in texts])
    return columns
