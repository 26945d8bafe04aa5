"""The model file: the hall of fame, the columns it speaks of and what made it, as versioned JSON.

    {
     "format": "heirwood-model",        what the file is, and
     "version": 2,                      how it is to be read
     "seed": 7,
     "chosen": 1,                       the tree in use, a place in "trees"
     "classes": ["no", "yes"],          in the order of the weights
     "columns": [...],                  one a line: name, kind, levels
     "trees": [[...], [...]],           ordered by leaves; nodes in preorder, one a line
     "parameters": {...},               free: what the run was asked for
     "facts": {...}                     free: what it found
    }

A file is data from a stranger: everything is checked, and nothing that is read is executed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO, Any

from heirwood.atomic_write import write_atomically
from heirwood.caller_stack import warn_user
from heirwood.data.schema import Schema
from heirwood.export.json_text import compact, one_a_line
from heirwood.export.old_models import from_version_1
from heirwood.file_budgets import DEPTH, MODEL_BYTES, OBJECTS, lifted
from heirwood.file_names import check_path
from heirwood.strict_json import count_values, parse
from heirwood.tree_view import Question, TreeView, Value, check_classes

FORMAT = "heirwood-model"
FORMAT_VERSION = 2
MAX_NESTING = 50  # of the free entries
ENTRIES = ("format", "version", "seed", "chosen", "classes", "columns", "trees", "parameters", "facts")
WEIGHTED = "weighted"  # an entry that is there only where rows had weights


class ModelFileError(ValueError):
    """A file that is not a model this library can read, or a model that cannot be a file."""


class ModelAccessError(OSError, ModelFileError):
    """A model file that the system does not let us open, read or write."""


class ModelNotFoundError(FileNotFoundError, ModelFileError):
    """A model file, or the folder that it is to be written to, that is not there."""


@dataclass(frozen=True)
class Model:
    """All that is worth keeping of a run.

    Parameters
    ----------
    columns : list of dict
        The columns of the table as `Schema.to_dict` gives them: name, kind and, where nominal, levels.
    classes : tuple
        Class values, all str, int, float or bool.
    trees : tuple of TreeView
        The hall of fame, ordered by leaves.
    chosen : int
        Place of the tree in use.
    seed : int or None
        Seed of the run, where one was given.
    parameters, facts : dict
        Free and JSON-able: what the run was asked for, and what it found.
    """

    columns: list[dict[str, Any]]
    classes: tuple[Value, ...]
    trees: tuple[TreeView, ...]
    chosen: int
    seed: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


def write_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file; whoever reads meanwhile finds the old file or the new one, whole.

    Parameters
    ----------
    model : Model
        What to keep. It is read back before anything is written, so a file that cannot be read is never made. Only
        budgets do not count: what is in memory can be kept. Where it is more than is read, a warning says so.
    path : path-like
        Where to; a file that is there is replaced, and keeps its mode. A pipe or a device is written to.

    Raises
    ------
    ModelFileError
        If the model is not sound, or would not read back equal; or, as an OSError as well, if the system does not let
        us write there. What was there is then as it was.
    """
    try:
        text = _to_text(model)
        content = text.encode("utf-8")
        with lifted():
            same = _from_text(text) == model
        over = _over_budget(model, text, content)
    except (ModelFileError, TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(f"the model cannot be written: {error}") from error
    if not same:
        raise ModelFileError(
            "the model cannot be written: it would not read back equal; "
            "use lists (not tuples) and text keys in columns, parameters and facts"
        )
    with _as_model_error(path):
        write_atomically(path, content)
    for excess in over:
        warn_user(f"{os.fspath(path)} {excess}")


def _over_budget(model: Model, text: str, content: bytes) -> list[str]:
    """Return what there is more of than is read where nobody says otherwise, and how to say it."""
    counts = (
        (OBJECTS, count_values(text)),
        (DEPTH, max((tree.depth for tree in model.trees), default=0)),
        (MODEL_BYTES, len(content)),
    )
    return [
        f"is written, and has {count:,} {budget.what}, more than the {budget.most:,} that are read: before it is "
        f"loaded, set the environment variable {budget.variable} to {count} or more"
        for budget, count in counts
        if count > budget.most
    ]


def read_model(path: str | os.PathLike[str]) -> Model:
    """Read a model file and check all of it.

    Parameters
    ----------
    path : path-like
        A file that `write_model` wrote, by this version of the format.

    Returns
    -------
    Model
        Equal to the one that was written.

    Raises
    ------
    ModelFileError
        If the file is anything else; the message says what is wrong with it. Where it is not there or cannot be opened
        the error is an OSError as well (FileNotFoundError, where it is not there).
    """
    with _as_model_error(path), open(path, "rb") as file:
        content = read_within_budget(file, path)
    try:
        return _from_text(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{os.fspath(path)}: not a text in UTF-8, so not a model file") from error
    except RecursionError as error:
        raise ModelFileError(f"{os.fspath(path)}: entries are nested too deeply") from error
    except ValueError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from error


def read_within_budget(file: IO[bytes], path: str | os.PathLike[str]) -> bytes:
    """Return what is in a file of trees; refuse it, before it is read where it says its size, if that is too much."""
    MODEL_BYTES.check(os.fstat(file.fileno()).st_size, os.fspath(path))
    content = file.read(MODEL_BYTES.most + 1)  # a pipe does not say its size before
    MODEL_BYTES.check(len(content), os.fspath(path))
    return content


@contextmanager
def _as_model_error(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise what the system says of a file as an error of model files as well, and a name that no file can have."""
    try:
        check_path(path)
        yield
    except FileNotFoundError as error:
        raise ModelNotFoundError(*_about(error)) from error
    except OSError as error:
        raise ModelAccessError(*_about(error)) from error
    except ModelFileError:
        raise
    except ValueError as error:  # a name that no file can have, or a budget that is no number
        raise ModelFileError(str(error)) from error


def _about(error: OSError) -> tuple[Any, ...]:
    whole = error.filename is not None and error.errno is not None
    return (error.errno, error.strerror, error.filename) if whole else error.args


def _to_text(model: Model) -> str:
    for tree in model.trees:
        tree.validate()
        if tree.classes != model.classes:
            raise ModelFileError("a tree has other classes than the model")
    trees = [one_a_line(tree.to_dict()["nodes"], "  ") for tree in model.trees]
    entries = {
        "format": compact(FORMAT),
        "version": compact(FORMAT_VERSION),
        "seed": compact(model.seed),
        "chosen": compact(model.chosen),
        "classes": compact(list(model.classes)),
        "columns": one_a_line(model.columns, " "),
        "trees": "[\n" + ",\n".join(f"  {tree}" for tree in trees) + "\n ]",
        "parameters": _free_text(model.parameters),
        "facts": _free_text(model.facts),
    }
    if any(tree.is_weighted for tree in model.trees):
        entries[WEIGHTED] = compact(True)
    return "{\n" + ",\n".join(f' "{name}": {text}' for name, text in entries.items()) + "\n}\n"


def _free_text(entries: dict[str, Any]) -> str:
    if not entries:
        return "{}"
    return "{\n" + ",\n".join(f"  {compact(k)}: {compact(v)}" for k, v in entries.items()) + "\n }"


def _from_text(text: str) -> Model:
    document = parse(text)
    if type(document) is not dict:
        raise ModelFileError(f"a model file holds an object; this one holds a {type(document).__name__}")
    _check_header(document)
    for name in ENTRIES:
        if name not in document:
            raise ModelFileError(f"the entry {name!r} is not there")
    for name in document:
        if name not in (*ENTRIES, WEIGHTED):
            raise ModelFileError(f"the entry {name[:60]!r} is not known")
    for name in ("classes", "columns", "trees"):
        if type(document[name]) is not list:
            raise ModelFileError(f"{name} must be a list; got a {type(document[name]).__name__}")
    for name in ("parameters", "facts"):
        if type(document[name]) is not dict:
            raise ModelFileError(f"{name} must be an object; got a {type(document[name]).__name__}")
        _check_nesting(document[name], name)
    if document["version"] == 1:
        document = from_version_1(document)

    schema = Schema.from_dict({"columns": document["columns"]})
    check_classes(document["classes"])
    common = {"classes": document["classes"], WEIGHTED: document.get(WEIGHTED, False)}
    trees = tuple(_tree(place, tree, common, schema) for place, tree in enumerate(document["trees"]))
    chosen, seed = document["chosen"], document["seed"]
    if any(tree.n_leaves > after.n_leaves for tree, after in pairwise(trees)):
        raise ModelFileError("trees must be ordered by their number of leaves")
    if type(chosen) is not int or not 0 <= chosen < len(trees):
        raise ModelFileError(f"chosen must be the place of one of the {len(trees)} trees; got {chosen!r:.60}")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise ModelFileError(f"seed must be null or an int of at least 0; got {seed!r:.60}")
    return Model(
        document["columns"],
        tuple(document["classes"]),
        trees,
        chosen,
        seed,
        document["parameters"],
        document["facts"],
    )


def _check_header(document: dict[str, Any]) -> None:
    """Check what the file says it is before anything else: a newer version may look different throughout."""
    if document.get("format") != FORMAT:
        raise ModelFileError(f'not a model file: its "format" is not "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise ModelFileError(f'"version" must be an int of at least 1; got {version!r:.60}')
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"the file has version {version} of the format, and this library reads up to version "
            f"{FORMAT_VERSION}; upgrade heirwood to read it"
        )


def _tree(place: int, nodes: Any, common: dict[str, Any], schema: Schema) -> TreeView:
    try:
        view = TreeView.from_dict({**common, "nodes": nodes})
        for i, node in enumerate(view.nodes):
            if node.question is not None:
                _check_against(schema, node.question, f"the question of node {i}")
    except ValueError as error:
        raise ModelFileError(f"tree {place}: {error}") from error
    return view


def _check_against(schema: Schema, question: Question, where: str) -> None:
    """Check that a question can be asked of the columns: a wrong one would predict, and wrongly."""
    if question.column >= len(schema):
        raise ValueError(f"{where} asks for column {question.column}; there are {len(schema)} columns")
    column = schema.columns[question.column]
    if question.attribute != column.name:
        raise ValueError(f"{where} says {question.attribute!r:.60}, but its column is {column.name!r:.60}")
    if question.kind == "<=" and column.kind != "numeric":
        raise ValueError(f"{where} has a cut, but column {column.name!r:.60} is {column.kind}")
    if question.kind == "=":
        if question.code >= len(column.levels):
            raise ValueError(f"{where} has code {question.code}; its column has {len(column.levels)} levels")
        level = column.levels[question.code]
        if type(level) is not type(question.value) or level != question.value:
            raise ValueError(f"{where} says {question.value!r:.60}, but its code stands for {level!r:.60}")


def _check_nesting(entries: dict[str, Any], where: str) -> None:
    level: list[Any] = [entries]
    for _ in range(MAX_NESTING):
        inside = [value for item in level for value in (item.values() if type(item) is dict else item)]
        level = [value for value in inside if type(value) in (dict, list)]
        if not level:
            return
    raise ModelFileError(f"{where} are nested more than {MAX_NESTING} deep")
