"""ARFF files, as Weka writes them.

    @relation weather
    @attribute outlook {sunny, 'a bit cloudy', rainy}     levels in their declared order
    @attribute humidity numeric
    @attribute play {yes, no}
    @data
    'a bit cloudy', ?, yes                                a bare ? is missing, a quoted '?' is a level
    {1 85, 2 no}                                          sparse: what is left out is 0 or the first level

`arff_syntax` knows what a field is; this file knows what a header and a row are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heirwood.data.arff_syntax import (
    ArffError,
    read_attribute,
    read_fields,
    read_sparse,
    without_comment,
)
from heirwood.data.dataset import Dataset, choose_target, split_target
from heirwood.data.open_file import check_cells, check_texts_kept, data_name, open_lines
from heirwood.data.schema import Schema, first_repeated
from heirwood.data.text import Levels, Numbers, TextColumn
from heirwood.file_budgets import COLUMNS, FILLED_IN, LEVELS

NUMERIC = ("numeric", "real", "integer")
BATCH = 8192  # rows, at most,
CELLS = 2**22  # and cells: a short sparse row may stand for a very long one

Row = list[str | None]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared column: its name, its type, and its levels if the type is "nominal"."""

    name: str
    type: str
    levels: tuple[str, ...] = ()

    def column(self) -> TextColumn:
        """Return what reads this column."""
        if self.type == "nominal":
            return Levels(self.name, self.levels)
        return Levels(self.name) if self.type == "string" else Numbers(self.name)


def read_arff(path: str | Path, *, target: str | bool | None = None, schema: Schema | None = None) -> Dataset:
    """Read an ARFF file, gzipped or not.

    Parameters
    ----------
    path : str or Path
        A file in UTF-8. Numeric, nominal and string attributes are read, in dense and in sparse rows; dates,
        relational attributes and weights of instances are refused.
    target : str, None or False, default=None
        The attribute to predict; None takes the last one, False none at all.
    schema : Schema, optional
        Read the attributes that this schema names, by its kinds and levels, as prediction does. They may
        stand in any order; others are left out, and levels that are not known become -1.

    Returns
    -------
    Dataset
        Its levels, and `target_levels`, are in their declared order, those that never occur included. The
        levels of a string attribute are those found, sorted.

    Raises
    ------
    ValueError
        With the line, if the file breaks the format or holds a level that is not declared.
    """
    path = Path(path)
    with open_lines(path) as file:
        lines = _numbered(file)
        attributes = _read_header(lines, path)
        names = [attribute.name for attribute in attributes]
        chosen = choose_target(names, target, schema)
        columns = _open_columns(attributes, chosen, schema, path)
        n_rows = _read_rows(lines, attributes, columns, path)
    if not n_rows:
        raise ValueError(f"{path.name} has a header and no rows; expected at least one row after @data.")

    order = [*schema.names, *([chosen] if chosen else [])] if schema else names
    declared = any(attribute.name == chosen and attribute.type == "nominal" for attribute in attributes)
    return split_target(
        (columns.pop(name).finish() for name in order),
        (n_rows, len(order)),
        chosen,
        declared=declared,
        name=data_name(path),
    )


def _open_columns(
    attributes: list[Attribute], chosen: str | None, schema: Schema | None, path: Path
) -> dict[str, TextColumn]:
    columns = {attribute.name: attribute.column() for attribute in attributes}
    if schema is None:
        return columns
    kept = {chosen: columns[chosen]} if chosen else {}
    for column in schema.columns:
        if column.name not in columns:
            raise ValueError(f"{path.name} has no attribute {column.name!r} to ask about; it has {list(columns)}.")
        nominal = column.kind == "nominal"
        kept[column.name] = Levels(column.name, column.levels, strict=False) if nominal else Numbers(column.name)
    return kept


def _numbered(file: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Yield (line number, line) for every line that holds more than a comment."""
    for number, line in enumerate(file, start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            yield number, stripped


def _read_header(lines: Iterator[tuple[int, str]], path: Path) -> list[Attribute]:
    attributes: list[Attribute] = []
    n_levels = 0
    for number, line in lines:
        keyword = line.split(None, 1)[0].lower()
        try:
            if keyword == "@data":
                break
            if keyword == "@attribute":
                attributes.append(_as_attribute(without_comment(line)))
                n_levels += len(attributes[-1].levels)
                COLUMNS.check(len(attributes), path.name)
                LEVELS.check(n_levels, path.name)
            elif keyword != "@relation":
                raise ArffError(f"{keyword!r} is not known here; expected @relation, @attribute or @data")
        except ArffError as error:
            raise ValueError(f"Line {number} of {path.name}: {error}.") from None
    else:
        raise ValueError(f"{path.name} has no @data line; expected an ARFF header, @data and rows.")
    if not attributes:
        raise ValueError(f"{path.name} declares no @attribute; expected one for each column.")
    repeated = first_repeated(attribute.name for attribute in attributes)
    if repeated is not None:
        raise ValueError(f"{path.name} declares the attribute {repeated!r} twice; rename one.")
    return attributes


def _as_attribute(line: str) -> Attribute:
    name, declared = read_attribute(line)
    if isinstance(declared, list):
        repeated = first_repeated(declared)
        if repeated is not None:
            raise ArffError(f"the level {repeated!r} of {name!r} is declared twice; list every level once")
        return Attribute(name, "nominal", tuple(declared))
    if declared == "date":
        raise ArffError(f"{name!r} is a date, which a tree cannot compare; convert it to a number, such as days")
    if declared not in (*NUMERIC, "string"):
        raise ArffError(f"{name!r} has the type {declared!r}; expected {', '.join(NUMERIC)}, string or {{levels}}")
    return Attribute(name, declared)


def _read_rows(
    lines: Iterator[tuple[int, str]], attributes: list[Attribute], columns: dict[str, TextColumn], path: Path
) -> int:
    """Hand all rows to the columns, some thousand at a time; return how many there were."""
    n_rows = n_cells = filled_in = 0
    numbers: list[int] = []
    batch: list[Row] = []
    most = max(1, min(BATCH, CELLS // len(attributes)))
    for number, line in lines:
        try:
            batch.append(_read_row(line, attributes))
        except ArffError as error:
            raise ValueError(f"Line {number} of {path.name}: {error}.") from None
        numbers.append(number)
        if line.startswith("{"):
            filled_in += max(0, len(attributes) - len(line))  # a value that is given takes more than a character
            FILLED_IN.check(filled_in, path.name)
        else:
            n_cells += len(attributes)
        if len(batch) == most:
            check_cells(n_cells, path)
            n_rows += _hand_over(batch, numbers, attributes, columns)
            check_texts_kept(columns.values(), path)
            numbers, batch = [], []
    return n_rows + _hand_over(batch, numbers, attributes, columns)


def _hand_over(
    batch: list[Row], numbers: list[int], attributes: list[Attribute], columns: dict[str, TextColumn]
) -> int:
    for attribute, texts in zip(attributes, zip(*batch, strict=True), strict=False):
        if attribute.name in columns:
            columns[attribute.name].add(texts, numbers)
    return len(batch)


def _read_row(line: str, attributes: list[Attribute]) -> Row:
    if line.startswith("{"):
        return _read_sparse_row(line, attributes)
    row = read_fields(line)
    if len(row) != len(attributes):
        raise ArffError(f"the row has {len(row)} values, and {len(attributes)} attributes are declared")
    return row


def _read_sparse_row(line: str, attributes: list[Attribute]) -> Row:
    given = read_sparse(line)
    outside = [place for place in given if place >= len(attributes)]
    if outside:
        raise ArffError(f"there is no attribute {outside[0]}; the last one is {len(attributes) - 1}")
    row: Row = []
    for place, attribute in enumerate(attributes):
        if place in given:
            row.append(given[place])
        elif attribute.type == "string":
            raise ArffError(f"a sparse row leaves out the string {attribute.name!r}, which has no default")
        else:
            row.append(attribute.levels[0] if attribute.type == "nominal" else "0")
    return row
