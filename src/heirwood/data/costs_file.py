"""What mistakes cost, from a CSV file: a line for each true class, a column for each predicted one.

true,bad,good
bad,0,5
good,1,0
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from heirwood.data.csv_reader import csv_rows
from heirwood.data.open_file import open_lines
from heirwood.tree_view import shown


def read_costs_file(path: str | Path, classes: np.ndarray) -> dict[tuple[Any, Any], float]:
    """Return the costs in a file by (true, predicted), as `cost_matrix` takes them.

    Parameters
    ----------
    path : str or Path
        CSV in UTF-8. Its first line names the predicted classes, after a field that may say anything; each other line
        begins with a true class. Classes may come in any order, but every one must be there.
    classes : (n_classes,) array
    """
    path = Path(path)
    lines = _read_lines(path, len(classes) + 1)
    known = {shown(value): value for value in classes.tolist()}
    predicted = lines[0][1:] if lines else []
    true = [line[0] for line in lines[1:]]
    for names, where in ((predicted, "in its first line"), (true, "in its first column")):
        if sorted(names) != sorted(known):
            raise ValueError(f"{path.name} has {names} {where}; expected each of the classes {list(known)} once there")
    return {
        (known[name], known[other]): _cost(text, name, other, path)
        for name, line in zip(true, lines[1:], strict=True)
        for other, text in zip(predicted, _filled(line, len(predicted), path), strict=True)
    }


def _read_lines(path: Path, n: int) -> list[list[str]]:
    """Return the fields of the lines that are not blank; refuse a file with more than `n` lines, or fields in one."""
    lines: list[list[str]] = []
    with open_lines(path) as file:
        for _, line in csv_rows(file, path):
            if not any(map(str.strip, line)):
                continue
            if len(lines) == n or len(line) > n:
                raise ValueError(
                    f"{path.name} has more than {n} {'fields in a line' if len(line) > n else 'lines'}; expected "
                    f"{n}: the names of the {n - 1} classes, and the costs of each"
                )
            lines.append([field.strip() for field in line])
    return lines


def _filled(line: list[str], n: int, path: Path) -> list[str]:
    if len(line) != n + 1:
        raise ValueError(f"{path.name} has {len(line) - 1} costs for {line[0]!r}; expected {n}, one for each class")
    return line[1:]


def _cost(text: str, true: str, predicted: str, path: Path) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ValueError(
            f"{path.name} has {text!r} for {true!r} taken for {predicted!r}; expected a number from 0 up"
        ) from error
