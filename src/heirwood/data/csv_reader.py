"""CSV files: a header, then rows; the class in the last column unless told otherwise.

A file is read twice: the first time to see which columns are numeric, the second time to read them. So the
texts of a large file are never all in memory, only the numbers they stand for.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from heirwood.data.dataset import Dataset, check_left_out, choose_target, split_target
from heirwood.data.missing_texts import USUAL, Absent
from heirwood.data.open_file import check_cells, check_texts_kept, data_name, open_lines
from heirwood.data.schema import Schema, first_repeated
from heirwood.data.text import Levels, Numbers, TextColumn, Texts
from heirwood.data.text_kind import TextKind, warn_of_slips
from heirwood.file_budgets import COLUMNS, LINE

BATCH = 8192  # rows, at most,
CELLS = 2**20  # and cells: their texts take 100 bytes each
LONGEST = 2**31 - 1  # characters in a field, for the csv module, whose own limit is lower than our budget for a line
BLANKS = " \t"
OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs"}
FIELD = re.compile(r' *("(?:[^"]|"")*")|[^,]*')  # one field of a row that has been found to be CSV

Batch = tuple[list[int], list[Texts]]  # the lines of some rows, and their columns


def read_csv(
    path: str | Path,
    *,
    target: str | bool | None = None,
    schema: Schema | None = None,
    missing: Collection[str] = USUAL,
    ignore: Collection[str] = (),
) -> Dataset:
    """Read a CSV file, gzipped or not.

    Parameters
    ----------
    path : str or Path
        A file in UTF-8 whose first line names the columns, with commas between them. Fields may be quoted;
        blanks around those that are not are left out, and blank lines are skipped.
    target : str, None or False, default=None
        The column to predict; None takes the last one, False none at all.
    schema : Schema, optional
        Read the columns that this schema names, by its kinds and levels, as prediction does. They may stand
        in any order; other columns are left out, and levels that are not known become -1. Without it, a
        column whose values are all finite numbers is numeric, and every other is nominal, its levels sorted; where
        a few texts among numbers make it so, a warning says which. Classes such as ``01`` stay texts.
    missing : collection of str, default=("", "?", "NA", "N/A", "n/a", "null", "NULL", "None", "NaN", "nan")
        The texts that stand for a missing value, quoted or not, in every column; those given take the place of the
        usual ones. A number stands for itself however it is written: ``-999`` for ``-999.0`` as well.
    ignore : collection of str, default=()
        Columns that are left out.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        If the file is empty or has other delimiters than commas, a name is repeated, a row has too few or too
        many fields, the target is missing in a row or named by the schema, or a column of the schema is not
        there or does not fit.
    """
    path = Path(path)
    names = _read_header(path, schema)
    chosen = choose_target(names, target, schema)
    check_left_out(ignore, names, chosen, path.name)
    asked = [name for name in names if name not in ignore]
    wanted = [name for name in asked if schema is None or name in schema.names or name == chosen]
    lacking = [name for name in schema.names if name not in wanted] if schema else []
    if lacking:
        raise ValueError(f"{path.name} has no column {lacking[0]!r} to ask about; it has {names}.")

    columns: dict[str, TextColumn] = {}
    absent = Absent(missing)
    found, n_rows = _look_through(path, names, absent, chosen)
    if schema is None:
        warn_of_slips(path.name, {name: found[name] for name in wanted}, chosen)
    numeric = {name for name, kind in found.items() if kind.is_numeric}
    del found
    declared = {column.name: column for column in schema.columns} if schema else {}
    for name in wanted:
        known = declared.get(name)
        if known is not None and known.kind == "nominal":
            columns[name] = Levels(name, known.levels, strict=False)
        else:
            columns[name] = Numbers(name) if known is not None or name in numeric else Levels(name)
    for lines, batch in _batches(path, len(names), absent):
        for name, texts in zip(names, batch, strict=True):
            if name in columns:
                columns[name].add(texts, lines)
        check_texts_kept(columns.values(), path)

    order = [*schema.names, *([chosen] if chosen else [])] if schema else wanted
    return split_target(
        (columns.pop(name).finish() for name in order),
        (n_rows, len(order)),
        chosen,
        declared=False,
        name=data_name(path),
        stands_for_missing=missing,
    )


def _look_through(path: Path, names: list[str], missing: Absent, target: str | None) -> tuple[dict[str, TextKind], int]:
    """Return what the values of every column look like, and how many rows there are."""
    found = {name: TextKind() for name in names}
    n_rows = 0
    for lines, batch in _batches(path, len(names), missing):
        n_rows += len(lines)
        check_cells(n_rows * len(names), path)
        for (name, kind), texts in zip(found.items(), batch, strict=True):
            kind.look_at(texts, lines, are_classes=name == target)
    if not n_rows:
        raise ValueError(f"{path.name} has a header and no rows; expected at least one row of data.")
    return found, n_rows


def _read_header(path: Path, schema: Schema | None) -> list[str]:
    with open_lines(path) as file:
        names = next(csv_rows(_with_commas(file, path, schema), path), (0, None))[1]
    if names is None:
        raise ValueError(f"{path.name} is empty; expected a line with the names of the columns.")
    COLUMNS.check(len(names), path.name)
    repeated = first_repeated(names)
    if repeated is not None:
        raise ValueError(f"The header of {path.name} has the column {repeated!r} twice; rename one.")
    return names


def _with_commas(file: Iterable[str], path: Path, schema: Schema | None) -> Iterator[str]:
    """Yield the lines of a file; refuse it if the names in the first of them seem to be separated by no commas."""
    lines = iter(file)
    for line in lines:
        text = line.strip()
        found = [plural for delimiter, plural in OTHER_DELIMITERS.items() if delimiter in text]
        if found and "," not in text and not (schema is not None and text in schema.names):
            raise ValueError(
                f"The header of {path.name} has no comma; its names seem to be separated by {found[0]}. Save the "
                "file with commas."
            )
        yield line
        if text:
            break
    yield from lines


def csv_rows(file: Iterable[str], path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) for every row that is not blank, the header first."""
    lines: list[str] = []  # of the row at hand
    before = csv.field_size_limit(LONGEST)
    reader = csv.reader(_noted(file, lines, path), skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, _without_blanks(row, lines)
            lines.clear()
    except csv.Error as error:
        raise ValueError(f"Line {reader.line_num} of {path.name} is not CSV: {error}.") from error
    finally:
        csv.field_size_limit(before)


def _noted(file: Iterable[str], lines: list[str], path: Path) -> Iterator[str]:
    """Yield the lines of a file, and keep those of the row at hand: quotes may make it many."""
    length, most = 0, LINE.most
    for line in file:
        length = len(line) + (length if lines else 0)
        lines.append(line)
        if len(lines) > 1 and length > most:
            LINE.check(length, f"A row of {path.name} (it goes over {len(lines):,} lines)")
        yield line


def _without_blanks(row: list[str], lines: list[str]) -> list[str]:
    """Return the fields of a row without the blanks around them, unless they are quoted."""
    text = "".join(lines)
    if '"' not in text:
        return [field.strip(BLANKS) for field in row]
    fields = []
    start = 0
    for field in row:
        found = FIELD.match(text, start)
        assert found is not None  # it matches anything
        fields.append(field if found[1] is not None else field.strip(BLANKS))
        start = found.end() + 1  # after the comma
    return fields


def _batches(path: Path, n_columns: int, missing: Absent) -> Iterator[Batch]:
    """Yield the rows after the header, column by column, some thousand rows at a time."""
    with open_lines(path) as file:
        rows = csv_rows(file, path)
        next(rows)
        lines: list[int] = []
        batch: list[list[str]] = []
        most = max(1, min(BATCH, CELLS // n_columns))
        for line, row in rows:
            if len(row) != n_columns:
                raise ValueError(
                    f"Line {line} of {path.name} has {len(row)} fields, and the header has {n_columns}; "
                    "every row needs one field for each column."
                )
            lines.append(line)
            batch.append(row)
            if len(batch) == most:
                yield lines, [missing.blanked(texts) for texts in zip(*batch, strict=True)]
                lines, batch = [], []
        if batch:
            yield lines, [missing.blanked(texts) for texts in zip(*batch, strict=True)]
