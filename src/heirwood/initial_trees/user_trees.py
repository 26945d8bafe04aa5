"""Trees of the user's own as sketches: views, fitted estimators, and files or dicts of JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from heirwood.data import Rows, Schema
from heirwood.data.column import BOOLEAN_LEVELS
from heirwood.data.test_plan import AT_MOST, EQUALS, MISSING
from heirwood.export.model_file import FORMAT, read_model, read_within_budget
from heirwood.file_names import check_path
from heirwood.initial_trees.initial_tree import Asked, Sketch
from heirwood.strict_json import parse
from heirwood.tree_view import Question, TreeView

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

BEYOND_FLOAT32 = 2.0**128  # what comes after the largest float32, if there were more of them
EXPECTED = (
    'expected a fitted scikit-learn DecisionTreeClassifier, a TreeView, a fitted EvolvedTreeClassifier, "cart", or a '
    "JSON tree: a dict, its text, or the name of a file"
)
UNFITTED = (
    "This {name} instance is not fitted yet. (A search of scikit-learn's copies the estimators among its candidates "
    "without what they learnt: give initial_trees to the estimator, not to the grid, or as a TreeView or a file.)"
)


def read_trees(given: Any, rows: Rows) -> list[Sketch]:
    """Return the trees that one of `initial_trees` stands for, as questions about the columns of the rows.

    Raises
    ------
    ValueError
        If a tree asks for a column that is not there, or has a leaf with an unknown class.
    TypeError
        If it is nothing that trees can be read from.
    """
    trees = sys.modules.get("sklearn.tree")  # where nobody has loaded it, this is no tree of it
    if trees is not None and isinstance(given, trees.DecisionTreeClassifier):
        return [_from_scikit_learn(given, rows)]
    return [_from_view(view, rows) for view in _views(given)]


def _views(given: Any) -> Sequence[TreeView]:
    if isinstance(given, TreeView):
        return [given.validate()]
    if isinstance(given, dict):
        return [TreeView.from_dict(given)]
    if isinstance(given, str) and given.lstrip().startswith(("{", "[")):
        return [_read_text(given)]
    if isinstance(given, (str, os.PathLike)):
        return _read_file(given)
    if hasattr(given, "hall_") or hasattr(given, "size_selection"):  # an EvolvedTreeClassifier, fitted or not
        _check_fitted(given, "hall_")
        return [entry.tree for entry in given.hall_]
    raise TypeError(f"an initial tree is of type {type(given).__name__}; {EXPECTED}")


def _check_fitted(given: Any, attribute: str) -> None:
    if not hasattr(given, attribute):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(UNFITTED.format(name=type(given).__name__))


def _read_text(text: str) -> TreeView:
    try:
        return TreeView.from_dict(parse(text))
    except RecursionError as error:
        raise ValueError("a JSON text: entries are nested too deeply") from error
    except ValueError as error:
        raise ValueError(f'a JSON text: {error}; expected what export_tree(..., "json") returned') from error


def _read_file(path: str | os.PathLike[str]) -> Sequence[TreeView]:
    """Return the tree of an exported file, or the hall of a model file."""
    check_path(path)
    name = os.fspath(path)
    with open(path, "rb") as file:
        content = read_within_budget(file, path)
    try:
        document = parse(content.decode("utf-8"))
        if isinstance(document, dict) and document.get("format") == FORMAT:
            return read_model(path).trees
        return [TreeView.from_dict(document)]
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: not a text in UTF-8, so not a tree") from error
    except RecursionError as error:
        raise ValueError(f"{name}: entries are nested too deeply") from error
    except ValueError as error:
        if str(error).startswith(name):  # the model file's own message
            raise
        raise ValueError(
            f'{name}: {error}; expected a tree that export_tree(..., "json") wrote, or a model file'
        ) from error


# ---- views ----


def _from_view(view: TreeView, rows: Rows) -> Sketch:
    schema = rows.table.schema
    code_of = class_codes(view.classes, rows)
    sketch: list[Asked | int] = []
    waiting = [0]
    while waiting:
        i = waiting.pop()
        node = view.nodes[i]
        if node.question is None:
            sketch.append(code_of(node.label))
            continue
        asked = _asked(node.question, schema)
        if asked is not None:
            sketch.append(asked)
            waiting += [view.right(i), view.left(i)]
        else:
            waiting.append(view.right(i))
    return tuple(sketch)


def _asked(question: Question, schema: Schema) -> Asked | None:
    """Return a question about the table; None if no row of it can pass."""
    if question.attribute not in schema.names:
        raise ValueError(_no_such_column(question.attribute, schema))
    place = schema.names.index(question.attribute)
    column = schema.columns[place]
    if question.kind == "missing":
        return Asked(place, MISSING, 0.0, True)
    if question.kind == "<=":
        if column.kind != "numeric":
            raise ValueError(
                f"an initial tree asks {str(question)!r}, but the column {column.name!r} of the table is nominal"
            )
        assert isinstance(question.value, (int, float))
        return Asked(place, AT_MOST, float(question.value), question.missing_passes)
    if column.kind != "nominal":
        raise ValueError(
            f"an initial tree asks {str(question)!r}, but the column {column.name!r} of the table is numeric"
        )
    for code, level in enumerate(column.levels):
        if type(level) is type(question.value) and level == question.value:
            return Asked(place, EQUALS, float(code), question.missing_passes)
    # A level that the table does not have: at most a missing value passes.
    return Asked(place, MISSING, 0.0, True) if question.missing_passes else None


# ---- scikit-learn ----


def _from_scikit_learn(model: DecisionTreeClassifier, rows: Rows) -> Sketch:
    _check_fitted(model, "tree_")
    if model.n_outputs_ != 1:
        raise ValueError(f"an initial tree predicts {model.n_outputs_} outputs at once; expected a tree with one")
    places = _columns_of(model, rows.table.schema)
    code_of = class_codes(model.classes_.tolist(), rows)
    tree = model.tree_
    some_missing = np.isnan(rows.table.values).any(axis=0)
    sketch: list[Asked | int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            sketch.append(code_of(int(tree.value[node, 0].argmax())))
            continue
        place, threshold = places[tree.feature[node]], float(tree.threshold[node])
        passes = bool(some_missing[place] and tree.missing_go_to_left[node])
        if np.isinf(threshold):  # only missing values go right
            sketch.append(Asked(place, MISSING, 0.0, True))
            left, right = right, left
        else:
            sketch.append(_asked_cut(place, threshold, passes, rows))
        waiting += [right, left]
    return tuple(sketch)


def _columns_of(model: DecisionTreeClassifier, schema: Schema) -> list[int]:
    """Return the place in the table of each column that a model was fitted on: by name where it knows names."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        if model.n_features_in_ != len(schema):
            raise ValueError(
                f"an initial tree was fitted on {model.n_features_in_} columns without names, and the table has "
                f"{len(schema)}; fit it on the same columns, or on a frame, so that columns can be found by name"
            )
        return list(range(len(schema)))
    used = {names[feature] for feature in model.tree_.feature.tolist() if feature >= 0}
    for name in names.tolist():
        if name in used and name not in schema.names:
            raise ValueError(_no_such_column(name, schema))
    return [schema.names.index(name) if name in schema.names else -1 for name in names.tolist()]


def _asked_cut(place: int, threshold: float, missing_passes: bool, rows: Rows) -> Asked:
    column = rows.table.schema.columns[place]
    if column.kind == "nominal":
        if column.levels != BOOLEAN_LEVELS or not 0 <= threshold < 1:
            raise ValueError(
                f"an initial tree asks {column.name!r} <= {threshold:g}, but the column {column.name!r} of the table "
                "is nominal"
            )
        return Asked(place, EQUALS, 0.0, missing_passes)  # False is 0, and True is 1
    return Asked(place, AT_MOST, _same_cut(rows.table.values[:, place], threshold), missing_passes)


def _same_cut(values: np.ndarray, threshold: float) -> float:
    """Return a cut that divides the rows as scikit-learn does, which rounds them to float32.

    If possible, the decimal one would write for the threshold as a float32: 16.795, not 16.795000076293945.
    """
    present = values[~np.isnan(values)]
    with np.errstate(over="ignore"):
        # As float64 again: NumPy would round the threshold to float32, where two values may be neighbours.
        passed = present.astype(np.float32).astype(np.float64) <= threshold
        written = float(str(np.float32(threshold)))
    for cut in (written, threshold):
        if np.isfinite(cut) and np.array_equal(present <= cut, passed):
            return cut
    return _highest_that_passes(threshold)


def _highest_that_passes(threshold: float) -> float:
    """Return the largest float64 that is at most the threshold once it is rounded to float32."""
    with np.errstate(over="ignore"):
        below = np.float32(threshold)
        if float(below) > threshold:
            below = np.nextafter(below, np.float32(-np.inf))
        above = float(np.nextafter(below, np.float32(np.inf)))
        halfway = (max(float(below), -BEYOND_FLOAT32) + min(above, BEYOND_FLOAT32)) / 2
        is_tied_upwards = float(np.float32(halfway)) > threshold  # a tie goes to the even one
    return float(np.nextafter(halfway, -np.inf)) if is_tied_upwards else halfway


# ---- both ----


def class_codes(classes: Sequence[Any], rows: Rows) -> Callable[[int], int]:
    """Return a function from a tree's own number of a class to that of the table."""
    known = rows.classes.tolist()
    codes = {value: code for code, value in enumerate(known)}

    def code_of(label: int) -> int:
        if classes[label] not in codes:
            shown = ", ".join(repr(value) for value in known[:8]) + (", ..." if len(known) > 8 else "")
            raise ValueError(
                f"an initial tree has a leaf with the class {classes[label]!r}, which no row has (classes: {shown}); "
                "give trees of the same classes"
            )
        return codes[classes[label]]

    return code_of


def _no_such_column(name: str, schema: Schema) -> str:
    names = ", ".join(repr(name) for name in schema.names[:8]) + (", ..." if len(schema) > 8 else "")
    return f"an initial tree asks for the column {name!r}, which the table does not have (columns: {names})"
