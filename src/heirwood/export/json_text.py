"""The tree as JSON, one node a line: for programs, and still for eyes and diffs."""

from __future__ import annotations

import json
from typing import Any

from heirwood.tree_view import TreeView


def to_json(view: TreeView) -> str:
    """Return `view.to_dict()` as JSON text; `TreeView.from_dict(json.loads(text))` is an equal tree."""
    document = view.to_dict()
    nodes = one_a_line(document.pop("nodes"), " ")
    others = "".join(f" {compact(name)}: {compact(value)},\n" for name, value in document.items())
    return f'{{\n{others} "nodes": {nodes}\n}}'


def one_a_line(items: list[Any], indent: str) -> str:
    """Return a JSON list with every item on its own line, one step deeper than `indent`."""
    if not items:
        return "[]"
    return "[\n" + ",\n".join(f"{indent} {compact(item)}" for item in items) + f"\n{indent}]"


def compact(value: Any) -> str:
    """Return `value` as JSON on one line; NaN and infinities, which JSON has not, are a ValueError."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
